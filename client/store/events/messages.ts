/** Events of messages, applied to the state, which has their ids but not the messages. */

import type { SentMessage } from '../../../packages/client/src/wire-types.ts'
import { changeChannels } from './channel-lists.ts'
import { changeIds } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, unchanged } from './reducer.ts'
import { addUnread, type Place, removeUnread } from './unread.ts'

export const MESSAGE_REDUCERS = {
  message: applyMessage,
  delete_message: applyDeletion,
  update_message: applyMessageUpdate,
  'update_message_flags/add': applyFlags,
  'update_message_flags/remove': applyFlags,
  submessage: unchanged,
  'reaction/add': unchanged,
  'reaction/remove': unchanged,
  'attachment/add': unchanged,
  'attachment/update': unchanged,
  'attachment/remove': unchanged,
} satisfies Partial<Reducers>

/** Whether flags say that the user is mentioned, by name or by a wildcard. */
const isMention = (flags: readonly string[]) => flags.some((flag) => flag.endsWith('mentioned'))

function placeOf(message: SentMessage, ownId: number): Place {
  const { display_recipient: recipient, stream_id, subject } = message
  if (typeof recipient === 'string') return { channelId: stream_id ?? 0, topic: subject }
  return { otherIds: recipient.map(({ id }) => id).filter((id) => id !== ownId) }
}

function applyMessage(state: State, { message, flags }: EventOf<'message'>, ownId: number): State {
  const { id } = message
  const place = placeOf(message, ownId)
  const { max_message_id: max, recent_private_conversations: recent, unread_msgs: unread } = state
  const isUnread = unread && !flags.includes('read')
  const changed = assign(state, {
    max_message_id: max === undefined ? undefined : Math.max(max, id),
    recent_private_conversations:
      recent && 'otherIds' in place ? noteConversation(recent, place.otherIds, id) : undefined,
    unread_msgs: isUnread
      ? addUnread(unread, { id, place, isMentioned: isMention(flags) }, ownId)
      : undefined,
  })
  if ('otherIds' in place) return changed
  return changeChannels(changed, [place.channelId], (channel) =>
    channel.first_message_id === null ? { ...channel, first_message_id: id } : channel,
  )
}

type Conversations = NonNullable<State['recent_private_conversations']>

function noteConversation(recent: Conversations, userIds: readonly number[], id: number): Conversations {
  const key = userIds.join()
  return [{ user_ids: userIds, max_message_id: id }, ...recent.filter((one) => one.user_ids.join() !== key)]
}

/** A deletion does not contain the new newest message, so that one stays. */
function applyDeletion(state: State, event: EventOf<'delete_message'>): State {
  const ids = 'message_ids' in event ? event.message_ids : [event.message_id]
  return assign(state, {
    starred_messages: changeIds(state.starred_messages, ids, false),
    unread_msgs: state.unread_msgs && removeUnread(state.unread_msgs, ids),
  })
}

function applyMessageUpdate(state: State, event: EventOf<'update_message'>, ownId: number): State {
  let unread = state.unread_msgs
  if (!unread) return state
  const { message_id: editedId, flags } = event
  if (event.content !== undefined) {
    const groups = [unread.streams, unread.pms, unread.huddles].flat()
    if (groups.some((group) => group.unread_message_ids.includes(editedId)))
      unread = { ...unread, mentions: changeIds(unread.mentions, [editedId], isMention(flags)) }
  }
  if (event.subject === undefined && event.new_stream_id === undefined)
    return assign(state, { unread_msgs: unread })
  const moved = new Set(event.message_ids)
  const places = unread.streams.flatMap((group) =>
    group.unread_message_ids.filter((id) => moved.has(id)).map((id) => ({ id, topic: group.topic })),
  )
  if (places.length === 0) return assign(state, { unread_msgs: unread })
  const mentions = new Set(unread.mentions)
  unread = removeUnread(unread, moved)
  const channelId = event.new_stream_id ?? event.stream_id ?? 0
  const isSubscribed = state.subscriptions?.some((one) => one.stream_id === channelId) ?? true
  for (const { id, topic } of isSubscribed ? places : []) {
    const place = { channelId, topic: event.subject ?? topic }
    unread = addUnread(unread, { id, place, isMentioned: mentions.has(id) }, ownId)
  }
  return assign(state, { unread_msgs: unread })
}

type FlagsEvent = EventOf<'update_message_flags/add' | 'update_message_flags/remove'>

function applyFlags(state: State, event: FlagsEvent, ownId: number): State {
  const isAdding = event.op === 'add'
  if (event.flag === 'starred')
    return assign(state, { starred_messages: changeIds(state.starred_messages, event.messages, isAdding) })
  const unread = state.unread_msgs
  if (event.flag !== 'read' || !unread) return state
  if (event.all)
    return { ...state, unread_msgs: { ...unread, count: 0, pms: [], streams: [], huddles: [], mentions: [] } }
  return assign(state, {
    unread_msgs: isAdding ? removeUnread(unread, event.messages) : addMarked(unread, event, ownId),
  })
}

/** Messages that were marked as unread come with their places. */
function addMarked(
  unread: NonNullable<State['unread_msgs']>,
  { messages, message_details: details = {} }: FlagsEvent,
  ownId: number,
): NonNullable<State['unread_msgs']> {
  let result = unread
  for (const id of messages) {
    const detail = details[id]
    if (!detail) continue
    const place =
      detail.type === 'stream'
        ? { channelId: detail.stream_id ?? 0, topic: detail.topic ?? '' }
        : { otherIds: detail.user_ids ?? [] }
    result = addUnread(result, { id, place, isMentioned: detail.mentioned === true }, ownId)
  }
  return result
}
