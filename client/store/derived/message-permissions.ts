/** Permissions of the current user on messages, by the rules of the server, which decides. */

import { canReadChannel } from '../../../packages/rules/channels.ts'
import {
  canCreateTopic,
  canMoveOutOfChannel,
  canMoveWithinChannel,
  canSendToChannel,
  findDeletionRefusal,
  findEditRefusal,
  isLate,
  type MessageSettings,
  type PlacedMessage,
} from '../../../packages/rules/messages.ts'
import { isModerator } from '../../../packages/rules/roles.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { channelsById } from './channels.ts'
import { accessTo, accountOf, organizationOf, selfOf } from './judged.ts'
import { amongMessages, inChannel } from './permissions.ts'
import { usersById } from './users.ts'
import { isVisitor } from './visitor.ts'

/** Whether the user may read the messages of a channel. */
export const mayRead = inChannel((user, access, { rights }) => canReadChannel(user, access, rights))

/** Whether the user may post to a channel; a new topic may need `mayCreateTopic`, too. */
export const mayPost = inChannel((user, access, { rights }) => canSendToChannel(user, access, rights))

export const mayCreateTopic = inChannel(
  (user, access, { rights }) =>
    canSendToChannel(user, access, rights) && canCreateTopic(user, access, rights),
)

const isOpenChannel = amongMessages(() => true)

/** Whether the user may change something about a message: nobody in an archived channel, and no visitor. */
export function isOpen(state: State, { stream_id: channelId }: Message): boolean {
  return channelId === undefined ? !isVisitor(state) : isOpenChannel(state, channelId)
}

/** Whether the user may write to the conversation of a message. */
export function mayReply(state: State, message: Message): boolean {
  return message.stream_id === undefined || mayPost(state, message.stream_id)
}

function settingsOf(state: State): MessageSettings {
  return {
    allowsEditing: state.realm_allow_message_editing === true,
    contentEditLimitSeconds: state.realm_message_content_edit_limit_seconds ?? null,
    contentDeleteLimitSeconds: state.realm_message_content_delete_limit_seconds ?? null,
  }
}

/** Whether the user may change the text; a poll or list refers to its text. */
export function mayEdit(state: State, message: Message, nowSeconds: number): boolean {
  if (!isOpen(state, message) || message.submessages.length > 0) return false
  const settings = settingsOf(state)
  return findEditRefusal(selfOf(state), messageOf(state, message), settings, nowSeconds) === undefined
}

/** The last second in which the user may change the text; undefined without a limit. */
export function editableUntil(state: State, message: Message): number | undefined {
  const limit = settingsOf(state).contentEditLimitSeconds
  return limit === null ? undefined : message.timestamp + limit
}

/** Whether the user may delete the message for everybody. */
export function mayDelete(state: State, message: Message, nowSeconds: number): boolean {
  if (!isOpen(state, message)) return false
  const organization = { ...organizationOf(state), settings: settingsOf(state) }
  const judged = messageOf(state, message)
  return findDeletionRefusal(selfOf(state), judged, organization, nowSeconds) === undefined
}

/** The messages of a topic that the user may move to another topic of the channel. */
export type MovableMessages = 'all' | 'own' | 'none'

export function movableToTopic(state: State, message: Message, nowSeconds: number): MovableMessages {
  const { stream_id: channelId } = message
  if (channelId === undefined || !isOpen(state, message)) return 'none'
  const limit = state.realm_move_messages_within_stream_limit_seconds
  if (isTooLate(state, message, limit, nowSeconds)) return 'none'
  if (mayMoveWithin(state, channelId)) return 'all'
  return message.sender_id === state.user_id ? 'own' : 'none'
}

/** Whether the user may move messages of anybody to another topic. */
const mayMoveWithin = amongMessages(canMoveWithinChannel)

/** Whether the user may move messages of anybody to another channel. */
const mayMoveOut = amongMessages(canMoveOutOfChannel)

/** The moves of a whole topic that the user may ask for. Limits of time are the server's: the state has no messages. */
export function topicMoves(state: State, channelId: number) {
  return { canRename: mayMoveWithin(state, channelId), canLeave: mayMoveOut(state, channelId) }
}

/** Whether the user may move the message to another channel. */
export function mayMoveToChannel(state: State, message: Message, nowSeconds: number): boolean {
  const { stream_id: channelId } = message
  if (channelId === undefined || !mayMoveOut(state, channelId)) return false
  return !isTooLate(state, message, state.realm_move_messages_between_streams_limit_seconds, nowSeconds)
}

/** Moderators have no limit. */
function isTooLate(
  state: State,
  message: Message,
  limitSeconds: number | null | undefined,
  nowSeconds: number,
): boolean {
  return !isModerator(selfOf(state)) && isLate(messageOf(state, message), limitSeconds ?? null, nowSeconds)
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

function messageOf(state: State, message: Message): PlacedMessage {
  const { sender_id: senderId, timestamp: sentAt, stream_id: channelId } = message
  const sender = usersById(state).get(senderId)
  return {
    senderId,
    sentAt,
    sender: sender && accountOf(sender),
    access: channelId === undefined ? undefined : accessTo(state, channelId),
  }
}
