/** Names of topics, and how a user wants to be notified of them. */

import { foldCase } from './fold-case.ts'

/** Name of the empty topic for clients that do not support it, and for people. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

/** The prefix of resolved topics. */
export const RESOLVED_PREFIX = '✔ '
/** The whole prefix, even if it is repeated. */
const RESOLVED_START = /^✔ [ ✔]*/

export function topicDisplayName(topic: string): string {
  return topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic
}

/** Two spellings of the same topic have the same key. */
export const topicKey = foldCase

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX)
}

/** The name without the mark of resolved topics, however often it stands there. */
export function unresolvedName(topic: string): string {
  return topic.replace(RESOLVED_START, '')
}

/** The name of a topic after it is resolved, or opened again. */
export function toggleResolved(topic: string): string {
  return isResolved(topic) ? unresolvedName(topic) : RESOLVED_PREFIX + topic
}

/** Whether a rename only resolves or unresolves a topic. The topic without a name is never resolved. */
export function findResolution(previous: string, now: string): 'resolved' | 'unresolved' | undefined {
  if (previous === '' || now !== toggleResolved(previous)) return undefined
  return isResolved(previous) ? 'unresolved' : 'resolved'
}

/** How visible a user wants a topic, by its wire number: `inherit` follows its channel. */
export const TOPIC_VISIBILITIES = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type TopicVisibility = (typeof TOPIC_VISIBILITIES)[keyof typeof TOPIC_VISIBILITIES]

/** Whether a topic is muted, by itself or by its channel. */
export function isTopicMuted(visibility: number, isChannelMuted: boolean): boolean {
  return visibility === TOPIC_VISIBILITIES.inherit ? isChannelMuted : visibility === TOPIC_VISIBILITIES.muted
}
