/** Places: where messages are sent, as one number for channels and conversations alike. */

import type { Message } from './entities.ts'
import type { ChannelId, ConversationId, EventId } from './ids.ts'

declare const brand: unique symbol
/** Twice a channel's id, or twice a conversation's and one; on the wire a `recipient_id`. */
export type Place = number & { readonly [brand]: 'place' }

/** Every place together. */
export const EVERYWHERE = 0 as Place

export function placeOfChannel(id: ChannelId): Place {
  return (id * 2) as Place
}

function placeOfConversation(id: ConversationId): Place {
  return (id * 2 + 1) as Place
}

/** One channel that a message was in, and the event that brought it there. */
export interface Stay {
  readonly channelId: ChannelId
  readonly placedId: EventId
}

/** How a message came to be where it is, if it was not sent there. */
export interface Moves {
  /** The event that brought it where it is. */
  readonly placedId: EventId
  /** Where it was before, the channel it was sent to first. */
  readonly passed: readonly Stay[]
}

/** The place that keeps whether a message is read. */
export function placeWhereSent({ destination, moves }: Pick<Message, 'destination' | 'moves'>): Place {
  if (destination.kind === 'direct') return placeOfConversation(destination.conversationId)
  return placeOfChannel(moves?.passed[0]?.channelId ?? destination.channelId)
}
