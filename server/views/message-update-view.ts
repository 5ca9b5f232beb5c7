/** Edits and moves of messages as events, with the flags of each recipient. */

import { derived } from '../domain/messages/derived.ts'
import type { MessageRendered, MessagesUpdated } from '../domain/events/messages.ts'
import type { UserId } from '../domain/ids.ts'
import { MESSAGE_FLAGS, mentionFlagsOf } from '../domain/messages/message-flags.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { TOPIC_LINK, viewTopicLinks } from './topic-links-view.ts'
import {
  arrayOf,
  BOOLEAN,
  INTEGER,
  oneOf,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'

/** Schema of `viewMessageUpdate`: the optional fields belong to edits of the content and to moves. */
export const MESSAGE_UPDATE = record(
  {
    type: oneOf('update_message'),
    user_id: orNull(INTEGER),
    rendering_only: BOOLEAN,
    message_id: INTEGER,
    message_ids: arrayOf(INTEGER),
    flags: arrayOf(STRING),
    edit_timestamp: INTEGER,
  },
  {
    stream_id: INTEGER,
    stream_name: STRING,
    orig_content: STRING,
    orig_rendered_content: STRING,
    content: STRING,
    rendered_content: STRING,
    is_me_message: BOOLEAN,
    orig_subject: STRING,
    propagate_mode: oneOf('change_one', 'change_later', 'change_all'),
    subject: STRING,
    topic_links: arrayOf(TOPIC_LINK),
    new_stream_id: INTEGER,
  },
)

/** The event without its id. */
export function viewMessageUpdate(
  { type, messageId, messageIds, channelId, channelName, userId, editedAt, content, move }: MessagesUpdated,
  flags: readonly string[],
  state: OrganizationState,
  { allowEmptyTopic }: { readonly allowEmptyTopic: boolean },
): ValueOf<typeof MESSAGE_UPDATE> {
  const shown = (topic: string) => (allowEmptyTopic ? topic : topicDisplayName(topic))
  return {
    type,
    user_id: userId,
    rendering_only: false,
    message_id: messageId,
    message_ids: messageIds,
    flags,
    edit_timestamp: editedAt,
    ...(channelId === null || channelName === null ? {} : { stream_id: channelId, stream_name: channelName }),
    ...(content
      ? {
          orig_content: content.previous,
          orig_rendered_content: content.previousRendered,
          content: content.content,
          rendered_content: content.rendered,
          is_me_message: content.content.startsWith('/me '),
        }
      : {}),
    ...(move
      ? {
          orig_subject: shown(move.previousTopic),
          propagate_mode: move.mode,
          // Only changed fields are present.
          ...(move.topic === move.previousTopic
            ? {}
            : { subject: shown(move.topic), topic_links: viewTopicLinks(move.topic, state) }),
          ...(move.toChannel ? { new_stream_id: move.toChannel.channelId } : {}),
        }
      : {}),
  }
}

/** The same for new previews: nobody has edited the message. */
export function viewRendering(
  { messageId, channelId, channelName, renderedAt, content, rendered }: MessageRendered,
  flags: readonly string[],
): ValueOf<typeof MESSAGE_UPDATE> {
  return {
    type: 'update_message',
    user_id: null,
    rendering_only: true,
    message_id: messageId,
    message_ids: [messageId],
    flags,
    edit_timestamp: renderedAt,
    ...(channelId === null || channelName === null ? {} : { stream_id: channelId, stream_name: channelName }),
    content,
    rendered_content: rendered,
    is_me_message: content.startsWith('/me '),
  }
}

/** An update of a message, whose flags each recipient gets. */
type Update = MessagesUpdated | MessageRendered

interface DecodedHolders {
  readonly unread: UserSet
  readonly starred: UserSet
  readonly collapsed: UserSet
  readonly historical: UserSet
}

/** The sum of an updated message's flags for a user. */
export function updateFlagsOf(event: Update, userId: UserId): number {
  const { unread, starred, collapsed, historical } = decodeHolders(event)
  const { mentions = [], isForAll = false } = event
  return (
    (unread.has(userId) ? 0 : MESSAGE_FLAGS.read) |
    (starred.has(userId) ? MESSAGE_FLAGS.starred : 0) |
    (collapsed.has(userId) ? MESSAGE_FLAGS.collapsed : 0) |
    (historical.has(userId) ? MESSAGE_FLAGS.historical : mentionFlagsOf({ mentions, isForAll }, userId))
  )
}

/** The sets of users in an event, decoded once for all recipients. */
const decodeHolders = derived(
  ({ holders: { unread, starred, collapsed, historical = '' } }: Update): DecodedHolders => ({
    unread: UserSet.decode(unread),
    starred: UserSet.decode(starred),
    collapsed: UserSet.decode(collapsed),
    historical: UserSet.decode(historical),
  }),
)
