/** A channel in memory, with who is subscribed to it. */

import type { ChannelAccess } from '../domain/channel-access.ts'
import type { Channel, SubscriptionSettings } from '../domain/entities.ts'
import type { MessageId, UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/user-set.ts'
import type { DailyCounts } from '../domain/weekly-traffic.ts'
import { mapOver } from '../domain/overlay-map.ts'

/** A channel with what changes about it most. */
export interface ChannelState extends ChannelAccess {
  channel: Channel
  /** Immutable: a past event's audience keeps the set it had. */
  subscribers: UserSet
  firstMessageId: MessageId | null
  lastMessageAt: number | null
  readonly dailyCounts: DailyCounts
  /** What subscribers set otherwise than is usual. */
  readonly settings: Map<UserId, Partial<SubscriptionSettings>>
}

/** A copy that can be changed without changing the channel. */
export function copyChannelState(channel: ChannelState): ChannelState {
  return { ...channel, dailyCounts: new Map(channel.dailyCounts), settings: mapOver(channel.settings) }
}

/** A channel that has just come to be. */
export function newChannelState(channel: Channel): ChannelState {
  return {
    channel,
    subscribers: UserSet.empty,
    firstMessageId: null,
    lastMessageAt: null,
    dailyCounts: new Map(),
    settings: new Map(),
  }
}
