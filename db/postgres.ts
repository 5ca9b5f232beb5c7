/**
 * postgres.js with the fixes of `postgres.patch`, which gives their reasons.
 *
 * The patch applies at load, so installed files stay unchanged. A release that it does not fit fails at the start.
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
