/** Channels, their folders and subscriptions. */

import type { Channel, ChannelFolder, SubscriptionSettings, TopicsPolicy } from '../entities.ts'
import type { GroupSetting } from '../groups/group-settings.ts'
import type { ChannelId, FolderId, MessageId, UserId } from '../ids.ts'
import type { ChannelPermission } from '../groups/permissions.ts'
import type { ClientKind } from './client-kind.ts'

/** One property of a channel that changes. */
export type ChannelChange =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'description'; readonly description: string; readonly renderedDescription: string }
  | {
      readonly kind: 'privacy'
      readonly isPrivate: boolean
      readonly isWebPublic: boolean
      readonly isHistoryPublic: boolean
    }
  | { readonly kind: 'retention'; readonly retentionDays: number | null }
  | { readonly kind: 'topicsPolicy'; readonly topicsPolicy: TopicsPolicy }
  | { readonly kind: 'folder'; readonly folderId: FolderId | null }
  | { readonly kind: 'archived'; readonly isArchived: boolean }
  | { readonly kind: 'permission'; readonly permission: ChannelPermission; readonly setting: GroupSetting }

/**
 * A property that changes for clients while the channel itself stays as it is: it depends on a permission, on the
 * messages, or on the accounts in a permission.
 */
export type ShownChannelChange =
  | { readonly kind: 'postPolicy'; readonly postPolicy: number }
  | { readonly kind: 'announcementOnly'; readonly isAnnouncementOnly: boolean }
  | { readonly kind: 'firstMessage'; readonly firstMessageId: MessageId | null }
  | Extract<ChannelChange, { kind: 'permission' }>

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

/** A channel, or its subscribers. */
export type ChannelEvent =
  | { readonly type: 'stream/create'; readonly channels: readonly Channel[] }
  /** A user can now see channels that existed before. */
  | {
      readonly type: 'stream/reveal'
      readonly channels: readonly Channel[]
      readonly clients?: ClientKind
    }
  /** A user can no longer see these channels. */
  | {
      readonly type: 'stream/delete'
      readonly channelIds: readonly ChannelId[]
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'stream/update'
      readonly channelId: ChannelId
      /** The channel's name before the change. */
      readonly name: string
      readonly change: ChannelChange
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'stream/update_shown'
      readonly channelId: ChannelId
      readonly name: string
      readonly change: ShownChannelChange
      readonly clients?: ClientKind
    }
  /** All default channels after the change, ascending. */
  | { readonly type: 'default_streams'; readonly channelIds: readonly ChannelId[] }
  /** The default channels that a user sees now, while the default channels stay as they are. */
  | { readonly type: 'default_streams/shown'; readonly channelIds: readonly ChannelId[] }
  | { readonly type: 'channel_folder/add'; readonly folder: ChannelFolder }
  | {
      readonly type: 'channel_folder/update'
      readonly folderId: FolderId
      readonly changes: Partial<Omit<ChannelFolder, 'id'>>
    }
  /** All folders in their new order. */
  | { readonly type: 'channel_folder/reorder'; readonly folderIds: readonly FolderId[] }
  | {
      readonly type: 'subscription/add'
      /** As of the event: users who leave get no later change. */
      readonly channels: readonly Channel[]
      readonly userIds: readonly UserId[]
      readonly clients?: ClientKind
    }
  /** A subscriber can now see channels to which they were subscribed before. */
  | {
      readonly type: 'subscription/reveal'
      readonly channels: readonly Channel[]
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
  | {
      readonly type: 'subscription/peer_add' | 'subscription/peer_remove'
      readonly channelIds: readonly ChannelId[]
      readonly userIds: readonly UserId[]
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
  | {
      readonly type: 'subscription/update_shown'
      readonly userId: UserId
      readonly channelId: ChannelId
      readonly change: ShownSubscriptionChange
      readonly clients?: ClientKind
    }
