/** Typing notifications. */

import { readReceivers } from '../../../db/messages/single-message.ts'
import { findOpenMessage } from '../../changes/messages/find-message.ts'
import {
  decideEditTyping,
  decideTyping,
  EDIT_TYPING_ERRORS,
  TYPING_ERRORS,
  type TypingRequest,
} from '../../decisions/typing/notify-typing.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { change } from '../change-operation.ts'
import { defaulted, id, list, oneOf, optional, required, text } from '../params.ts'
import { hasMessages } from '../../../db/messages/topics.ts'
import { needsKnownConversation } from '../../decisions/messages/recipients.ts'
import type { User } from '../../domain/entities.ts'
import { TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import { parseTopic } from '../../domain/messages/topics.ts'
import type { Services } from '../services.ts'

/** `POST /messages/{message_id}/typing`: notifies readers that the sender edits their message. */
export const sendEditTyping = change({
  method: 'POST',
  path: '/messages/{message_id}/typing',
  summary: 'Send a typing notification for an edit',
  description:
    'Notifies the readers of a message that its sender starts or stops to edit it. As with typing, this works only in ' +
    'channels with few subscribers.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    op: required(oneOf('start', 'stop'), 'Whether the user starts or stops the edit.'),
  },
  reply: {},
  errors: EDIT_TYPING_ERRORS,
  events: ['typing_edit_message/start', 'typing_edit_message/stop'],
  async prepare({ params, user, services, fail }) {
    const found = await findOpenMessage(services, { caller: user, fail }, params.message_id)
    const { id: messageId, destination } = found.message
    // Also checked in an open channel: its history may be hidden before the decision.
    const receiverIds =
      destination.kind === 'channel'
        ? await readReceivers(services.sql, destination.channelId, messageId)
        : undefined
    return { op: params.op, found, receiverIds }
  },
  decide: decideEditTyping,
})

/** Ids in one list: above the limit of a conversation, so that longer lists get its error. */
const IDS_MAX = 1_000

/** `POST /typing`: notifies others that the user types a message. */
export const sendTyping = change({
  method: 'POST',
  path: '/typing',
  summary: 'Send a typing notification',
  description:
    'Notifies the other users of a conversation, or the subscribers of a small channel, that the user starts ' +
    'or stops typing. It is not stored, and users can disable it.',
  access: 'user',
  params: {
    type: defaulted(
      oneOf('direct', 'stream', 'channel'),
      'direct',
      'The kind of recipient: `channel` (or `stream`), or `direct`.',
    ),
    op: required(oneOf('start', 'stop'), 'Whether the user starts or stops typing.'),
    to: optional(list(id<UserId>(), { lengthMax: IDS_MAX }), 'The recipients of direct messages.'),
    stream_id: optional(id<ChannelId>(), 'The channel, for its messages.'),
    topic: optional(text({ lengthMax: TOPIC_LENGTH_MAX }), 'The topic there.'),
  },
  reply: {},
  errors: [...TYPING_ERRORS, 'RECIPIENT_LIST_EMPTY'],
  events: ['typing/start', 'typing/stop'],
  async prepare({ params, user, services, fail }): Promise<TypingRequest> {
    const { op } = params
    if (params.type !== 'direct') {
      const { stream_id: channelId, topic } = params
      if (channelId === undefined) throw fail('PARAMETER_MISSING', { name: 'stream_id' })
      if (topic === undefined) throw fail('PARAMETER_MISSING', { name: 'topic' })
      return { op, place: { kind: 'channel', channelId, topic: parseTopic(topic) } }
    }
    if (params.to === undefined) throw fail('PARAMETER_MISSING', { name: 'to' })
    if (params.to.length === 0) throw fail('RECIPIENT_LIST_EMPTY')
    const userIds = [...new Set([...params.to, user.id])].sort((a, b) => a - b)
    const isKnown = await isConversationKnown(services, user, userIds)
    return { op, place: { kind: 'direct', userIds, isKnown } }
  },
  decide: decideTyping,
})

/** Whether a conversation has messages, if that matters for this user. */
async function isConversationKnown(
  { state, conversations, sql }: Services,
  caller: User,
  userIds: readonly UserId[],
): Promise<boolean> {
  const partners = userIds.flatMap((one) => state.users.get(one) ?? [])
  if (partners.length < userIds.length) return false // Unknown ids are refused, and may be out of the database's range.
  // If a user loses the right to start conversations now, the next notification is refused.
  if (!needsKnownConversation({ state, caller }, partners)) return false
  const conversationId = await conversations.find(userIds)
  return conversationId !== undefined && hasMessages(sql, conversationId)
}
