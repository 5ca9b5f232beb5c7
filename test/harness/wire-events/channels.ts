/** Events of channels and subscriptions, applied to the state of a client. */

import { removeUnread } from './unread.ts'
import { find, type Json, replacing, type WireReducers } from './wire-reducer.ts'

/** The lists of a registration that can contain a channel. */
export const CHANNEL_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed']

export const CHANNEL_REDUCERS: WireReducers = {
  'stream/create': (state, { streams }) => {
    for (const stream of streams) {
      state.streams.push(stream)
      state.never_subscribed.push({ ...stream, subscribers: [] })
    }
  },
  'stream/delete': (state, { stream_ids }) => {
    renameMuted(state, stream_ids, undefined)
    renameOfBots(state, stream_ids, null)
    for (const list of ['streams', ...CHANNEL_LISTS]) {
      state[list] = state[list].filter((one: Json) => !stream_ids.includes(one.stream_id))
    }
  },
  'stream/update': applyChannelUpdate,
  'subscription/add': (state, { subscriptions }) => {
    for (const subscription of subscriptions) {
      takeChannel(state, subscription.stream_id)
      state.subscriptions.push(subscription)
    }
  },
  'subscription/remove': (state, { subscriptions }, ownId) => {
    for (const { stream_id } of subscriptions) {
      const channel = takeChannel(state, stream_id)
      channel.subscribers = channel.subscribers.filter((id: number) => id !== ownId)
      state.unsubscribed.push(channel)
      const unread = state.unread_msgs.streams.filter((one: Json) => one.stream_id === stream_id)
      const ids = unread.flatMap((one: Json) => one.unread_message_ids)
      removeUnread(state, ids)
    }
  },
  'subscription/peer_add': (state, event) =>
    changeSubscribers(state, event, (ids) => [...ids, ...event.user_ids]),
  'subscription/peer_remove': (state, event) =>
    changeSubscribers(state, event, (ids) => ids.filter((id) => !event.user_ids.includes(id))),
  'subscription/update': (state, event) => {
    for (const list of ['subscriptions', 'unsubscribed']) {
      const channel = state[list].find((one: Json) => one.stream_id === event.stream_id)
      if (channel) channel[event.property] = event.value
    }
  },
  'default_streams/': replacing('default_streams', 'realm_default_streams'),
  'channel_folder/add': (state, event) => state.channel_folders.push(event.channel_folder),
  'channel_folder/update': (state, event) =>
    Object.assign(find(state.channel_folders, 'id', event.channel_folder_id), event.data),
  'channel_folder/reorder': (state, event) => {
    state.channel_folders = event.order.map((id: number, order: number) => ({
      ...find(state.channel_folders, 'id', id),
      order,
    }))
  },
}

function takeChannel(state: Json, id: number): Json {
  for (const list of CHANNEL_LISTS) {
    const index = state[list].findIndex((one: Json) => one.stream_id === id)
    if (index >= 0) return state[list].splice(index, 1)[0]
  }
  throw new Error(`an event is about channel ${id}, which the client does not have`)
}

function applyChannelUpdate(state: Json, event: Json): void {
  const { id: _, type: __, op: ___, stream_id, name: ____, property, value, ...more } = event
  const known = [...CHANNEL_LISTS, 'streams'].flatMap((list) =>
    state[list].filter((one: Json) => one.stream_id === stream_id),
  )
  if (known.length === 0)
    throw new Error(`an event is about channel ${stream_id}, which the client does not have`)
  if (property === 'name') {
    renameMuted(state, [stream_id], value)
    renameOfBots(state, [stream_id], value)
  }
  for (const channel of known) Object.assign(channel, { [property]: value, ...more })
}

/** The older list of muted topics has names of channels: they are renamed or removed. */
function renameMuted(state: Json, streamIds: number[], name: string | undefined): void {
  const names = state.streams
    .filter((one: Json) => streamIds.includes(one.stream_id))
    .map((one: Json) => one.name)
  const others = state.muted_topics.filter(([one]: Json) => name !== undefined || !names.includes(one))
  state.muted_topics = others.map(([one, ...rest]: Json) => [names.includes(one) ? name : one, ...rest])
}

/** Bots have names of channels, too. */
function renameOfBots(state: Json, streamIds: number[], name: string | null): void {
  const names = state.streams
    .filter((one: Json) => streamIds.includes(one.stream_id))
    .map((one: Json) => one.name)
  for (const bot of state.realm_bots) {
    for (const field of ['default_sending_stream', 'default_events_register_stream']) {
      if (names.includes(bot[field])) bot[field] = name
    }
  }
}

function changeSubscribers(state: Json, { stream_ids }: Json, change: (ids: number[]) => number[]): void {
  for (const id of stream_ids) {
    const channel = CHANNEL_LISTS.flatMap((list) => state[list]).find((one: Json) => one.stream_id === id)
    if (!channel) throw new Error(`an event is about channel ${id}, which the client does not have`)
    channel.subscribers = [...new Set(change(channel.subscribers))].sort((a, b) => a - b)
  }
}
