/** Topic names. */

import { foldCase } from '../text/fold-case.ts'
import { ownText } from '../text/own-text.ts'

/** Name of the empty topic for clients that do not support it. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'
/** Older clients send this if the user gave no topic. */
const NO_TOPIC = '(no topic)'

/** The prefix of resolved topics. */
export const RESOLVED_PREFIX = '✔ '
/** The whole prefix, even if it is repeated. */
const RESOLVED_START = /^✔ [ ✔]*/

/** A topic as stored: trimmed, with both names of the empty topic read as empty. */
export function parseTopic(text: string): string {
  const topic = ownText(text.trim(), text)
  return topic === NO_TOPIC || topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic
}

export function topicDisplayName(topic: string): string {
  return topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic
}

/** Two spellings of the same topic have the same key. */
export function topicKey(topic: string): string {
  return foldCase(topic)
}

/** Whether a rename only resolves or unresolves a topic. */
export function findResolution(previous: string, now: string): 'resolved' | 'unresolved' | undefined {
  if (previous.startsWith(RESOLVED_PREFIX)) {
    return now === previous.replace(RESOLVED_START, '') ? 'unresolved' : undefined
  }
  return previous !== '' && now === RESOLVED_PREFIX + previous ? 'resolved' : undefined
}
