/** Messages, and what happens to them. */

import { topicDisplayName } from '../../packages/rules/topics.ts'
import { deleteMessages } from '../../db/messages/message-deletion.ts'
import { storeImportedRun } from '../../db/messages/imported-messages.ts'
import { storeRendering } from '../../db/messages/link-previews.ts'
import { storeMessageUpdate } from '../../db/messages/message-edits.ts'
import { storeMessage } from '../../db/messages/messages.ts'
import { removeReaction, storeReaction } from '../../db/messages/reactions.ts'
import { storeSubmessage } from '../../db/messages/submessages.ts'
import { forgetMarks, forgetMovedUnread, storeFlags } from '../../db/unread/read-marks.ts'
import { toUsers } from '../audience/notifier.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import type { MessageFact, MessageNotice, ReactionEvent, UnreadDetails } from '../domain/events/messages.ts'
import type { MessageId } from '../domain/ids.ts'
import {
  arrayOf,
  BOOLEAN,
  describe,
  INTEGER,
  mapOf,
  oneOf,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'
import { flagNames } from '../domain/messages/message-flags.ts'
import { countMessage } from '../domain/messages/weekly-traffic.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { addCounts, moveMessages } from '../state/message-counts.ts'
import { MESSAGE_UPDATE, viewMessageUpdate, viewRendering } from '../views/message-update-view.ts'
import {
  encodeMessage,
  messageOf,
  REACTION_FIELDS,
  SENT_MESSAGE,
  viewReaction,
  viewReactor,
  viewSubmessage,
} from '../views/message-view.ts'
import { audited } from './audited.ts'
import { type Entries, fact, NAMED_BY_DECISION, notice } from './entry.ts'
import { type EventContext, eventSchema, shown, shownAs, shownWhole, type View } from './view.ts'

const IDS = arrayOf(INTEGER)
const DELETION_FIELDS = { message_type: oneOf('private', 'stream') }
const DELETION_PLACE_FIELDS = { stream_id: INTEGER, topic: STRING }

type DeletionEvent = EventOf<'delete_message' | 'delete_message/hidden' | 'delete_message/single'>

/** The place of deleted messages. */
function viewDeletionPlace({ channelId: stream_id, topic }: DeletionEvent, { options }: EventContext) {
  if (stream_id === null) return { message_type: 'private' as const }
  return { message_type: 'stream' as const, stream_id, topic: shownTopic(topic, options) }
}

const shownTopic = (topic: string, { allowEmptyTopic }: { readonly allowEmptyTopic: boolean }) =>
  allowEmptyTopic ? topic : topicDisplayName(topic)

const DELETED = shownAs(
  'delete_message',
  'Messages were deleted, or the user lost access to them.',
  record({ ...DELETION_FIELDS, message_ids: IDS }, DELETION_PLACE_FIELDS),
  (event: EventOf<'delete_message' | 'delete_message/hidden'>, context) => ({
    ...viewDeletionPlace(event, context),
    message_ids: event.messageIds,
  }),
)

const reactionView = (description: string): View<ReactionEvent> =>
  shown(
    description,
    record(
      { message_id: INTEGER, ...REACTION_FIELDS },
      // Only for clients that use the existing spellings.
      { user: record({ user_id: INTEGER, email: STRING, full_name: STRING, is_mirror_dummy: BOOLEAN }) },
    ),
    (event, { state, options, recipient }) => {
      const { user_id, ...emoji } = viewReaction(event, options.readsOriginalTypes)
      const reaction = { message_id: event.messageId, ...emoji, user_id }
      if (options.namesReactors !== true) return reaction
      return { ...reaction, user: { user_id, ...viewReactor(event.userId, recipient.userId, state) } }
    },
  )

const UNREAD_DETAILS = record(
  { type: oneOf('stream', 'private') },
  { mentioned: BOOLEAN, user_ids: IDS, stream_id: INTEGER, topic: STRING, unmuted_stream_msg: BOOLEAN },
)

function viewUnreadDetails(
  details: readonly UnreadDetails[],
  options: { readonly allowEmptyTopic: boolean },
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
              topic: shownTopic(topic, options),
              unmuted_stream_msg: true,
            }
          : { type: 'private', user_ids: userIds ?? [] }),
      },
    ]),
  )
}

/** Subscribers of the channel as of the message's number, or the partners of the conversation. */
function toReceivers(event: EventOf<'message'>): NewEvent {
  const { channelId, userIds } = event
  if (channelId !== null) return { event, audience: { kind: 'subscribers', channelId } }
  return { event, audience: toUsers(UserSet.of(userIds ?? [])) }
}

