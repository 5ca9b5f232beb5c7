/**
 * postgres.js with the mends of `postgres.patch`, which says what they are for.
 *
 * They are made as it is loaded, so that nothing that is installed has to be changed. A release that they do not fit
 * is refused at the start.
 */

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { applyPatch } from 'diff/lib/patch/apply.js'
import { parsePatch } from 'diff/lib/patch/parse.js'
import type postgresType from 'postgres'

const patches = parsePatch(readFileSync(new URL('postgres.patch', import.meta.url), 'utf8'))

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const name = /\/node_modules\/postgres\/(src\/\w+\.js)$/.exec(url)?.[1]
    const patch = patches.find(({ oldFileName }) => oldFileName === `a/${name}`)
    if (!patch) return loaded
    const source = applyPatch(Buffer.from(loaded.source as Uint8Array).toString('utf8'), patch)
    if (source === false)
      throw new Error(`postgres.js is not the release that db/postgres.patch is for: ${name}`)
    return { ...loaded, source }
  },
})
const { default: postgres } = (await import('postgres')) as { default: typeof postgresType }
hooks.deregister()

export { postgres }
