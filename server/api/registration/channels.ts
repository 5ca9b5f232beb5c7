/** The initial state of channels and of the user's subscriptions and topics. */

import { derived } from '../../domain/derived.ts'
import { loadLeftChannels } from '../../../db/subscriptions.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { ROLES } from '../../domain/entities.ts'
import { topicDisplayName } from '../../domain/topics.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { encodeChannel, encodeSubscriptionEnd } from '../../views/encode-subscriptions.ts'
import { runsOf } from '../../views/cached-runs.ts'
import { listAfterCommas } from '../../views/json-pieces.ts'
import { viewFolder } from '../../views/folder-view.ts'
import { listMutedTopics } from '../../state/list-muted-topics.ts'
import { EncodedField } from '../operation.ts'
import type { Fields, RegistrationContext } from './context.ts'

/** The channels that the user may see, without kinds that the client does not handle. */
const visibleChannels = derived(
  ({ user, services, options }: RegistrationContext): readonly ChannelState[] => {
    const visible = services.state.visibleChannels(user)
    return options.hasArchivedChannels ? visible : visible.filter(({ channel }) => !channel.isArchived)
  },
)

/** `stream`. */
export function fetchChannels(context: RegistrationContext): Fields {
  const { state, clock } = context.services
  const now = nowSeconds(clock)
  const channels = visibleChannels(context).map((channel) => ({
    id: channel.channel.id,
    piece: encodeChannel(channel, state, now, false, '}'),
  }))
  return { streams: new EncodedField(listAfterCommas(runsOf(state).join(channels))) }
}

/** `subscription`. */
export async function fetchSubscriptions(context: RegistrationContext): Promise<Fields> {
  const { user, services, options, asOf } = context
  const { state, clock, sql } = services
  const now = nowSeconds(clock)
  const visible = visibleChannels(context)
  const encode = (channel: ChannelState, end: '' | '}') =>
    encodeChannel(channel, state, now, options.includeSubscribers, end)
  const encodeEnd = (channel: ChannelState) =>
    encodeSubscriptionEnd(channel, user.id, options.allowsNullSettings)
  // Encoded before the await below, as of the same event as the rest.
  const isSubscribed = ({ subscribers }: ChannelState) => subscribers.has(user.id)
  const subscribed = visible
    .filter(isSubscribed)
    .flatMap((channel) => [encode(channel, ''), encodeEnd(channel)])
  const others = visible
    .filter((channel) => !isSubscribed(channel))
    .map((channel) => ({ id: channel.channel.id, piece: encode(channel, '}'), end: encodeEnd(channel) }))
  const leftIds = new Set(others.length === 0 ? [] : await loadLeftChannels(sql, user.id, asOf))
  const left = others.filter(({ id }) => leftIds.has(id))
  const never = leftIds.size === 0 ? others : others.filter(({ id }) => !leftIds.has(id))
  return {
    subscriptions: new EncodedField(listAfterCommas(subscribed)),
    unsubscribed: EncodedField.list(left.map(({ piece, end }) => [piece.bytes.slice(1, -1), end])),
    never_subscribed: new EncodedField(listAfterCommas(runsOf(state).join(never))),
  }
}

/** `default_streams`. */
export function fetchDefaultChannels({ user, services: { state } }: RegistrationContext): Fields {
  return { realm_default_streams: user.role === ROLES.guest ? [] : state.defaultChannelIds }
}

/** `channel_folders`, `channel_folder`. */
export function fetchFolders({ services: { state } }: RegistrationContext): Fields {
  return { channel_folders: state.folders.map(viewFolder) }
}

/** `muted_topics`. */
export function fetchMutedTopics({ user, services: { state } }: RegistrationContext): Fields {
  return { muted_topics: listMutedTopics(user, state) }
}

/** `user_topic`. */
export function fetchUserTopics({ user, services: { state }, options }: RegistrationContext): Fields {
  const topics = [...(state.userTopics.get(user.id)?.values() ?? [])]
  return {
    user_topics: topics.map(({ channelId, topic, updatedAt, visibility }) => ({
      stream_id: channelId,
      topic_name: options.allowEmptyTopic ? topic : topicDisplayName(topic),
      last_updated: updatedAt,
      visibility_policy: visibility,
    })),
  }
}
