/** Subscriptions to channels. */

import type { Channel, SubscriptionSettings } from '../entities.ts'
import type { ChannelId, UserId } from '../ids.ts'
import type { ClientKind } from './client-kind.ts'

/** A subscriber's setting for one channel. */
export type SubscriptionChange = {
  readonly [Name in keyof SubscriptionSettings]: {
    readonly property: Name
    readonly value: SubscriptionSettings[Name]
  }
}[keyof SubscriptionSettings]

/** The same for older clients: the opposite of `isMuted`. */
export interface ShownSubscriptionChange {
  readonly property: 'inHomeView'
  readonly value: boolean
}

export type SubscriptionFact =
  | {
      readonly type: 'subscription/add'
      /** As of the event: users who leave get no later change. */
      readonly channels: readonly Channel[]
      readonly userIds: readonly UserId[]
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'subscription/remove'
      readonly channelIds: readonly ChannelId[]
      readonly userIds: readonly UserId[]
      /** Channel names at that time, in the order of the ids. */
      readonly names: readonly string[]
      readonly clients?: ClientKind
    }
  /** A subscriber's setting for one channel. */
  | {
      readonly type: 'subscription/update'
      readonly userId: UserId
      readonly channelId: ChannelId
      readonly change: SubscriptionChange
      readonly clients?: ClientKind
    }

export type SubscriptionNotice =
  /** A subscriber can now see channels to which they were subscribed before. */
  | {
      readonly type: 'subscription/reveal'
      readonly channels: readonly Channel[]
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'subscription/peer_add' | 'subscription/peer_remove'
      readonly channelIds: readonly ChannelId[]
      readonly userIds: readonly UserId[]
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'subscription/update_shown'
      readonly userId: UserId
      readonly channelId: ChannelId
      readonly change: ShownSubscriptionChange
      readonly clients?: ClientKind
    }
