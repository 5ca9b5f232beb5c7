/** The conversation of a message as a text, from which the server and the client make the same mark of a notification. */

import { topicKey } from './topics.ts'

/** The conversation of a message: a topic of a channel, or the people of direct messages, the reader included. */
export type ConversationPlace =
  | { readonly channelId: number; readonly topic: string }
  | { readonly userIds: readonly number[] }

/** The same text for all messages of a conversation, and for no other conversation. */
export function conversationText(place: ConversationPlace): string {
  if ('userIds' in place) return `dm ${place.userIds.toSorted((a, b) => a - b).join()}`
  return `channel ${place.channelId} ${topicKey(place.topic)}`
}
