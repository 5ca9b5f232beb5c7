/**
 * Draws the picture of a user without one of their own, as SVG. Letters become outlines of a font that comes with the
 * server: machines differ in their fonts, and many servers have none. So no text of a user reaches the SVG.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as OpenType from 'opentype.js'
import type { Font, Glyph } from 'opentype.js'
import { lazy } from '../../../server/domain/messages/derived.ts'
import { type DrawnPicture, PICTURE_COLORS } from '../../../server/domain/files/drawn-pictures.ts'

const opentype = createRequire(import.meta.url)('opentype.js') as typeof OpenType

const SIDE = 100
const WHITE = '#fff'

/** The parts of the font, each loaded when a letter needs it and those before it lack it. */
const FONTS = ['latin', 'cyrillic', 'greek', 'latin-ext', 'cyrillic-ext', 'greek-ext', 'vietnamese'].map(
  (part) => lazy(() => loadFont(part)),
)

/** The SVG of a picture. */
export function drawInitials(picture: DrawnPicture): string {
  const ground = PICTURE_COLORS[picture.color % PICTURE_COLORS.length] as string
  const isBot = picture.kind === 'bot'
  const letters = outline(picture.letters, isBot ? BOT_LETTERS : LETTERS)
  const content = isBot ? BOT_HEAD + (letters ?? BOT_EYES) : (letters ?? pattern(seedOf(picture)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}"><rect width="${SIDE}" height="${SIDE}" fill="${ground}"/>${content}</svg>`
}

/** The pattern of a picture without letters, or with letters that the font lacks. */
function seedOf({ letters, seed }: DrawnPicture): number {
  return letters.split('').reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed)
}

/** The place of letters: the height of a capital, its centre, and the greatest width of all letters. */
interface Place {
  readonly height: number
  readonly centerY: number
  readonly widthMax: number
}

const LETTERS: Place = { height: 34, centerY: 50, widthMax: 66 }
const BOT_LETTERS: Place = { height: 25, centerY: 58, widthMax: 36 }
/** Units of space between two letters, of an em of 2,048. */
const SPACE_UNITS = 110

/** The letters as one outline in the middle of their place; undefined for none, or if the font lacks one. */
function outline(letters: string, { height, centerY, widthMax }: Place): string | undefined {
  const found = letters.split('').map(findGlyph)
  if (found.length === 0 || found.some((one) => one === undefined)) return undefined
  const glyphs = found as { glyph: Glyph; font: Font }[]
  const boxes = glyphs.map(({ glyph }) => glyph.getBoundingBox())
  const units = boxes.reduce((sum, { x1, x2 }) => sum + x2 - x1, SPACE_UNITS * (boxes.length - 1))
  const capital = glyphs[0]?.font.tables['os2']?.sCapHeight ?? 1_490
  const scale = Math.min(height / capital, widthMax / units)
  const baseline = centerY + (capital * scale) / 2
  let x = (SIDE - units * scale) / 2
  const paths = glyphs.map(({ glyph, font }, index) => {
    const { x1, x2 } = boxes[index] as { x1: number; x2: number }
    const path = glyph.getPath(x - x1 * scale, baseline, scale * font.unitsPerEm)
    x += (x2 - x1 + SPACE_UNITS) * scale
    return path.toPathData(2)
  })
  return `<path fill="${WHITE}" d="${paths.join('')}"/>`
}

function findGlyph(letter: string): { glyph: Glyph; font: Font } | undefined {
  for (const load of FONTS) {
    const font = load()
    if (font.charToGlyphIndex(letter) > 0) return { glyph: font.charToGlyph(letter), font }
  }
  return undefined
}

function loadFont(part: string): Font {
  const path = createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-${part}-600-normal.woff`)
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  return opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength))
}

const BOT_HEAD =
  `<g fill="none" stroke="${WHITE}" stroke-width="5" stroke-linecap="round">` +
  '<rect x="22" y="36" width="56" height="44" rx="13"/><path d="M50 36V25M13 53v10M87 53v10"/></g>' +
  `<circle cx="50" cy="20" r="5.5" fill="${WHITE}"/>`
const BOT_EYES = `<g fill="${WHITE}"><circle cx="39" cy="58" r="5.5"/><circle cx="61" cy="58" r="5.5"/></g>`

/** Quarters of circles in a square of nine: another one for each seed. */
function pattern(seed: number): string {
  const cell = 20
  const from = (SIDE - 3 * cell) / 2
  // Odd factors spread neighbouring seeds over all patterns.
  let bits = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  const parts: string[] = []
  for (let place = 0; place < 9; place++) {
    const [x, y] = [from + (place % 3) * cell, from + Math.floor(place / 3) * cell]
    const turn = (bits & 3) * 90
    const isFull = place === 4 || (bits & 4) !== 0
    const opacity = isFull ? 1 : 0.45
    parts.push(
      `<path transform="rotate(${turn} ${x + cell / 2} ${y + cell / 2})" opacity="${opacity}" d="M${x} ${y}h${cell}a${cell} ${cell} 0 0 1 -${cell} ${cell}z"/>`,
    )
    bits = (Math.imul(bits, 0x85ebca6b) ^ (bits >>> 13)) >>> 0
  }
  return `<g fill="${WHITE}">${parts.join('')}</g>`
}
