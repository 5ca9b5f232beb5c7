/**
 * Draws the picture of a user without one of their own, as SVG. Letters become outlines of the font Inter, which come with
 * the server: machines differ in their fonts, and many servers have none. So no text of a user reaches the SVG.
 */

import { readFileSync } from 'node:fs'
import { lazy } from '../../../server/domain/messages/derived.ts'
import { type DrawnPicture, PICTURE_COLORS } from '../../../server/domain/files/drawn-pictures.ts'

const SIDE = 100
const WHITE = '#fff'

/** Units of the font's em of 2,048: the height of a capital, and the space between two letters. */
const CAPITAL_UNITS = 1_490
const SPACE_UNITS = 110

/** A letter in units of the font: its left and right edge, and its outline, in which y goes up from the baseline. */
interface Outline {
  readonly left: number
  readonly right: number
  readonly path: string
}

/** After a line break each, the letters that the font has; a test writes them from the font. */
const loadOutlines = lazy(() => `\n${readFileSync(new URL('letter-outlines.txt', import.meta.url), 'utf8')}`)

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
/** The letters in the middle of their place; undefined for none, or if the font lacks one. */
function outline(letters: string, { height, centerY, widthMax }: Place): string | undefined {
  const found = letters.split('').map(findOutline)
  if (found.length === 0 || found.some((one) => one === undefined)) return undefined
  const outlines = found as Outline[]
  const units = outlines.reduce(
    (sum, { left, right }) => sum + right - left,
    SPACE_UNITS * (found.length - 1),
  )
  const scale = Math.min(height / CAPITAL_UNITS, widthMax / units)
  const baseline = centerY + (CAPITAL_UNITS * scale) / 2
  let x = (SIDE - units * scale) / 2
  const paths = outlines.map(({ left, right, path }) => {
    const place = `matrix(${scale} 0 0 ${-scale} ${x - left * scale} ${baseline})`
    x += (right - left + SPACE_UNITS) * scale
    return `<path transform="${place}" d="${path}"/>`
  })
  return `<g fill="${WHITE}">${paths.join('')}</g>`
}

function findOutline(letter: string): Outline | undefined {
  const outlines = loadOutlines()
  const before = outlines.indexOf(`\n${letter} `)
  if (before < 0) return undefined
  const line = outlines.slice(before + 1, outlines.indexOf('\n', before + 1))
  const [, left, right, path] = /^. (\S+) (\S+) (.*)$/.exec(line) ?? []
  return { left: Number(left), right: Number(right), path: path ?? '' }
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
