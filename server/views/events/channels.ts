/** The events of channels, their folders and subscriptions, as clients get them. */

import type { Channel } from '../../domain/entities.ts'
import type { ChannelEvent } from '../../domain/events/channels.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import {
  CHANNEL,
  CHANNEL_CHANGE_FIELDS,
  CHANNEL_CHANGE_OPTIONAL_FIELDS,
  SUBSCRIPTION,
  SUBSCRIPTION_CHANGE_FIELDS,
  viewChannel,
  viewChannelChange,
  viewSubscription,
  viewSubscriptionChange,
} from '../channel-view.ts'
import { CHANNEL_FOLDER, CHANNEL_FOLDER_CHANGE, viewFolder, viewFolderChange } from '../folder-view.ts'
import { type EventContext, eventOf, type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { arrayOf, INTEGER, record, STRING } from '../../domain/json-schema.ts'

/** A user who has left since must not learn of later subscribers, changes or first messages. */
function channelAtEvent(channel: Channel, { id, state, subscribersAtEvent }: EventContext): ChannelState {
  const now = state.getChannel(channel.id)
  const { firstMessageId } = now
  return {
    ...now,
    channel,
    subscribers: subscribersAtEvent?.get(channel.id) ?? now.subscribers,
    firstMessageId: firstMessageId !== null && firstMessageId < (id as number) ? firstMessageId : null,
  }
}

const PEERS = { stream_ids: arrayOf(INTEGER), user_ids: arrayOf(INTEGER) }

/** The events of channels, their folders and subscriptions. */
export const CHANNEL_EVENTS = {
  'stream/create': opEventOf('stream/create', 'The user can see channels that they could not see before.', {
    streams: arrayOf(CHANNEL),
  }),
  'stream/delete': opEventOf('stream/delete', 'The user can no longer see channels.', {
    stream_ids: arrayOf(INTEGER),
    streams: arrayOf(record({ stream_id: INTEGER })),
  }),
  'stream/update': opEventOf(
    'stream/update',
    'A property of a channel changed.',
    { stream_id: INTEGER, name: STRING, ...CHANNEL_CHANGE_FIELDS },
    CHANNEL_CHANGE_OPTIONAL_FIELDS,
  ),
  default_streams: eventOf('default_streams', 'The channels of new users changed.', {
    default_streams: arrayOf(INTEGER),
  }),
  'channel_folder/add': opEventOf('channel_folder/add', 'A channel folder was created.', {
    channel_folder: CHANNEL_FOLDER,
  }),
  'channel_folder/update': opEventOf('channel_folder/update', 'A channel folder changed.', {
    channel_folder_id: INTEGER,
    data: CHANNEL_FOLDER_CHANGE,
  }),
  'channel_folder/reorder': opEventOf('channel_folder/reorder', 'The order of the channel folders changed.', {
    order: arrayOf(INTEGER),
  }),
  'subscription/add': opEventOf('subscription/add', 'The user was subscribed to channels.', {
    subscriptions: arrayOf(SUBSCRIPTION),
  }),
  'subscription/remove': opEventOf('subscription/remove', 'The user was unsubscribed from channels.', {
    subscriptions: arrayOf(record({ stream_id: INTEGER, name: STRING })),
  }),
  'subscription/peer_add': opEventOf(
    'subscription/peer_add',
    'Other users were subscribed to channels.',
    PEERS,
  ),
  'subscription/peer_remove': opEventOf(
    'subscription/peer_remove',
    'Other users were unsubscribed from channels.',
    PEERS,
  ),
  'subscription/update': opEventOf('subscription/update', "A setting of the user's subscription changed.", {
    stream_id: INTEGER,
    ...SUBSCRIPTION_CHANGE_FIELDS,
  }),
} satisfies EventSchemas<ChannelEvent>

/** The views of channels. */
export const CHANNEL_EVENT_VIEWS: EventViews<ChannelEvent, typeof CHANNEL_EVENTS> = {
  'stream/create': ({ channels }, context) => {
    const { state, nowSeconds } = context
    const streams = channels.map((channel) =>
      viewChannel(channelAtEvent(channel, context), state, nowSeconds),
    )
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
  default_streams: ({ channelIds }) => ({ type: 'default_streams', default_streams: channelIds }),
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
    const subscriptions = channels.map((channel) =>
      viewSubscription(channelAtEvent(channel, context), context),
    )
    return { type: 'subscription', op: 'add', subscriptions }
  },
  'subscription/remove': ({ channelIds, names }) => {
    const subscriptions = channelIds.map((stream_id, index) => ({ stream_id, name: names[index] as string }))
    return { type: 'subscription', op: 'remove', subscriptions }
  },
  'subscription/peer_add': ({ channelIds, userIds }) => ({
    type: 'subscription',
    op: 'peer_add',
    stream_ids: channelIds,
    user_ids: userIds,
  }),
  'subscription/peer_remove': ({ channelIds, userIds }) => ({
    type: 'subscription',
    op: 'peer_remove',
    stream_ids: channelIds,
    user_ids: userIds,
  }),
  'subscription/update': ({ channelId, change }, { options }) => {
    const { property, value } = viewSubscriptionChange(change, options.allowsNullSettings)
    return { type: 'subscription', op: 'update', stream_id: channelId, property, value }
  },
}
