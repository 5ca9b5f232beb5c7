/** Channels and their folders. */

import type { Channel, ChannelFolder, TopicsPolicy } from '../entities.ts'
import type { GroupSetting } from '../groups/group-settings.ts'
import type { ChannelId, FolderId, MessageId } from '../ids.ts'
import type { ChannelPermission } from '../groups/permissions.ts'
import type { ChannelGroup } from '../organization/organization-lists.ts'
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
  | { readonly kind: 'linkPreviews'; readonly hasLinkPreviews: boolean }
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

export type ChannelFact =
  | { readonly type: 'stream/create'; readonly channels: readonly Channel[] }
  | {
      readonly type: 'stream/update'
      readonly channelId: ChannelId
      /** The channel's name before the change. */
      readonly name: string
      readonly change: ChannelChange
      readonly clients?: ClientKind
    }
  /** All default channels after the change, ascending. */
  | { readonly type: 'default_streams'; readonly channelIds: readonly ChannelId[] }
  /** All groups of default channels after the change, by name. */
  | { readonly type: 'default_stream_groups'; readonly groups: readonly ChannelGroup[] }
  | { readonly type: 'channel_folder/add'; readonly folder: ChannelFolder }
  | {
      readonly type: 'channel_folder/update'
      readonly folderId: FolderId
      readonly changes: Partial<Omit<ChannelFolder, 'id'>>
    }
  /** All folders in their new order. */
  | { readonly type: 'channel_folder/reorder'; readonly folderIds: readonly FolderId[] }

export type ChannelNotice =
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
      readonly type: 'stream/update_shown'
      readonly channelId: ChannelId
      readonly name: string
      readonly change: ShownChannelChange
      readonly clients?: ClientKind
    }
  /** The default channels that a user sees now, while the default channels stay as they are. */
  | { readonly type: 'default_streams/shown'; readonly channelIds: readonly ChannelId[] }
  /** The same for groups of default channels. */
  | { readonly type: 'default_stream_groups/shown'; readonly groups: readonly ChannelGroup[] }
