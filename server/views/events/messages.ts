/** The events of messages, as clients get them. */

import type { MessageEvent, MessageSent, ReactionEvent, UnreadDetails } from '../../domain/events/messages.ts'
import { flagNames } from '../../domain/messages/message-flags.ts'
import { topicDisplayName } from '../../../packages/rules/topics.ts'
import { MESSAGE_UPDATE, viewMessageUpdate } from '../message-update-view.ts'
import {
  encodeMessage,
  messageOf,
  REACTION_FIELDS,
  SENT_MESSAGE,
  viewReaction,
  viewReactor,
  viewSubmessage,
} from '../message-view.ts'
import { type EventContext, eventOf, type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import {
  arrayOf,
  BOOLEAN,
  describe,
  INTEGER,
  mapOf,
  oneOf,
  record,
  STRING,
  type ValueOf,
} from '../../domain/json-schema.ts'

const DELETION_FIELDS = { message_type: oneOf('private', 'stream') }
const DELETION_PLACE_FIELDS = { stream_id: INTEGER, topic: STRING }
const REACTION_EVENT_FIELDS = { message_id: INTEGER, ...REACTION_FIELDS }
/** Only for clients that use the existing spellings. */
const REACTION_USER_FIELDS = {
  user: record({ user_id: INTEGER, email: STRING, full_name: STRING, is_mirror_dummy: BOOLEAN }),
}
const SEVERAL_DELETED = eventOf(
  'delete_message',
  'Messages were deleted, or the user lost access to them.',
  { ...DELETION_FIELDS, message_ids: arrayOf(INTEGER) },
  DELETION_PLACE_FIELDS,
)
const UNREAD_DETAILS = record(
  { type: oneOf('stream', 'private') },
  {
    mentioned: BOOLEAN,
    user_ids: arrayOf(INTEGER),
    stream_id: INTEGER,
    topic: STRING,
    unmuted_stream_msg: BOOLEAN,
  },
)

/** The events of messages. */
export const MESSAGE_EVENTS = {
  message: eventOf(
    'message',
    'A message was sent.',
    { flags: arrayOf(STRING), message: SENT_MESSAGE },
    { local_message_id: STRING },
  ),
  delete_message: SEVERAL_DELETED,
  'delete_message/hidden': SEVERAL_DELETED,
  'delete_message/single': eventOf(
    'delete_message',
    'A message was deleted; for clients without `bulk_message_deletion`.',
    { ...DELETION_FIELDS, message_id: INTEGER },
    DELETION_PLACE_FIELDS,
  ),
  'reaction/add': opEventOf(
    'reaction/add',
    'A user reacted to a message.',
    REACTION_EVENT_FIELDS,
    REACTION_USER_FIELDS,
  ),
  'reaction/remove': opEventOf(
    'reaction/remove',
    'A user removed a reaction.',
    REACTION_EVENT_FIELDS,
    REACTION_USER_FIELDS,
  ),
  submessage: eventOf('submessage', 'A user answered a poll or changed a to-do list.', {
    submessage_id: INTEGER,
    message_id: INTEGER,
    sender_id: INTEGER,
    msg_type: STRING,
    content: STRING,
  }),
  update_message: describe(MESSAGE_UPDATE, 'Messages were edited, moved, or rendered anew.'),
  update_message_flags: eventOf(
    'update_message_flags',
    'Flags of messages changed for the user.',
    {
      op: oneOf('add', 'remove'),
      operation: oneOf('add', 'remove'),
      flag: STRING,
      messages: arrayOf(INTEGER),
      all: BOOLEAN,
    },
    { message_details: mapOf(UNREAD_DETAILS) },
  ),
} satisfies EventSchemas<MessageEvent>

/** A sent message, as JSON text. `channelName` is the channel's name at that time. */
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

type DeletionEvent = Extract<MessageEvent, { type: `delete_message${string}` }>

/** The place of deleted messages. */
function viewDeletionPlace({ channelId: stream_id, topic }: DeletionEvent, { options }: EventContext) {
  if (stream_id === null) return { message_type: 'private' as const }
  const shown = options.allowEmptyTopic ? topic : topicDisplayName(topic)
  return { message_type: 'stream' as const, stream_id, topic: shown }
}

function viewDeletions(
  event: Extract<DeletionEvent, { readonly messageIds: unknown }>,
  context: EventContext,
): ValueOf<typeof SEVERAL_DELETED> {
  return { type: 'delete_message', ...viewDeletionPlace(event, context), message_ids: event.messageIds }
}

function viewReactionEvent(event: ReactionEvent, { state, options, recipient }: EventContext) {
  const { user_id, ...emoji } = viewReaction(event, options.readsOriginalTypes)
  const reaction = { message_id: event.messageId, ...emoji, user_id }
  if (options.namesReactors !== true) return reaction
  return { ...reaction, user: { user_id, ...viewReactor(event.userId, recipient.userId, state) } }
}

/** The views of messages. */
export const MESSAGE_EVENT_VIEWS: EventViews<MessageEvent, typeof MESSAGE_EVENTS> = {
  delete_message: viewDeletions,
  'delete_message/hidden': viewDeletions,
  'delete_message/single': (event, context) => ({
    type: 'delete_message',
    ...viewDeletionPlace(event, context),
    message_id: event.messageId,
  }),
  'reaction/add': (event, context) => ({
    type: 'reaction',
    op: 'add',
    ...viewReactionEvent(event, context),
  }),
  'reaction/remove': (event, context) => ({
    type: 'reaction',
    op: 'remove',
    ...viewReactionEvent(event, context),
  }),
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

function viewUnreadDetails(
  details: readonly UnreadDetails[],
  allowEmptyTopic: boolean,
): Readonly<Record<string, ValueOf<typeof UNREAD_DETAILS>>> {
  return Object.fromEntries(
    details.map(({ messageId, isMentioned, userIds, channelId, topic }) => [
      messageId,
      {
        ...(isMentioned ? { mentioned: true } : {}),
        ...(channelId !== null
          ? {
              type: 'stream',
              stream_id: channelId,
              topic: allowEmptyTopic ? topic : topicDisplayName(topic),
              unmuted_stream_msg: true,
            }
          : { type: 'private', user_ids: userIds ?? [] }),
      },
    ]),
  )
}
