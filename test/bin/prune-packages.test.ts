/** Installations for production delete parts of packages; a server runs without them. */

import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prunePackages, UNUSED_PARTS } from '../../bin/prune-packages.mjs'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { readLock } from '../complete-lock.ts'
import { Client } from '../harness/client.ts'
import { createDatabase } from '../harness/create-database.ts'
import { ACCOUNTS, emailOf } from '../harness/start-server.ts'
import { drawImage, mustUpload } from '../harness/upload.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Links the files of a folder into another, without the packages inside packages. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== 'node_modules') linkFolder(source, target)
    else if (!entry.isDirectory()) linkSync(source, target)
  }
}

/** The folders in the image. */
function copiedFolders(): string[] {
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  return [...dockerfile.matchAll(/^COPY (\w+) /gm)].map(([, folder]) => folder as string)
}

t.test(
  '[PRUNE1] a server of the files in the image, on pruned packages, renders, draws pictures and serves its reference',
  async (t) => {
    // Links need the clone's own disk.
    mkdirSync(join(ROOT, '.toolchain'), { recursive: true })
    const root = mkdtempSync(join(ROOT, '.toolchain/pruned-'))
    t.teardown(() => rmSync(root, { recursive: true }))
    for (const folder of copiedFolders()) linkFolder(join(ROOT, folder), join(root, folder))
    linkSync(join(ROOT, 'package.json'), join(root, 'package.json'))
    for (const [folder, { dev }] of Object.entries(readLock().packages)) {
      const isThere = folder !== '' && !dev && existsSync(join(ROOT, folder))
      if (isThere) linkFolder(join(ROOT, folder), join(root, folder))
    }
    const packages = join(root, 'node_modules')
    const parts = Object.entries(UNUSED_PARTS).flatMap(([name, all]) =>
      all.map((part) => join(packages, name, part)),
    )
    t.same(
      parts.filter((part) => !existsSync(part)),
      [],
      'all are there before',
    )
    prunePackages(packages)
    t.same(parts.filter(existsSync), [])
    t.notOk(existsSync(join(packages, 'postgres/types/index.d.ts')))

    const settings = { DATABASE_URL: await createDatabase(t, 'people'), DATA_DIR: join(root, 'data') }
    const { url } = await startWebProcess(t, settings, root)
    const { id, key } = ACCOUNTS.get('owner') as { id: number; key: string }
    const owner = new Client(url, id, emailOf('owner'), key)
    const content = '```js\nlet x = 1\n```\n$$x$$ <time:January 1, 2026 10:00 UTC>'
    const { rendered } = await owner.must('POST', '/messages/render', { content })
    for (const sign of [
      '<span class="k">let</span>',
      'class="katex"',
      '<time datetime="2026-01-01T10:00:00Z"',
    ])
      t.match(rendered, sign)
    await mustUpload(owner, '/users/me/avatar', await drawImage('red'))
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'])
      t.equal((await fetch(`${url}${path}`)).status, 200, path)
  },
)
