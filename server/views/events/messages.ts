/** What clients are told of what happens to messages. */

import type { MessageEvent, MessageSent, ReactionEvent, UnreadDetails } from '../../domain/events/messages.ts'
import { flagNames } from '../../domain/message-flags.ts'
import { topicDisplayName } from '../../domain/topics.ts'
import { viewMessageUpdate } from '../message-update-view.ts'
import { encodeMessage, messageOf, viewReaction, viewReactor, viewSubmessage } from '../message-view.ts'
import { type EventContext, type EventViews, opOf } from './event-context.ts'

/** A message that was sent, as JSON text. `channelName` is what its channel was called then. */
export function encodeMessageEvent(
  event: MessageSent,
  { id, state, options, recipient }: EventContext,
  channelName: string | undefined,
): string {
  const localId = recipient.localId === null ? '' : `,"local_message_id":${JSON.stringify(recipient.localId)}`
  return (
    `{"id":${id},"type":"message","flags":${JSON.stringify(flagNames(recipient.flags))},` +
    `"message":${encodeMessage(messageOf(id, event), state, { ...options, viewerId: recipient.userId }, channelName)}}${localId}}`
  )
}

/** What is told of a deletion: of one message, or of several at once. */
function viewDeletion(
  event: Extract<MessageEvent, { type: `delete_message${string}` }>,
  { options }: EventContext,
): object {
  const { channelId: stream_id } = event
  const topic = options.allowEmptyTopic ? event.topic : topicDisplayName(event.topic)
  return {
    type: 'delete_message',
    ...(stream_id === null ? { message_type: 'private' } : { message_type: 'stream', stream_id, topic }),
    ...('messageId' in event ? { message_id: event.messageId } : { message_ids: event.messageIds }),
  }
}

function viewReactionEvent(event: ReactionEvent, { state, options, recipient }: EventContext): object {
  const { user_id, ...emoji } = viewReaction(event)
  const reaction = { type: 'reaction', op: opOf(event.type), message_id: event.messageId, ...emoji, user_id }
  if (options.namesReactors !== true) return reaction
  return { ...reaction, user: { user_id, ...viewReactor(user_id, recipient.userId, state) } }
}

/** The views of what happens to messages. */
export const MESSAGE_EVENT_VIEWS: EventViews<MessageEvent> = {
  delete_message: viewDeletion,
  'delete_message/hidden': viewDeletion,
  'delete_message/single': viewDeletion,
  'reaction/add': viewReactionEvent,
  'reaction/remove': viewReactionEvent,
  submessage: (event, { id }) => {
    const { id: submessage_id, ...submessage } = viewSubmessage({ ...event, id, type: 'widget' })
    return { type: event.type, submessage_id, ...submessage }
  },
  update_message: (event, { recipient, state, options }) =>
    viewMessageUpdate(event, flagNames(recipient.flags), state, options),
  update_message_flags: ({ type, op, flag, messages, isAll = false, details }, { options }) => ({
    type,
    op,
    operation: op,
    flag,
    messages: messages.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b),
    all: isAll,
    ...(details ? { message_details: viewUnreadDetails(details, options.allowEmptyTopic) } : {}),
  }),
}

function viewUnreadDetails(details: readonly UnreadDetails[], allowEmptyTopic: boolean) {
  return Object.fromEntries(
    details.map(({ messageId, isMentioned, userIds, channelId, topic }) => [
      messageId,
      {
        ...(isMentioned ? { mentioned: true } : {}),
        ...(userIds === null
          ? {
              type: 'stream',
              stream_id: channelId,
              topic: allowEmptyTopic ? topic : topicDisplayName(topic),
              unmuted_stream_msg: true,
            }
          : { type: 'private', user_ids: userIds }),
      },
    ]),
  )
}