export const MESSAGE_EVENTS: Entries<MessageFact | MessageNotice> = {
  message: fact({
    audience: (facts) => facts.map(toReceivers),
    isStructural: false,
    apply(state, { channelId, userIds, sentAt }, id) {
      if (userIds !== null) state.placeConversation(userIds)
      if (channelId === null) return
      const channel = state.channelToChange(channelId)
      channel.firstMessageId ??= id as number as MessageId
      channel.lastMessageAt = sentAt
      countMessage(channel.dailyCounts, sentAt)
    },
    store: storeMessage,
    storeRun: storeImportedRun,
    view: {
      schemaOf: (kind) =>
        eventSchema(
          kind,
          'A message was sent.',
          record({ flags: arrayOf(STRING), message: SENT_MESSAGE }, { local_message_id: STRING }),
        ),
      encode(event, { id, state, options, recipient, channelNameAtEvent }, head) {
        const { flags, localId, userId: viewerId } = recipient
        const message = encodeMessage(
          messageOf(id, event),
          state,
          { ...options, viewerId },
          channelNameAtEvent,
        )
        const mark = localId === null ? '' : `,"local_message_id":${JSON.stringify(localId)}`
        return `{"id":${id},${head},"flags":${JSON.stringify(flagNames(flags))},"message":${message}}${mark}}`
      },
    },
  }),
  delete_message: fact({
    audience: NAMED_BY_DECISION,
    apply(state, { channelId, firstMessageId, lastMessageAt, countsByDay }) {
      if (channelId === null) return
      const channel = state.channelToChange(channelId)
      channel.firstMessageId = firstMessageId
      if (lastMessageAt !== undefined) channel.lastMessageAt = lastMessageAt
      addCounts(channel.dailyCounts, countsByDay, -1)
    },
    store: (writes, _, event) => deleteMessages(writes, event),
    view: DELETED,
    audit: audited(
      ({ channelId, messageIds }) => ({ channelId, messageIds }),
      record({ stream_id: orNull(INTEGER), message_ids: IDS }),
      ({ channelId, messageIds }) => ({ stream_id: channelId, message_ids: messageIds }),
    ),
  }),
  'delete_message/hidden': fact({
    audience: NAMED_BY_DECISION,
    store(writes, _, { messageIds }, audience) {
      if (audience.kind === 'users') forgetMarks(writes, messageIds, audience.users.toArray())
    },
    view: DELETED,
  }),
  'delete_message/single': notice({
    view: shownAs(
      'delete_message',
      'A message was deleted; for clients without `bulk_message_deletion`.',
      record({ ...DELETION_FIELDS, message_id: INTEGER }, DELETION_PLACE_FIELDS),
      (event, context) => ({ ...viewDeletionPlace(event, context), message_id: event.messageId }),
    ),
  }),
  update_message: fact({
    audience: NAMED_BY_DECISION,
    isStructural: ({ move }) => move?.toChannel !== undefined,
    apply(state, { channelId, move }) {
      if (channelId !== null && move?.toChannel) moveMessages(state, channelId, move.toChannel)
    },
    store(writes, id, event) {
      storeMessageUpdate(writes, id, event)
      const { messageIds, move } = event
      if (move?.toChannel) forgetMovedUnread(writes, messageIds, move.toChannel.channelId)
    },
    view: shownWhole(
      describe(MESSAGE_UPDATE, 'Messages were edited, moved, or rendered anew.'),
      (event, { recipient, state, options }) =>
        viewMessageUpdate(event, flagNames(recipient.flags), state, options),
    ),
    audit: audited(
      ({ channelId, messageIds, move }) =>
        move && {
          channelId,
          messageIds,
          toChannelId: move.toChannel?.channelId ?? channelId,
          hasNewTopic: move.topic !== move.previousTopic,
        },
      record({
        stream_id: orNull(INTEGER),
        new_stream_id: orNull(INTEGER),
        topic_changed: BOOLEAN,
        message_ids: IDS,
      }),
      ({ channelId, messageIds, toChannelId, hasNewTopic }) => ({
        stream_id: channelId,
        new_stream_id: toChannelId,
        topic_changed: hasNewTopic,
        message_ids: messageIds,
      }),
    ),
  }),
  'update_message/rendering': fact({
    audience: NAMED_BY_DECISION,
    isStructural: false,
    store: (writes, _, event) => storeRendering(writes, event),
    view: shownWhole(
      describe(MESSAGE_UPDATE, 'Messages were edited, moved, or rendered anew.'),
      (event, { recipient }) => viewRendering(event, flagNames(recipient.flags)),
    ),
  }),
  update_message_flags: fact({
    isStructural: false,
    apply(state, { flag, userId }) {
      if (flag === 'starred') state.listOwners.add('starredMessages', [userId])
    },
    store: storeFlags,
    view: shown(
      'Flags of messages changed for the user.',
      record(
        {
          op: oneOf('add', 'remove'),
          operation: oneOf('add', 'remove'),
          flag: STRING,
          messages: IDS,
          all: BOOLEAN,
        },
        { message_details: mapOf(UNREAD_DETAILS) },
      ),
      ({ op, flag, messages, isAll = false, details }, { options }) => ({
        op,
        operation: op,
        flag,
        messages: messages.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b),
        all: isAll,
        ...(details ? { message_details: viewUnreadDetails(details, options) } : {}),
      }),
    ),
  }),
  'reaction/add': fact({
    audience: NAMED_BY_DECISION,
    store: storeReaction,
    view: reactionView('A user reacted to a message.'),
  }),
  'reaction/remove': fact({
    audience: NAMED_BY_DECISION,
    store: (writes, _, event) => removeReaction(writes, event),
    view: reactionView('A user removed a reaction.'),
  }),
  submessage: fact({
    audience: NAMED_BY_DECISION,
    store: storeSubmessage,
    view: shown(
      'A user answered a poll or changed a to-do list.',
      record({
        submessage_id: INTEGER,
        message_id: INTEGER,
        sender_id: INTEGER,
        msg_type: STRING,
        content: STRING,
      }),
      (event, { id }) => {
        const { id: submessage_id, ...submessage } = viewSubmessage({ ...event, id, type: 'widget' })
        return { submessage_id, ...submessage }
      },
    ),
  }),
}
