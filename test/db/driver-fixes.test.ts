/** The fixes of the driver: each says why it is there, and when it can go. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'patches/postgres')

t.test(
  '[DRIVER1] each fix of the driver says what it mends, its number upstream, and when it can go',
  async (t) => {
    const names = readdirSync(FOLDER).toSorted()
    t.ok(names.length > 0)
    for (const [index, name] of names.entries()) {
      t.match(name, new RegExp(`^${String(index + 1).padStart(2, '0')}-[a-z0-9-]+\\.patch$`))
      const [heading = ''] = readFileSync(join(FOLDER, name), 'utf8').split(/^--- /m)
      t.match(heading, /^[A-Z].{80,}\n\nUpstream: .+\nUntil: .+\n\n$/s, name)
      for (const [, file = ''] of heading.matchAll(/`((?:db|test)\/\S+)`/g))
        t.ok(readFileSync(join(ROOT, file)).length > 0, file)
    }
  },
)
