/** Emoji, and which codes are valid. */

import type { Reaction } from '../entities.ts'

/** An emoji, independent of its users. */
export type Emoji = Omit<Reaction, 'userId'>

/** Unicode code points in a name, with room to spare. */
export const EMOJI_NAME_LENGTH_MAX = 100
/** Characters in a code: families and flags take about fifty. */
export const EMOJI_CODE_LENGTH_MAX = 100

/**
 * Whether a code is an emoji that Unicode recommends: its code points in hex of at least four digits, joined by dashes,
 * without U+FE0F, which only asks for the colored form.
 */
export function isEmojiCode(code: string): boolean {
  const parts = code.split('-')
  // No emoji lies beyond U+FFFFF; the variation selector and surrogates are not part of a code.
  const isPart = (part: string) => /^[1-9a-f]?[0-9a-f]{4}$/.test(part) && !/^(fe0f|d[89a-f]..)$/.test(part)
  if (!parts.every(isPart)) return false
  const points = parts.map((part) => String.fromCodePoint(Number.parseInt(part, 16)))
  const isModifier = (point: string | undefined) => point !== undefined && /^\p{Emoji_Modifier}$/u.test(point)
  const isPlain = (point: string) => /^\p{Emoji}$/u.test(point) && !/^\p{Emoji_Presentation}$/u.test(point)
  const whole = points.map((point, index) =>
    isPlain(point) && !isModifier(points[index + 1]) ? `${point}\ufe0f` : point,
  )
  return /^\p{RGI_Emoji}$/v.test(whole.join(''))
}
