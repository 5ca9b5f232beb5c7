/**
 * Pictures that the server draws for users without one of their own: their initials on a colour. An address says what
 * is drawn, and the server signs it, so that it draws nothing that it was not asked for and needs no look-up.
 */

import type { User } from '../entities.ts'

/** Grounds on which white letters have a contrast of 4.5 to 1 and more. */
export const PICTURE_COLORS = [
  '#9a4d2e',
  '#33638f',
  '#6b4a9c',
  '#2f7d4f',
  '#b0436d',
  '#0b7a75',
  '#8a5a00',
  '#4c5aa6',
] as const

/** The content of a drawn picture. */
export interface DrawnPicture {
  readonly kind: 'person' | 'bot'
  /** An index of `PICTURE_COLORS`. */
  readonly color: number
  /** One or two capitals or digits; empty for a pattern. */
  readonly letters: string
  /** Chooses the pattern of a picture without letters. */
  readonly seed: number
}

/** The pixels of each side, as of uploaded pictures. */
export type DrawnSize = 'small' | 'medium'

const BASE = '/user_avatars/1/drawn'
const PATTERN =
  /^\/user_avatars\/1\/drawn\/(([pb])([0-7])-(?:([0-9a-f]{2,4}(?:\.[0-9a-f]{2,4})?)|x([0-9]{1,3})))-([0-9a-f]{16})(-medium)?\.png$/
/** Hexadecimal digits of the signature: nobody tries 64 bits on a server. */
export const SIGNATURE_LENGTH = 16
/** Patterns that differ; the address of a picture has no more of a user. */
const SEEDS_MAX = 1_000
/** Characters of a name that are looked at. */
const NAME_LENGTH_MAX = 200
const WORD_BREAK = /[\s\p{Pd}_.,/|()[\]{}]+/u
/** Scripts whose letters look alike at the start of a word and alone, and which the server's font has. */
const LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]$/u

/** The picture of a user. */
export function drawnPictureOf({
  id,
  botType,
  fullName,
}: Pick<User, 'id' | 'botType' | 'fullName'>): DrawnPicture {
  const kind = botType === null ? 'person' : 'bot'
  const letters = initialsOf(fullName, kind === 'person' ? 2 : 1)
  return { kind, color: id % PICTURE_COLORS.length, letters, seed: letters === '' ? id % SEEDS_MAX : 0 }
}

/** The first letters of the first and of the last word of a name; empty if the first word begins with no letter. */
export function initialsOf(name: string, lengthMax: 1 | 2): string {
  const words = name
    .slice(0, NAME_LENGTH_MAX)
    .normalize('NFC')
    .split(WORD_BREAK)
    .map(firstLetter)
    .filter((letter) => letter !== undefined)
  const [first = ''] = words
  if (first === '') return ''
  const last = words.length > 1 && lengthMax === 2 ? words.at(-1) : ''
  return first + (last ?? '')
}

/** The capital of a word's first letter; empty for another script, undefined for a word without letters. */
function firstLetter(word: string): string | undefined {
  for (const character of word) {
    if (!/[\p{L}\p{Nd}]/u.test(character)) continue
    const capital = character.toUpperCase()
    const letter = capital.length === 1 ? capital : character // The capital of ß has two letters.
    return letter.length === 1 && LETTER.test(letter) ? letter : ''
  }
  return undefined
}

/** Whether a path has the form of an address of a drawn picture, signed or not. */
export function isDrawnPath(path: string): boolean {
  return PATTERN.test(path)
}

/** An address of a drawn picture, before its signature is checked. */
interface DrawnAddress {
  /** The text that is signed. */
  readonly content: string
  readonly signature: string
  readonly size: DrawnSize
  readonly picture: DrawnPicture
}

/** The address of a signed content. */
export function drawnAddress(content: string, signature: string, size: DrawnSize): string {
  return `${BASE}/${content}-${signature}${size === 'medium' ? '-medium' : ''}.png`
}

/** The parts of an address; undefined for other paths. */
export function parseDrawnPath(path: string): DrawnAddress | undefined {
  const [, content = '', kind, color, letters, seed, signature = '', medium] = PATTERN.exec(path) ?? []
  if (content === '') return undefined
  const picture: DrawnPicture = {
    kind: kind === 'p' ? 'person' : 'bot',
    color: Number(color),
    letters: letters === undefined ? '' : letters.split('.').map(decodeLetter).join(''),
    seed: Number(seed ?? 0),
  }
  return { content, signature, size: medium === undefined ? 'small' : 'medium', picture }
}

/** A picture as a part of its address. */
export function encodeDrawnPicture({ kind, color, letters, seed }: DrawnPicture): string {
  const codes = letters.split('').map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'))
  return `${kind === 'person' ? 'p' : 'b'}${color}-${codes.length === 0 ? `x${seed}` : codes.join('.')}`
}

function decodeLetter(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}
