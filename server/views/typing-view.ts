/** Typing notifications as events. */

import type { EditTypingEvent, TypingEvent } from '../domain/events/presence.ts'
import type { UserId } from '../domain/ids.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { arrayOf, INTEGER, oneOf, record, STRING, type ValueOf } from '../domain/json-schema.ts'

interface TopicOptions {
  readonly allowEmptyTopic: boolean
}

const TYPIST = record({ user_id: INTEGER, email: STRING })

/** Schema of `viewTyping`. */
export const TYPING = record(
  { message_type: oneOf('direct', 'stream'), sender: TYPIST },
  { recipients: arrayOf(TYPIST), stream_id: INTEGER, topic: STRING },
)

/** Schema of `viewEditTyping`. */
export const EDIT_TYPING = record({
  sender_id: INTEGER,
  message_id: INTEGER,
  recipient: record(
    { type: oneOf('direct', 'channel') },
    { user_ids: arrayOf(INTEGER), channel_id: INTEGER, topic: STRING },
  ),
})

/** The event for a user who types a message. */
export function viewTyping(
  { senderId, place }: TypingEvent,
  state: OrganizationState,
  options: TopicOptions,
): ValueOf<typeof TYPING> {
  const view = (user_id: UserId) => ({ user_id, email: state.apiEmailOf(state.getUser(user_id)) })
  const sender = view(senderId)
  if (place.kind === 'direct') return { message_type: 'direct', sender, recipients: place.userIds.map(view) }
  return { message_type: 'stream', sender, stream_id: place.channelId, topic: shown(place.topic, options) }
}

/** The event for a user who edits a message. */
export function viewEditTyping(
  { senderId, messageId, place }: EditTypingEvent,
  options: TopicOptions,
): ValueOf<typeof EDIT_TYPING> {
  const recipient =
    place.kind === 'direct'
      ? { type: 'direct' as const, user_ids: place.userIds }
      : { type: 'channel' as const, channel_id: place.channelId, topic: shown(place.topic, options) }
  return { sender_id: senderId, message_id: messageId, recipient }
}

function shown(topic: string, { allowEmptyTopic }: TopicOptions): string {
  return allowEmptyTopic ? topic : topicDisplayName(topic)
}
