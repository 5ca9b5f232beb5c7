/** Fits a posting into the limits of messages, and makes it harmless. */

import { countCodePoints } from '../../packages/rules/count-code-points.ts'
import { MESSAGE_LENGTH_MAX } from '../../packages/rules/limits.ts'
import { TOPIC_LENGTH_MAX } from '../domain/limits.ts'
import { parseTopic } from '../domain/messages/topics.ts'
import { CUT, cut } from './markdown.ts'

/** Characters that no topic may have. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Cn}]+/gu

/** A topic in one line, within its limit. */
export function fitTopic(text: string): string {
  const line = text
    .trimStart()
    .slice(0, 10 * TOPIC_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return parseTopic(cut(line, TOPIC_LENGTH_MAX))
}

/** A content within its limit, whose mentions notify nobody. */
export function fitContent(text: string): string {
  // A payload may have megabytes. Every mention that notifies begins with these two characters.
  const start = text.trim().slice(0, 3 * MESSAGE_LENGTH_MAX)
  const silent = start.toWellFormed().replaceAll('\0', '').replaceAll('@*', '@_*').trim()
  if (countCodePoints(silent) <= MESSAGE_LENGTH_MAX) return silent
  const mark = `\n\n${CUT}`
  return closeFence(cut(silent, MESSAGE_LENGTH_MAX - FENCE_LENGTH_MAX - mark.length)) + mark
}

/** Characters of the longest fence that is closed again, with its line break. */
const FENCE_LENGTH_MAX = 20

/** The mark of a cut text must not be code. */
function closeFence(text: string): string {
  let open = ''
  for (const [, fence = '', rest = ''] of text.matchAll(/^(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = fence
    else if (fence === open && rest.trim() === '') open = ''
  }
  return open === '' || open.length >= FENCE_LENGTH_MAX ? text : `${text}\n${open}`
}
