/** Emoji written as the characters themselves. */

import { renderEmoji } from './emoji.ts'
import { findEmojiName } from '../emoji/emoji-table.ts'
import type { FoundHtml } from './found-text.ts'

/** Where an emoji may begin; texts without any of these are not looked at further. */
const MAY_HOLD = /[\u{a9}\u{ae}\u{203c}-\u{3299}\u{1f000}-\u{1faff}]/u
/**
 * A character with all that modifies it or is joined to it. Each part begins with what the one before it
 * cannot, and the length is bounded, so there is one way to match.
 */
const SEQUENCE =
  /[#*0-9]\ufe0f?\u20e3|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?[\u{e0020}-\u{e007f}]{0,16}(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?){0,8}/gu
/** Alone, these are shown as pictures by default. Others, such as ©, are only where a selector follows. */
const IS_PICTURE = /^(?:\p{Emoji_Presentation}|[\u2600-\u27bf])/u

/** The first emoji of a text, in order. A sequence that has no name is left as it is, whole. */
export function findEmojiCharacters(text: string, countMax: number): FoundHtml[] {
  if (!MAY_HOLD.test(text)) return []
  const found: FoundHtml[] = []
  for (const match of text.matchAll(SEQUENCE)) {
    if (found.length >= countMax) break
    const [sequence] = match
    const isPicture = IS_PICTURE.test(sequence) || /[\ufe0f\u20e3\u200d]/.test(sequence)
    const code = codeOf(sequence)
    const name = isPicture ? findEmojiName(code) : undefined
    if (name === undefined) continue
    found.push({
      start: match.index,
      end: match.index + sequence.length,
      html: renderEmoji(name, code),
    })
  }
  return found
}

function codeOf(sequence: string): string {
  return Array.from(sequence, (character) =>
    (character.codePointAt(0) as number).toString(16).padStart(4, '0'),
  )
    .filter((hexadecimal) => hexadecimal !== 'fe0f')
    .join('-')
}
