/** What clients are told of what happens to channels, their folders and who is subscribed to them. */

import type { Channel } from '../../domain/entities.ts'
import type { ChannelEvent } from '../../domain/events/channels.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { viewChannel, viewChannelChange, viewSubscription, viewSubscriptionChange } from '../channel-view.ts'
import { viewFolder, viewFolderChange } from '../folder-view.ts'
import { type EventContext, type EventViews, opOf } from './event-context.ts'

/** One who left since is not told who has joined since, what has changed, nor that a first message was sent. */
function channelThen(channel: Channel, { id, state, subscribersThen }: EventContext): ChannelState {
  const now = state.getChannel(channel.id)
  const { firstMessageId } = now
  return {
    ...now,
    channel,
    subscribers: subscribersThen?.get(channel.id) ?? now.subscribers,
    firstMessageId: firstMessageId !== null && firstMessageId < (id as number) ? firstMessageId : null,
  }
}

function viewPeers(event: Extract<ChannelEvent, { type: `subscription/peer_${string}` }>): object {
  const { type, channelIds, userIds } = event
  return { type: 'subscription', op: opOf(type), stream_ids: channelIds, user_ids: userIds }
}

/** The views of what happens to channels. */
export const CHANNEL_EVENT_VIEWS: EventViews<ChannelEvent> = {
  'stream/create': ({ channels }, context) => {
    const { state, nowSeconds } = context
    const streams = channels.map((channel) => viewChannel(channelThen(channel, context), state, nowSeconds))
    return { type: 'stream', op: 'create', streams }
  },
  'stream/delete': ({ channelIds }) => {
    const streams = channelIds.map((stream_id) => ({ stream_id }))
    return { type: 'stream', op: 'delete', stream_ids: channelIds, streams }
  },
  'stream/update': ({ channelId, name, change }, { state }) => {
    const update = viewChannelChange(change, state.rights.activeUsers)
    return { type: 'stream', op: 'update', stream_id: channelId, name, ...update }
  },
  default_streams: ({ type, channelIds }) => ({ type, default_streams: channelIds }),
  'channel_folder/add': ({ folder }, { state }) => {
    const order = state.folders.findIndex((one) => one.id === folder.id)
    return { type: 'channel_folder', op: 'add', channel_folder: viewFolder(folder, order) }
  },
  'channel_folder/update': ({ folderId, changes }) => {
    const data = viewFolderChange(changes)
    return { type: 'channel_folder', op: 'update', channel_folder_id: folderId, data }
  },
  'channel_folder/reorder': ({ folderIds }) => ({ type: 'channel_folder', op: 'reorder', order: folderIds }),
  'subscription/add': ({ channels }, context) => {
    const { state, nowSeconds, options, recipient } = context
    const subscriptions = channels.map((channel) =>
      viewSubscription(channelThen(channel, context), recipient.userId, state, nowSeconds, options),
    )
    return { type: 'subscription', op: 'add', subscriptions }
  },
  'subscription/remove': ({ channelIds, names }) => {
    const subscriptions = channelIds.map((stream_id, index) => ({ stream_id, name: names[index] }))
    return { type: 'subscription', op: 'remove', subscriptions }
  },
  'subscription/peer_add': viewPeers,
  'subscription/peer_remove': viewPeers,
  'subscription/update': ({ channelId, change }, { options }) => {
    const { property, value } = viewSubscriptionChange(change, options.allowsNullSettings)
    return { type: 'subscription', op: 'update', stream_id: channelId, property, value }
  },
}
