/** Finds emoticons, for users who translate them into emoji. */

import { renderEmoji } from './emoji.ts'
import { findEmojiCode } from '../emoji/emoji-table.ts'
import type { FoundHtml } from './found-text.ts'

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
