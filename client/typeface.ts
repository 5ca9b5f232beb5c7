/**
 * The typeface for the build: Inter, as one variable file for each range of letters, and the rules that name them. A
 * browser fetches only the ranges that a page shows.
 */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/package.json')))
/** The range that nearly every text has. */
const MAIN_RANGE = 'latin'

interface Typeface {
  readonly rules: string
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** The names of the files that every page needs. */
  readonly main: readonly string[]
}

/** `base` is the address of the built files. */
export async function readTypeface(base: string): Promise<Typeface> {
  const ranges = JSON.parse(await readFile(join(PACKAGE, 'unicode.json'), 'utf8')) as Record<string, string>
  const faces = await Promise.all(
    Object.entries(ranges).map(async ([range, letters]) => {
      const bytes = await readFile(join(PACKAGE, `files/inter-${range}-wght-normal.woff2`))
      return { range, letters, name: `inter-${range}-${hashOf(bytes)}.woff2`, bytes }
    }),
  )
  const rules = faces
    .map(
      ({ name, letters }) =>
        `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(${base}${name})format("woff2");unicode-range:${letters}}`,
    )
    .join('\n')
  const main = faces.filter(({ range }) => range === MAIN_RANGE).map(({ name }) => name)
  return { rules, files: faces.map(({ name, bytes }) => ({ name, bytes })), main }
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8)
}
