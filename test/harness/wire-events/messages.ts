/** Events of messages, applied to the state of a client, which has no messages. */

import { CHANNEL_LISTS } from './channels.ts'
import { addUnread, removeUnread } from './unread.ts'
import { change, type Json, notRegistered, type WireReducers } from './wire-reducer.ts'

export const MESSAGE_REDUCERS: WireReducers = {
  'message/': applyMessage,
  'delete_message/': (state, event) => applyDeletion(state, event.message_ids ?? [event.message_id]),
  'update_message/': applyMessageUpdate,
  'update_message_flags/add': applyFlags,
  'update_message_flags/remove': applyFlags,
  'submessage/': notRegistered,
  'reaction/add': notRegistered,
  'reaction/remove': notRegistered,
}

function applyMessage(state: Json, { message, flags }: Json, ownId: number): void {
  state.max_message_id = Math.max(state.max_message_id, message.id)
  for (const list of [...CHANNEL_LISTS, 'streams']) {
    for (const channel of state[list]) {
      if (channel.stream_id === message.stream_id) channel.first_message_id ??= message.id
    }
  }
  if (message.type === 'private') noteConversation(state, message, ownId)
  if (!flags.includes('read')) {
    const partners = message.type === 'private' ? message.display_recipient : []
    const others = partners.filter((one: Json) => one.id !== ownId)
    const isMentioned = flags.some((flag: string) => flag.endsWith('mentioned'))
    addUnread(state, { ...message, display_recipient: others }, isMentioned)
  }
}

function noteConversation(state: Json, message: Json, ownId: number): void {
  const userIds = message.display_recipient.map((one: Json) => one.id).filter((id: number) => id !== ownId)
  const key = userIds.join(',')
  state.recent_private_conversations = [
    { user_ids: userIds, max_message_id: message.id },
    ...state.recent_private_conversations.filter((one: Json) => one.user_ids.join(',') !== key),
  ]
}

/** A deletion does not contain the new newest message: `expectConsistent` ignores it. */
function applyDeletion(state: Json, ids: number[]): void {
  state.starred_messages = change(state.starred_messages, ids, false)
  return removeUnread(state, ids)
}

function applyMessageUpdate(state: Json, event: Json): void {
  const { message_id, message_ids, flags, content, stream_id, new_stream_id, subject } = event
  const { unread_msgs: unread } = state
  const groups = ['streams', 'pms', 'huddles'].flatMap((list) => unread[list])
  const groupOf = (id: number) => groups.find((group: Json) => group.unread_message_ids.includes(id))
  if (content !== undefined && groupOf(message_id)) {
    const isMentioned = flags.some((flag: string) => flag.endsWith('mentioned'))
    unread.mentions = change(unread.mentions, [message_id], isMentioned)
  }
  const isSubscribed = (id: number) => state.subscriptions.some((one: Json) => one.stream_id === id)
  for (const id of subject !== undefined || new_stream_id !== undefined ? message_ids : []) {
    const group = groupOf(id)
    if (!group) continue
    const isMentioned = unread.mentions.includes(id)
    removeUnread(state, [id])
    const place = { type: 'stream', stream_id: new_stream_id ?? stream_id, subject: subject ?? group.topic }
    if (isSubscribed(place.stream_id)) addUnread(state, { id, ...place }, isMentioned)
  }
}

function applyFlags(state: Json, { op, flag, messages, all, message_details }: Json): void {
  const isAdding = op === 'add'
  if (flag === 'starred') state.starred_messages = change(state.starred_messages, messages, isAdding)
  if (flag !== 'read') return
  if (all) {
    Object.assign(state.unread_msgs, { count: 0, pms: [], streams: [], huddles: [], mentions: [] })
  } else if (isAdding) removeUnread(state, messages)
  else {
    for (const id of messages) {
      const { type, mentioned, user_ids, stream_id, topic } = message_details[id]
      const message = {
        id,
        type,
        stream_id,
        subject: topic,
        display_recipient: user_ids?.map((one: number) => ({ id: one })),
      }
      addUnread(state, message, mentioned === true)
    }
  }
}
