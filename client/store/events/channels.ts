/** Events of channels and their folders, applied to the state. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { changeChannels, removeFromLists, requireChannel } from './channel-lists.ts'
import { append, changeOne, changeWhere, removeWhere } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, UnknownObjectError } from './reducer.ts'

export const CHANNEL_REDUCERS = {
  'stream/create': (state, { streams }) =>
    assign(state, {
      streams: append(state.streams, ...streams),
      never_subscribed: append(
        state.never_subscribed,
        ...streams.map((stream) => ({ ...stream, subscribers: [] })),
      ),
    }),
  'stream/delete': (state, { stream_ids: ids }) => {
    const renamed = renameOfBots(renameMuted(state, ids, undefined), ids, null)
    return assign(removeFromLists(renamed, ids), {
      streams: removeWhere(renamed.streams, (one) => ids.includes(one.stream_id)),
    })
  },
  'stream/update': applyChannelUpdate,
  default_streams: (state, event) => assign(state, { realm_default_streams: event.default_streams }),
  default_stream_groups: (state, event) =>
    assign(state, { realm_default_stream_groups: event.default_stream_groups }),
  'channel_folder/add': (state, { channel_folder }) =>
    assign(state, { channel_folders: append(state.channel_folders, channel_folder) }),
  'channel_folder/update': (state, { channel_folder_id, data }) =>
    assign(state, { channel_folders: changeOne(state.channel_folders, ['id', channel_folder_id], data) }),
  'channel_folder/reorder': applyOrder,
} satisfies Partial<Reducers>

function applyChannelUpdate(state: State, event: EventOf<'stream/update'>): State {
  const { id: _, type: __, op: ___, stream_id, name: ____, property, value, ...more } = event
  const isKnown = state.streams?.some((one) => one.stream_id === stream_id)
  if (!isKnown) requireChannel(state, stream_id)
  let changed = state
  if (property === 'name' && typeof value === 'string')
    changed = renameOfBots(renameMuted(state, [stream_id], value), [stream_id], value)
  return changeChannels(changed, [stream_id], (channel) => ({ ...channel, [property]: value, ...more }))
}

function applyOrder(state: State, { order }: EventOf<'channel_folder/reorder'>): State {
  const folders = state.channel_folders
  if (!folders) return state
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const channel_folders = order.map((id, place) => {
    const folder = byId.get(id)
    if (!folder) throw new UnknownObjectError('folder', id)
    return folder.order === place ? folder : { ...folder, order: place }
  })
  return assign(state, { channel_folders })
}

function namesOf(streams: readonly Channel[] | undefined, ids: readonly number[]): readonly unknown[] {
  return (streams ?? []).filter((one) => ids.includes(one.stream_id)).map((one) => one.name)
}

/** The older list of muted topics has names of channels: they are renamed or removed. */
function renameMuted(state: State, ids: readonly number[], name: string | undefined): State {
  const names = namesOf(state.streams, ids)
  const isOf = ([channel]: readonly (string | number)[]) => names.includes(channel)
  const { muted_topics: muted } = state
  return assign(state, {
    muted_topics:
      name === undefined
        ? removeWhere(muted, isOf)
        : changeWhere(muted, isOf, ([, ...rest]) => [name, ...rest]),
  })
}

/** Bots have names of channels, too. */
function renameOfBots(state: State, ids: readonly number[], name: string | null): State {
  const names = namesOf(state.streams, ids)
  const rename = (current: string | null) => (names.includes(current) ? name : current)
  const realm_bots = changeWhere(
    state.realm_bots,
    (bot) => names.includes(bot.default_sending_stream) || names.includes(bot.default_events_register_stream),
    (bot) => ({
      ...bot,
      default_sending_stream: rename(bot.default_sending_stream),
      default_events_register_stream: rename(bot.default_events_register_stream),
    }),
  )
  return assign(state, { realm_bots })
}
