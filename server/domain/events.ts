/**
 * The events of the log. Each is one fact of the organization and at most one event for any client:
 * the tables, the state in memory and what clients are told all derive from it.
 */

import type {
  Channel,
  ChannelFolder,
  Organization,
  Reaction,
  SubscriptionSettings,
  TopicsPolicy,
  User,
  UserGroup,
  UserTopic,
} from './entities.ts'
import type { GroupSetting } from './group-settings.ts'
import type { ChannelId, ConversationId, EventId, FolderId, GroupId, MessageId, UserId } from './ids.ts'
import type { Mention, SettableFlag } from './message-flags.ts'
import type { OrganizationSettings } from './organization-settings.ts'
import type { ChannelPermission, GroupPermissions, OrganizationPermissions } from './permissions.ts'
import type { Place } from './places.ts'
import type { UserSet } from './user-set.ts'

/** A message was sent; the event's id becomes the message's id. */
export interface MessageSent {
  readonly type: 'message'
  readonly channelId: ChannelId | null
  readonly conversationId: ConversationId | null
  /** The partners of a direct message, sorted; null in a channel. */
  readonly userIds: readonly UserId[] | null
  /** Empty for direct messages. */
  readonly topic: string
  readonly senderId: UserId
  readonly content: string
  readonly rendered: string
  readonly sentAt: number
  readonly client: string
  /** Who has read it as it is sent: its sender mostly, or whose doing a notice tells of. */
  readonly readById: UserId | null
  /** Who is mentioned, ascending; left out where nobody is. */
  readonly mentions?: readonly Mention[]
  /** Set where it mentions everyone who receives it. */
  readonly isForAll?: true
  /** The sender's own queue and mark: the key by which a retry is recognized, or null. */
  readonly queueId: string | null
  readonly localId: string | null
}

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

/** What changes about the organization at once. */
export interface OrganizationChange {
  readonly name?: string
  readonly description?: string
  readonly renderedDescription?: string
  readonly settings?: Partial<OrganizationSettings>
  readonly permissions?: Partial<OrganizationPermissions>
}

/** Which clients an event is for, where what they understand decides on its form. */
export type ClientKind =
  | 'with_archived_channels'
  | 'without_archived_channels'
  | 'with_deactivated_groups'
  | 'without_deactivated_groups'
  | 'with_bulk_deletion'
  | 'without_bulk_deletion'

/** The facts that a client may be told of, or that only the state needs. */
export type LogEvent =
  | MessageSent
  | { readonly type: 'organization_created'; readonly organization: Organization }
  | { readonly type: 'realm_user/add'; readonly user: User }
  | {
      readonly type: 'realm_user/update'
      readonly userId: UserId
      readonly changes: Partial<Pick<User, 'isActive' | 'role'>>
    }
  | { readonly type: 'realm/update_dict'; readonly changes: OrganizationChange }
  /** Keys are SHA-256 hashes in hex; the whole list of the user's keys after the change, oldest first. */
  | { readonly type: 'api_keys_changed'; readonly userId: UserId; readonly keyHashes: readonly string[] }
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
  | { readonly type: 'user_topic'; readonly userId: UserId; readonly userTopic: UserTopic }
  /** The older form of the same, for clients: all muted topics with their channels' names. */
  | {
      readonly type: 'muted_topics'
      readonly mutedTopics: readonly (readonly [channelName: string, topic: string, updatedAt: number])[]
    }
  | {
      readonly type: 'user_group/add'
      readonly group: UserGroup
      /** Active ones. */
      readonly memberIds: readonly UserId[]
      readonly subgroupIds: readonly GroupId[]
      /** Whether the group comes to be; else it is told again to clients that did not know it while deactivated. */
      readonly isNew: boolean
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'user_group/update'
      readonly groupId: GroupId
      readonly changes: Partial<Pick<UserGroup, 'name' | 'description' | 'isDeactivated'>> & {
        readonly permissions?: Partial<GroupPermissions>
      }
      /** Set where the group is as before, and only what is shown of it follows somebody's account. */
      readonly isSightOnly?: true
      readonly clients?: ClientKind
    }
  /** To clients that know no deactivated groups. */
  | { readonly type: 'user_group/remove'; readonly groupId: GroupId; readonly clients: ClientKind }
  /** `isHidden` where the members stay stored, and only come and go from sight with their account. */
  | {
      readonly type: 'user_group/add_members' | 'user_group/remove_members'
      readonly groupId: GroupId
      readonly userIds: readonly UserId[]
      readonly isHidden?: true
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'user_group/add_subgroups' | 'user_group/remove_subgroups'
      readonly groupId: GroupId
      readonly subgroupIds: readonly GroupId[]
    }
  /** Users were seen on a day, counted from 1970 in UTC; once a day for each. */
  | { readonly type: 'users_seen'; readonly day: number; readonly userIds: readonly UserId[] }
  | {
      readonly type: 'delete_message'
      readonly channelId: ChannelId
      readonly topic: string
      /** Ascending. */
      readonly messageIds: readonly MessageId[]
      /** How many of them were sent on each day, counted from 1970 in UTC. */
      readonly countsByDay: readonly (readonly [day: number, count: number])[]
      /** The channel's oldest message afterwards. */
      readonly firstMessageId: MessageId | null
      /** Set where the newest was among them: when the newest of those that are left was sent. */
      readonly lastMessageAt?: number | null
      readonly clients: ClientKind
    }
  /** The same for clients that are told of each message by itself. */
  | {
      readonly type: 'delete_message/single'
      readonly channelId: ChannelId
      readonly topic: string
      readonly messageId: MessageId
      readonly clients: ClientKind
    }
  | FlagsChanged
  | ReactionEvent

