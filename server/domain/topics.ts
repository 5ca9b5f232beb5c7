/** Topic names. */

import { foldCase } from './fold-case.ts'
import { ownText } from './own-text.ts'

/** How an empty topic is told to a client that does not know of empty ones. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'
/** What older clients send where no topic was given. */
const NO_TOPIC = '(no topic)'

/** What a resolved topic begins with. */
export const RESOLVED_PREFIX = '✔ '
/** All of it, where it was put there several times. */
const RESOLVED_START = /^✔ [ ✔]*/

/** A topic as stored: trimmed, with both names of the empty topic read as empty. */
export function parseTopic(text: string): string {
  const topic = ownText(text.trim(), text)
  return topic === NO_TOPIC || topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic
}

export function topicDisplayName(topic: string): string {
  return topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic
}

/** What two spellings of the same topic share. */
export function topicKey(topic: string): string {
  return foldCase(topic)
}

/** Whether a new name of a topic says that it is resolved, or no longer, and nothing else. */
export function findResolution(previous: string, now: string): 'resolved' | 'unresolved' | undefined {
  if (previous.startsWith(RESOLVED_PREFIX)) {
    return now === previous.replace(RESOLVED_START, '') ? 'unresolved' : undefined
  }
  return previous !== '' && now === RESOLVED_PREFIX + previous ? 'resolved' : undefined
}
