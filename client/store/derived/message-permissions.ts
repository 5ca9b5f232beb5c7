/** Permissions of the current user on one message, by the same rules as on the server, which decides. */

import type { GroupSetting, Message } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { channelsById } from './channels.ts'
import { holds, mayPost } from './permissions.ts'
import { usersById } from './users.ts'
import { isVisitor } from './visitor.ts'

/** The role of moderators; higher ranks have smaller numbers. */
const MODERATOR = 300
/** The prefix of the topics that are resolved. */
export const RESOLVED_PREFIX = '✔ '

/** Whether the user may change something about a message: nobody in an archived channel, and no visitor. */
export function isOpen(state: State, message: Message): boolean {
  if (isVisitor(state)) return false
  return message.stream_id === undefined || channelOf(state, message)?.is_archived === false
}

/** Whether the user may write to the conversation of a message. */
export function mayReply(state: State, message: Message): boolean {
  return message.stream_id === undefined || mayPost(state, message.stream_id)
}

/** Whether the user may change the text. */
export function mayEdit(state: State, message: Message, nowSeconds: number): boolean {
  return (
    isOpen(state, message) &&
    message.sender_id === state.user_id &&
    message.submessages.length === 0 &&
    state.realm_allow_message_editing === true &&
    !isLate(message, state.realm_message_content_edit_limit_seconds, nowSeconds)
  )
}

/** The last second in which the user may change the text; undefined without a limit. */
export function editableUntil(state: State, message: Message): number | undefined {
  const limit = state.realm_message_content_edit_limit_seconds
  return limit === null || limit === undefined ? undefined : message.timestamp + limit
}

/** Whether the user may delete the message for everybody. */
export function mayDelete(state: State, message: Message, nowSeconds: number): boolean {
  if (!isOpen(state, message)) return false
  const channel = channelOf(state, message)
  const isAllowed = (everywhere: GroupSetting | undefined, here: GroupSetting | undefined) =>
    holds(state, everywhere) || holds(state, here)
  const mayDeleteAny = isAllowed(
    state.realm_can_delete_any_message_group,
    channel?.can_delete_any_message_group,
  )
  if (mayDeleteAny && state.is_guest !== true) return true
  const isOwn =
    message.sender_id === state.user_id ||
    usersById(state).get(message.sender_id)?.bot_owner_id === state.user_id
  return (
    isOwn &&
    isAllowed(state.realm_can_delete_own_message_group, channel?.can_delete_own_message_group) &&
    !isLate(message, state.realm_message_content_delete_limit_seconds, nowSeconds)
  )
}

/** The messages of a topic that the user may move to another topic of the channel. */
export type MovableMessages = 'all' | 'own' | 'none'

export function movableToTopic(state: State, message: Message, nowSeconds: number): MovableMessages {
  const channel = channelOf(state, message)
  if (!channel || !isOpen(state, message)) return 'none'
  const limit = state.realm_move_messages_within_stream_limit_seconds
  if (!isModerator(state) && isLate(message, limit, nowSeconds)) return 'none'
  if (
    holds(state, state.realm_can_move_messages_between_topics_group) ||
    holds(state, channel.can_move_messages_within_channel_group)
  )
    return 'all'
  return message.sender_id === state.user_id ? 'own' : 'none'
}

/** Whether the user may move the message to another channel. */
export function mayMoveToChannel(state: State, message: Message, nowSeconds: number): boolean {
  const channel = channelOf(state, message)
  if (!channel || !isOpen(state, message)) return false
  const limit = state.realm_move_messages_between_streams_limit_seconds
  return (
    (isModerator(state) || !isLate(message, limit, nowSeconds)) &&
    (holds(state, state.realm_can_move_messages_between_channels_group) ||
      holds(state, channel.can_move_messages_out_of_channel_group))
  )
}

export function maySeeReaders(state: State): boolean {
  return state.realm_enable_read_receipts === true
}

/** Whether reports have a channel to go to. */
export function mayReport(state: State): boolean {
  return (state.realm_moderation_request_channel_id ?? -1) > 0
}

/** Whether the message can be unread: in channels, only for subscribers. */
export function mayMarkUnread(state: State, message: Message): boolean {
  if (message.stream_id === undefined) return true
  return channelsById(state).get(message.stream_id)?.subscription !== undefined
}

function channelOf(state: State, { stream_id: id }: Message) {
  return id === undefined ? undefined : channelsById(state).get(id)?.channel
}

function isModerator(state: State): boolean {
  const own = state.user_id === undefined ? undefined : usersById(state).get(state.user_id)
  return own !== undefined && own.role <= MODERATOR
}

function isLate(
  { timestamp }: Message,
  limitSeconds: number | null | undefined,
  nowSeconds: number,
): boolean {
  return limitSeconds !== null && limitSeconds !== undefined && nowSeconds - timestamp > limitSeconds
}
