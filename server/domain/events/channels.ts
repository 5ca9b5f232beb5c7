/** What happens to channels, their folders and who is subscribed to them. */

import type { Channel, ChannelFolder, SubscriptionSettings, TopicsPolicy } from '../entities.ts'
import type { GroupSetting } from '../group-settings.ts'
import type { ChannelId, FolderId, MessageId, UserId } from '../ids.ts'
import type { ChannelPermission } from '../permissions.ts'
import type { ClientKind } from './client-kind.ts'

/** One thing that changes about a channel; the last three only follow from others, for clients. */
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
  | { readonly kind: 'postPolicy'; readonly postPolicy: number }
  | { readonly kind: 'announcementOnly'; readonly isAnnouncementOnly: boolean }
  | { readonly kind: 'firstMessage'; readonly firstMessageId: MessageId | null }

/** What a subscriber changes about one channel; `inHomeView` follows from `isMuted`, for older clients. */
export type SubscriptionChange =
  | {
      readonly [Name in keyof SubscriptionSettings]: {
        readonly property: Name
        readonly value: SubscriptionSettings[Name]
      }
    }[keyof SubscriptionSettings]
  | { readonly property: 'inHomeView'; readonly value: boolean }

/** A channel, or who is subscribed to it. */
export type ChannelEvent =
  /** `isNew` where the channel comes to be; else a user comes to see one that is there. */
  | {
      readonly type: 'stream/create'
      readonly channels: readonly Channel[]
      readonly isNew: boolean
      readonly clients?: ClientKind
    }
  /** A user may no longer see these channels. */
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
      /** Set where the channel is as before, and only what is shown of it follows somebody's account. */
      readonly isSightOnly?: true
      readonly clients?: ClientKind
    }
  /** All default channels after the change, ascending. */
  | {
      readonly type: 'default_streams'
      readonly channelIds: readonly ChannelId[]
      /** Set where the default channels are as before, and only a user's sight of them changes. */
      readonly isSightOnly?: true
    }
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
      /** As they were then: who leaves is told of no later change. */
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
  | {
      readonly type: 'subscription/peer_add' | 'subscription/peer_remove'
      readonly channelIds: readonly ChannelId[]
      readonly userIds: readonly UserId[]
      readonly clients?: ClientKind
    }
  /** What one subscriber set for one channel; `isMuted` is told as the older `inHomeView` too. */
  | {
      readonly type: 'subscription/update'
      readonly userId: UserId
      readonly channelId: ChannelId
      readonly change: SubscriptionChange
      readonly clients?: ClientKind
    }
