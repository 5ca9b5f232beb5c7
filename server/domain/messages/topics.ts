/** Names of topics, as requests have them. */

import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../packages/rules/topics.ts'
import { ownText } from '../text/own-text.ts'

/** Older clients send this if the user gave no topic. */
const NO_TOPIC = '(no topic)'

/** A topic as stored: trimmed, with both names of the empty topic read as empty. */
export function parseTopic(text: string): string {
  const topic = ownText(text.trim(), text)
  return topic === NO_TOPIC || topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic
}
