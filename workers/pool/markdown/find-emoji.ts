/** Finds emoji characters and emoticons in a text. */

import { renderEmoji } from './emoji.ts'
import { findEmojiCode, findEmojiName } from '../emoji/emoji-table.ts'
import type { FoundHtml } from './found-text.ts'

/** Possible first characters; texts without any of these need no further search. */
const MAY_HOLD = /[\u{a9}\u{ae}\u{203c}-\u{3299}\u{1f000}-\u{1faff}]/u
/**
 * A character with all its modifiers and joined characters. Each part starts with a character that the one before
 * cannot contain, and the length is bounded, so there is only one way to match.
 */
const SEQUENCE =
  /[#*0-9]\ufe0f?\u20e3|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?[\u{e0020}-\u{e007f}]{0,16}(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?){0,8}/gu
/** Characters with emoji presentation by default. Others, such as ©, need a variation selector. */
const IS_PICTURE = /^(?:\p{Emoji_Presentation}|[\u2600-\u27bf])/u

/** The first emoji of a text, in order. A sequence without a name stays unchanged as a whole. */
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

/** Finds emoticons, for users who translate them into emoji. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  ['(:', 'smile'],
  [':(', 'frown'],
  [':|', 'expressionless'],
  [':/', 'oh_no'],
  [';)', 'wink'],
  [':D', 'grinning'],
  [':P', 'stuck_out_tongue'],
  [':p', 'stuck_out_tongue'],
  [':o', 'open_mouth'],
  ['<3', 'heart'],
])
/** An emoticon stands alone, or among punctuation: `a:)` contains none. */
const EMOTICON = /(?<=^|[\s.,!?()[\]"'])(?::[)(|/DPpo]|\(:|;\)|<3)(?=$|[\s.,;!?()[\]"'])/g

/** The first emoticons of a text, in order. */
export function findEmoticons(text: string, countMax: number): FoundHtml[] {
  return [...text.matchAll(EMOTICON)].slice(0, countMax).map((match) => {
    const name = NAMES.get(match[0]) as string
    const html = renderEmoji(name, findEmojiCode(name) as string)
    return { start: match.index, end: match.index + match[0].length, html }
  })
}
