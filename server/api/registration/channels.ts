/** What a registration tells of channels, and of what a user has said of them. */

import { loadSpans } from '../../../db/subscriptions.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { ROLES } from '../../domain/entities.ts'
import type { EventId } from '../../domain/ids.ts'
import { topicDisplayName } from '../../domain/topics.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { viewSubscriptionSettings } from '../../views/channel-view.ts'
import { encodeChannel, encodeSubscription } from '../../views/encode-subscriptions.ts'
import { viewFolder } from '../../views/folder-view.ts'
import { listMutedTopics } from '../../views/muted-topics-view.ts'
import { EncodedField } from '../operation.ts'
import type { Fields, RegistrationContext } from './context.ts'

/** The channels that the user may know of, as far as the client knows of such. */
function visibleChannels({ user, services: { state }, options }: RegistrationContext): ChannelState[] {
  const visible = state.visibleChannels(user)
  return options.hasArchivedChannels ? visible : visible.filter(({ channel }) => !channel.isArchived)
}

/** `stream`. */
export function fetchChannels(context: RegistrationContext): Fields {
  const { state, clock } = context.services
  const now = nowSeconds(clock)
  const channels = visibleChannels(context).map((channel) => encodeChannel(channel, state, now, false))
  return { streams: EncodedField.list(channels.map((channel) => [...channel, '}'])) }
}

/** `subscription`. */
export async function fetchSubscriptions(context: RegistrationContext): Promise<Fields> {
  const { user, services, options, asOf } = context
  const { state, clock, sql } = services
  const now = nowSeconds(clock)
  const visible = visibleChannels(context)
  // Encoded before the wait below, as of the same event as the rest.
  const encode = (channel: ChannelState) => ({
    channelId: channel.channel.id,
    pieces: encodeChannel(channel, state, now, options.includeSubscribers),
    settings: viewSubscriptionSettings(channel, user.id, options.allowsNullSettings),
  })
  const subscribed = visible.filter(({ subscribers }) => subscribers.has(user.id)).map(encode)
  const others = visible.filter(({ subscribers }) => !subscribers.has(user.id)).map(encode)
  const spans = others.length === 0 ? [] : await loadSpans(sql, user.id, -1 as EventId)
  const before = new Set(spans.filter(({ fromId }) => fromId <= asOf).map(({ channelId }) => channelId))
  const left = others.filter(({ channelId }) => before.has(channelId))
  const never = others.filter(({ channelId }) => !before.has(channelId))
  const list = (channels: typeof others) =>
    EncodedField.list(channels.map(({ pieces, settings }) => encodeSubscription(pieces, settings)))
  return {
    subscriptions: list(subscribed),
    unsubscribed: list(left),
    never_subscribed: EncodedField.list(never.map(({ pieces }) => [...pieces, '}'])),
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
