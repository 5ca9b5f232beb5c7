/** The outlines of letters on drawn pictures are those of the font Inter, which a server need not have. */

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as OpenType from 'opentype.js'
import t from 'tap'
import { initialsOf } from '../../server/domain/files/drawn-pictures.ts'

const require = createRequire(import.meta.url)
const opentype = require('opentype.js') as typeof OpenType
const FILE = join(import.meta.dirname, '../../workers/pool/images/letter-outlines.txt')
const PARTS = ['latin', 'cyrillic', 'greek', 'latin-ext', 'cyrillic-ext', 'greek-ext', 'vietnamese']
const CODES_MAX = 0x10000 // Initials are single UTF-16 units.

/** All letters that a picture may have. */
function listLetters(): string[] {
  const codes = Array.from({ length: CODES_MAX }, (_, code) => initialsOf(String.fromCharCode(code), 1))
  return [...new Set(codes)].filter((letter) => letter !== '').sort()
}

function loadFont(part: string): OpenType.Font {
  const file = readFileSync(require.resolve(`@fontsource/inter/files/inter-${part}-600-normal.woff`))
  return opentype.parse(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength))
}

t.test('[DRAW8] every letter that the font has is drawn as the font draws it', async (t) => {
  const fonts = PARTS.map(loadFont)
  t.ok(fonts.every(({ unitsPerEm, tables }) => unitsPerEm === 2_048 && tables['os2']?.sCapHeight === 1_490))
  const lines = listLetters().flatMap((letter) => {
    const glyph = fonts.find((font) => font.charToGlyphIndex(letter) > 0)?.charToGlyph(letter)
    if (!glyph) return []
    const { x1, x2 } = glyph.getBoundingBox()
    const options = { decimalPlaces: 1, optimize: true, flipY: false }
    const path = glyph.path.toPathData(options as unknown as number) // Its types are of an older release.
    return [`${letter} ${x1} ${x2} ${path}\n`]
  })
  t.ok(lines.length > 500)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, lines.join(''))
  t.equal(readFileSync(FILE, 'utf8'), lines.join(''), 'UPDATE_DOCS=1 writes them anew')
})
