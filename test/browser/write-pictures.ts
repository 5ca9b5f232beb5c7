/**
 * `npm run pictures`, after `npm run shots`: writes the pictures of the README from those in `shots/`. The machine needs the
 * fonts Inter and Noto Color Emoji, or readers see its replacements.
 */

import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/pictures')
/** A README is read over slow networks, too. */
const BYTES_MAX = 80_000

await mkdir(FOLDER, { recursive: true })
for (const theme of ['light', 'dark']) {
  const file = join(FOLDER, `${theme}.webp`)
  await sharp(join(ROOT, `shots/busy-talk-${theme}.png`))
    .webp({ quality: 82, effort: 6 })
    .toFile(file)
  const { size } = await stat(file)
  if (size > BYTES_MAX) throw new Error(`${file} has ${size} bytes, more than ${BYTES_MAX}`)
  process.stdout.write(`${file}: ${size} bytes\n`)
}
