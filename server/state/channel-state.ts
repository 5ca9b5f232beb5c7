/** A channel in memory, with its subscribers. */

import type { ChannelAccess } from '../domain/channels/channel-access.ts'
import type { Pin } from '../domain/channels/pins.ts'
import type { Channel, SubscriptionSettings } from '../domain/entities.ts'
import type { MessageId, UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { DailyCounts } from '../domain/messages/weekly-traffic.ts'
import { mapOver } from '../domain/overlay-map.ts'

/** A channel with its frequently changing parts. */
export interface ChannelState extends ChannelAccess {
  channel: Channel
  /** Immutable: the audience of a past event keeps its set. */
  subscribers: UserSet
  firstMessageId: MessageId | null
  lastMessageAt: number | null
  readonly dailyCounts: DailyCounts
  /** The oldest first; immutable. */
  pins: readonly Pin[]
  /** Subscribers' settings that differ from the defaults. */
  readonly settings: Map<UserId, Partial<SubscriptionSettings>>
}

/** A copy that may change without changing the channel. */
export function copyChannelState(channel: ChannelState): ChannelState {
  return { ...channel, dailyCounts: new Map(channel.dailyCounts), settings: mapOver(channel.settings) }
}

/** A new channel. */
export function newChannelState(channel: Channel): ChannelState {
  return {
    channel,
    subscribers: UserSet.empty,
    firstMessageId: null,
    lastMessageAt: null,
    dailyCounts: new Map(),
    pins: [],
    settings: new Map(),
  }
}
