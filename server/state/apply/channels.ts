/** The state of channels, their folders and subscriptions. */

import { changeChannel } from '../../domain/channels/change-channel.ts'
import type { ChannelEvent } from '../../domain/events/channels.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { newChannelState } from '../channel-state.ts'
import { type Appliers, noticeOnly } from './appliers.ts'

/** Applies the events of channels. */
export const CHANNEL_APPLIERS: Appliers<ChannelEvent> = {
  'stream/create': (state, { channels }) => {
    for (const channel of channels) state.placeChannel(newChannelState(channel))
  },
  'stream/reveal': noticeOnly,
  'stream/delete': noticeOnly,
  'stream/update': (state, { channelId, change }) => {
    const channel = state.channelToChange(channelId)
    if (change.kind === 'name') state.channelIdsByName.delete(foldCase(channel.channel.name))
    channel.channel = changeChannel(channel.channel, change)
    state.placeChannel(channel)
    if (change.kind === 'archived') state.userVisibility.forget(channel.subscribers)
  },
  'stream/update_shown': noticeOnly,
  default_streams: (state, { channelIds }) => {
    state.defaultChannelIds = channelIds
  },
  'default_streams/shown': noticeOnly,
  'channel_folder/add': (state, { folder }) => {
    state.folders = [...state.folders, folder]
  },
  'channel_folder/update': (state, { folderId, changes }) => {
    state.folders = state.folders.map((folder) =>
      folder.id === folderId ? { ...folder, ...changes } : folder,
    )
  },
  'channel_folder/reorder': (state, { folderIds }) => {
    state.folders = folderIds.map((id) => {
      const folder = state.folders.find((one) => one.id === id)
      if (!folder) throw new Error(`folder ${id} is not in the state`)
      return folder
    })
  },
  'subscription/add': (state, { channels, userIds }) => {
    for (const { id } of channels) {
      const channel = state.channelToChange(id)
      if (!channel.channel.isArchived) state.userVisibility.widen(channel.subscribers, userIds)
      channel.subscribers = channel.subscribers.with(userIds)
    }
  },
  'subscription/reveal': noticeOnly,
  'subscription/remove': (state, { channelIds, userIds }) => {
    for (const id of channelIds) {
      const channel = state.channelToChange(id)
      channel.subscribers = channel.subscribers.without(userIds)
      state.userVisibility.narrow(channel.subscribers, userIds)
    }
  },
  'subscription/peer_add': noticeOnly,
  'subscription/peer_remove': noticeOnly,
  'subscription/update': (state, { userId, channelId, change }) => {
    const { property, value } = change
    const { settings } = state.channelToChange(channelId)
    settings.set(userId, { ...settings.get(userId), [property]: value })
  },
  'subscription/update_shown': noticeOnly,
}
