/**
 * postgres.js with the fixes in `patches/postgres`, one file each, which give their reasons.
 *
 * They apply at load, so installed files stay unchanged. A release that one does not fit fails at the start.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { applyPatch } from 'diff/lib/patch/apply.js'
import { parsePatch } from 'diff/lib/patch/parse.js'
import type postgresType from 'postgres'

const FOLDER = new URL('../patches/postgres/', import.meta.url)

/** In the order of their numbers: each fits the result of those before it. */
const patches = readdirSync(FOLDER)
  .toSorted()
  .flatMap((name) =>
    parsePatch(readFileSync(new URL(name, FOLDER), 'utf8')).map((patch) => ({ name, patch })),
  )

/** The source of one of the driver's files with all fixes of it. */
function mend(file: string, released: string): string {
  let source = released
  for (const { name, patch } of patches) {
    if (patch.oldFileName !== `a/${file}`) continue
    const mended = applyPatch(source, patch)
    if (mended === false)
      throw new Error(`postgres.js is not the release that patches/postgres/${name} is for: ${file}`)
    source = mended
  }
  return source
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const file = /\/node_modules\/postgres\/(src\/\w+\.js)$/.exec(url)?.[1]
    if (file === undefined) return loaded
    return { ...loaded, source: mend(file, Buffer.from(loaded.source as Uint8Array).toString('utf8')) }
  },
})
const { default: postgres } = (await import('postgres')) as { default: typeof postgresType }
hooks.deregister()

export { postgres }
