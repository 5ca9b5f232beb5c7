/** Places: one number for a channel or a conversation. */

import type { Message } from '../entities.ts'
import type { ChannelId, ConversationId } from '../ids.ts'

declare const brand: unique symbol
/** Twice a channel's id, or twice a conversation's plus one; on the wire a `recipient_id`. */
export type Place = number & { readonly [brand]: 'place' }

/** All places together. */
export const EVERYWHERE = 0 as Place

export function placeOfChannel(id: ChannelId): Place {
  return (id * 2) as Place
}

function placeOfConversation(id: ConversationId): Place {
  return (id * 2 + 1) as Place
}

/** The place where the message was sent, which stores its read flags. */
export function placeWhereSent({ destination, moves }: Pick<Message, 'destination' | 'moves'>): Place {
  if (destination.kind === 'direct') return placeOfConversation(destination.conversationId)
  return placeOfChannel(moves?.passed[0]?.channelId ?? destination.channelId)
}
