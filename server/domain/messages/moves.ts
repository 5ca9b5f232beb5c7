/** The former channels of messages. */

import type { ChannelId, EventId } from '../ids.ts'

/** One channel that a message was in, and the event that moved it there. */
export interface Stay {
  readonly channelId: ChannelId
  readonly placedId: EventId
}

/** The moves of a message to its present channel. */
export interface Moves {
  /** The event that moved it to its present channel. */
  readonly placedId: EventId
  /** Its former channels, the first one first. */
  readonly passed: readonly Stay[]
}
