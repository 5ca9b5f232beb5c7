/** Who types where, as events tell of it. */

import type { EditTypingEvent, TypingEvent } from '../domain/events/presence.ts'
import type { UserId } from '../domain/ids.ts'
import { topicDisplayName } from '../domain/topics.ts'
import type { OrganizationState } from '../state/organization-state.ts'

interface TopicOptions {
  readonly allowEmptyTopic: boolean
}

/** What a client is told of somebody who types a message. */
export function viewTyping(
  { senderId, place }: TypingEvent,
  state: OrganizationState,
  options: TopicOptions,
): Record<string, unknown> {
  const view = (user_id: UserId) => ({ user_id, email: state.apiEmailOf(state.getUser(user_id)) })
  const sender = view(senderId)
  if (place.kind === 'direct') return { message_type: 'direct', sender, recipients: place.userIds.map(view) }
  return { message_type: 'stream', sender, stream_id: place.channelId, topic: shown(place.topic, options) }
}

/** What a client is told of somebody who edits a message. */
export function viewEditTyping(
  { senderId, messageId, place }: EditTypingEvent,
  options: TopicOptions,
): Record<string, unknown> {
  const recipient =
    place.kind === 'direct'
      ? { type: 'direct', user_ids: place.userIds }
      : { type: 'channel', channel_id: place.channelId, topic: shown(place.topic, options) }
  return { sender_id: senderId, message_id: messageId, recipient }
}

function shown(topic: string, { allowEmptyTopic }: TopicOptions): string {
  return allowEmptyTopic ? topic : topicDisplayName(topic)
}