/** Messages by where they were sent, which is where their being read is kept. */
export interface MessagesOfPlace {
  readonly place: Place
  /** Ascending. */
  readonly messageIds: readonly MessageId[]
}

/** Where a message is that became unread, for clients that no longer hold it. */
export interface UnreadDetails {
  readonly messageId: MessageId
  readonly isMentioned: boolean
  /** The partners of a direct message, the reader excepted; null in a channel. */
  readonly userIds: readonly UserId[] | null
  readonly channelId: ChannelId | null
  readonly topic: string
}

/** A user set or took back a flag of messages. */
export interface FlagsChanged {
  readonly type: 'update_message_flags'
  readonly userId: UserId
  readonly op: 'add' | 'remove'
  readonly flag: SettableFlag
  readonly messages: readonly MessagesOfPlace[]
  /** Set where everything that was sent so far becomes read; then no messages are named. */
  readonly isAll?: true
  /** Set where messages become unread. */
  readonly details?: readonly UnreadDetails[]
}

/** Somebody reacted to a message, or took a reaction back. */
export interface ReactionEvent extends Reaction {
  readonly type: 'reaction/add' | 'reaction/remove'
  readonly messageId: MessageId
  /** Where the message is; null for a direct one. */
  readonly channelId: ChannelId | null
}

/** What a subscriber changes about one channel; `inHomeView` follows from `isMuted`, for older clients. */
export type SubscriptionChange =
  | {
      readonly [Name in keyof SubscriptionSettings]: {
        readonly property: Name
        readonly value: SubscriptionSettings[Name]
      }
    }[keyof SubscriptionSettings]
  | { readonly property: 'inHomeView'; readonly value: boolean }

export type LogEventType = LogEvent['type']

/**
 * Who is told of an event, as of the event's number.
 * - `subscribers`: those subscribed to the channel at that number; of messages only, as the log does not store it.
 * - `users`: these.
 * - `nobody`: it changes state only.
 */
export type Audience =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'subscribers'; readonly channelId: ChannelId }
  | { readonly kind: 'users'; readonly users: UserSet }

/** What a decision asks the log to hold; it gets its number at the commit. */
export interface NewEvent {
  readonly event: LogEvent
  readonly audience: Audience
}

/** An event with its place in the log. */
export interface LogEntry extends NewEvent {
  readonly id: EventId
}

/** Events on which no decision stands. */
const UNSTRUCTURAL: ReadonlySet<LogEventType> = new Set([
  'message',
  'reaction/add',
  'reaction/remove',
  'update_message_flags',
])

/** Whether an event changes users, channels, subscriptions or rights, so that what was decided before it must be decided again. */
export function isStructural(event: LogEvent): boolean {
  return !UNSTRUCTURAL.has(event.type)
}
