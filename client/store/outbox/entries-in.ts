/** The messages on their way to a narrow. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { matchNarrow } from '../messages/match-narrow.ts'
import { type Narrow, ofDirect, ofTopic } from '../narrows/narrow.ts'
import type { Destination, OutboxEntry } from './stored-entry.ts'

export function entriesIn(narrow: Narrow, entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  return entries.filter(({ to }) => isIn(narrow, to))
}

/** Whether a message to a destination belongs to a narrow of one conversation or channel. */
function isIn(narrow: Narrow, to: Destination): boolean {
  return narrow.every(({ operator, operand }) => {
    if (operator === 'channel') return to.type === 'channel' && to.channelId === operand
    if (operator === 'topic') return to.type === 'channel' && topicKey(to.topic) === topicKey(operand)
    if (operator === 'dm') return to.type === 'direct' && to.userIds.join() === operand.join()
    return false
  })
}

export function isSameDestination(one: Destination, other: Destination): boolean {
  return isIn(other.type === 'channel' ? ofTopic(other.channelId, other.topic) : ofDirect(other.userIds), one)
}

/** Whether a message has a destination. */
export function isTo(to: Destination, message: Message, ownId: number): boolean {
  const narrow = to.type === 'channel' ? ofTopic(to.channelId, to.topic) : ofDirect(to.userIds)
  return matchNarrow(narrow, message, ownId) === true
}
