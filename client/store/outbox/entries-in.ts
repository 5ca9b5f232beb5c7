/** The messages on their way to a narrow. */

import type { Narrow } from '../narrows/narrow.ts'
import type { Destination, OutboxEntry } from './outbox-entry.ts'

export function entriesIn(narrow: Narrow, entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  return entries.filter(({ to }) => isIn(narrow, to))
}

/** Whether a message to a destination belongs to a narrow of one conversation or channel. */
function isIn(narrow: Narrow, to: Destination): boolean {
  return narrow.every(({ operator, operand }) => {
    if (operator === 'channel') return to.type === 'channel' && to.channelId === operand
    if (operator === 'topic') return to.type === 'channel' && to.topic.toLowerCase() === operand.toLowerCase()
    if (operator === 'dm') return to.type === 'direct' && to.userIds.join() === operand.join()
    return false
  })
}
