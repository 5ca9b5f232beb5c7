/** The destination of messages that are written in a view. */

import type { Narrow } from '../../store/narrows/narrow.ts'
import type { Destination } from '../../store/outbox/stored-entry.ts'

/** The start of a destination: the topic may be open, as in the view of a whole channel. */
export type StartedDestination =
  | Destination
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: undefined }

/** Undefined if a narrow is no place to write to, such as a search. */
export function destinationOf(narrow: Narrow): StartedDestination | undefined {
  let channelId: number | undefined
  let topic: string | undefined
  for (const { operator, operand, isNegated } of narrow) {
    if (isNegated) return undefined
    if (operator === 'dm' && narrow.length === 1) return { type: 'direct', userIds: operand }
    if (operator === 'channel' && typeof operand === 'number') channelId = operand
    else if (operator === 'topic') topic = operand
    else return undefined
  }
  return channelId === undefined ? undefined : { type: 'channel', channelId, topic }
}
