/** Channels by id, and in folders. */

import type { Channel, ChannelFolder, Subscription } from '../../../packages/client/src/wire-types.ts'
import { derive } from './derive.ts'

/** A channel that the user sees; `subscription` is undefined unless they are subscribed. */
export interface SeenChannel {
  readonly channel: Channel
  readonly subscription: Subscription | undefined
}

/** All channels that the state has, by id. */
export const channelsById = derive(
  (state) => [state.streams, state.never_subscribed, state.unsubscribed, state.subscriptions],
  ([streams = [], never = [], unsubscribed = [], subscriptions = []]): ReadonlyMap<number, SeenChannel> => {
    const others: readonly Channel[] = [...streams, ...never, ...unsubscribed]
    const byId = new Map<number, SeenChannel>()
    for (const channel of others) byId.set(channel.stream_id, { channel, subscription: undefined })
    for (const one of subscriptions) byId.set(one.stream_id, { channel: one, subscription: one })
    return byId
  },
)

/** Subscribed channels of the sidebar under one heading. */
export interface ChannelSection {
  readonly kind: 'pinned' | 'folder' | 'other'
  readonly folder: ChannelFolder | undefined
  readonly channels: readonly Subscription[]
}

/** Pinned channels, then those of each folder in its order, then the others. Empty and archived parts are left out. */
export const channelSections = derive(
  (state) => [state.subscriptions, state.channel_folders],
  ([subscriptions = [], folders = []]): readonly ChannelSection[] => {
    const shown = subscriptions.filter(({ is_archived }) => !is_archived).toSorted(compareChannels)
    const open = folders.filter((folder) => !folder.is_archived).toSorted((a, b) => a.order - b.order)
    const openIds = new Set(open.map(({ id }) => id))
    const pinned = shown.filter((one) => one.pin_to_top)
    const unpinned = shown.filter((one) => !one.pin_to_top)
    const inFolder = ({ folder_id }: Subscription) => folder_id !== null && openIds.has(folder_id)
    const sections: readonly ChannelSection[] = [
      { kind: 'pinned', folder: undefined, channels: pinned },
      ...open.map((folder) => ({
        kind: 'folder' as const,
        folder,
        channels: unpinned.filter((one) => one.folder_id === folder.id),
      })),
      { kind: 'other', folder: undefined, channels: unpinned.filter((one) => !inFolder(one)) },
    ]
    return sections.filter(({ channels }) => channels.length > 0)
  },
)

/** Muted channels last, each part by name. */
function compareChannels(a: Subscription, b: Subscription): number {
  return Number(a.is_muted) - Number(b.is_muted) || a.name.localeCompare(b.name)
}
