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
import type { BotSetup } from './bots.ts'
import type { CustomEmoji } from './custom-emoji.ts'
import type { DraftContent } from './drafts.ts'
import type { Generation } from './generation.ts'
import type { GroupSetting } from './group-settings.ts'
import type {
  ChannelId,
  ConversationId,
  DraftId,
  EventId,
  FolderId,
  GroupId,
  MessageId,
  ProfileFieldId,
  SnippetId,
  UserId,
} from './ids.ts'
import type { Mention, SettableFlag } from './message-flags.ts'
import type { MutedUser } from './muted-users.ts'
import type { NavigationView, NavigationViewChange } from './navigation-views.ts'
import type { EmailDomain, Linkifier, Playground } from './organization-lists.ts'
import type { OrganizationSettings } from './organization-settings.ts'
import type { ChannelPermission, GroupPermissions, OrganizationPermissions } from './permissions.ts'
import type { PictureId } from './pictures.ts'
import type { Place } from './places.ts'
import type { Presence } from './presence.ts'
import type { ProfileField, ProfileValue } from './profile-fields.ts'
import type { Snippet, SnippetContent } from './snippets.ts'
import type { UserSettingChange, UserSettings } from './user-settings.ts'
import type { UserSet } from './user-set.ts'
import type { UserStatus } from './user-status.ts'

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
  /** Where it opens a poll or a list: the JSON of its first submessage. */
  readonly submessage?: string
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

/** What changes about an account. */
export type UserChange = Partial<
  Pick<User, 'isActive' | 'role' | 'fullName' | 'timezone' | 'botOwnerId' | 'email' | 'joinedAt'>
>

/** What changes about a bot for those who manage it. */
export type BotChange = Partial<Pick<User, 'isActive' | 'fullName' | 'botOwnerId'>> & {
  /** As a whole. */
  readonly setup?: BotSetup
  /** Set where it is shown with another avatar. */
  readonly hasNewAvatar?: true
}

/** The avatar that a user chose; null for the one that follows the address. */
export interface AvatarChange {
  readonly pictureId: PictureId | null
  readonly version: number
}

/** Which clients an event is for, where what they understand decides on its form. */
export type ClientKind =
  | 'with_archived_channels'
  | 'without_archived_channels'
  | 'with_deactivated_groups'
  | 'without_deactivated_groups'
  | 'with_bulk_deletion'
  | 'without_bulk_deletion'
  | 'with_channel_typing'
  | 'without_settings_object'
  | 'with_simplified_presence'
  | 'without_simplified_presence'
  | 'with_linkifier_templates'
  | 'without_incomplete_users'

/** The facts that a client may be told of, or that only the state needs. */
export type LogEvent =
  | MessageSent
  | { readonly type: 'organization_created'; readonly organization: Organization }
  | {
      readonly type: 'realm_user/add'
      readonly user: User
      /** What the user starts with otherwise than is usual; left out where nothing is. */
      readonly settings?: Partial<UserSettings>
    }
  | {
      readonly type: 'realm_user/update'
      readonly userId: UserId
      readonly changes: UserChange
    }
  /** An account was made for somebody, who joins at their first log-in: an update of `joinedAt`. */
  | { readonly type: 'login_awaited'; readonly userId: UserId }
  /** How a bot is set up from now on. */
  | { readonly type: 'bot_setup_changed'; readonly botId: UserId; readonly setup: BotSetup }
  /** To those who manage a bot: that it is there, or is not for them; told only. */
  | { readonly type: 'realm_bot/add' | 'realm_bot/delete'; readonly botId: UserId }
  /** To the same, what of it changed; told only. */
  | { readonly type: 'realm_bot/update'; readonly botId: UserId; readonly change: BotChange }
  /** A user is shown by another address than before; told only, as things are when it is told. */
  | { readonly type: 'realm_user/email'; readonly userId: UserId }
  /** A user is shown with another avatar, told as it is when it is told; without `avatar` it follows the address alone. */
  | { readonly type: 'realm_user/avatar'; readonly userId: UserId; readonly avatar?: AvatarChange }
  /** Some come to see a user's real address, or no longer do; told only. */
  | { readonly type: 'realm_user/delivery_email'; readonly userId: UserId; readonly isShown: boolean }
  /** Some come to know a user who is there; told only, as the user is when it is told. */
  | { readonly type: 'realm_user/reveal'; readonly userId: UserId; readonly clients?: ClientKind }
  /** Some no longer know a user; told only. */
  | { readonly type: 'realm_user/conceal'; readonly userId: UserId }
  /** A user's profile says something else; null where it says nothing. */
  | {
      readonly type: 'realm_user/profile'
      readonly userId: UserId
      readonly fieldId: ProfileFieldId
      readonly filled: ProfileValue | null
    }
  /** All fields after the change, in their order; what profiles said in others is gone. */
  | { readonly type: 'custom_profile_fields'; readonly fields: readonly ProfileField[] }
  | { readonly type: 'realm/update_dict'; readonly changes: OrganizationChange }
  /** All linkifiers after the change, in their order. */
  | {
      readonly type: 'realm_linkifiers'
      readonly linkifiers: readonly Linkifier[]
      readonly clients: ClientKind
    }
  /** All playgrounds after the change. */
  | { readonly type: 'realm_playgrounds'; readonly playgrounds: readonly Playground[] }
  | {
      readonly type: 'realm_domains/add' | 'realm_domains/change' | 'realm_domains/remove'
      readonly domain: EmailDomain
    }
  /** Newcomers start with another value. */
  | { readonly type: 'realm_user_settings_defaults/update'; readonly change: UserSettingChange }
  /** There is another custom emoji, or one is deactivated; all are told, as they are when it is told. */
  | { readonly type: 'realm_emoji/update'; readonly emoji: CustomEmoji }
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
  /** A user says how they are; only what changes. */
  | {
      readonly type: 'user_status'
      readonly userId: UserId
      readonly changes: Partial<UserStatus>
      /** For clients that know whether somebody wants to be seen as part of the status. */
      readonly isAway?: boolean
      /** Set where the status is as before, and only some users' sight of it changes. */
      readonly isSightOnly?: true
    }
  /** Users came, went idle or returned. */
  | { readonly type: 'presence'; readonly presences: readonly Presence[]; readonly clients: ClientKind }
  /** The same for clients that are told of each user by itself. */
  | {
      readonly type: 'presence/single'
      readonly presence: Presence
      /** UNIX seconds with a fraction. */
      readonly toldAt: number
      readonly clients: ClientKind
    }
  /** Users were seen on a day, counted from 1970 in UTC; once a day for each. */
  /** The server was started anew, or is another release now; told once to each client that lived through it. */
  | {
      readonly type: 'restart'
      readonly generation: Generation
      /** What clients are told of the release, by the names they know. */
      readonly facts: Readonly<Record<string, string | number>>
    }
  | { readonly type: 'users_seen'; readonly day: number; readonly userIds: readonly UserId[] }
  | {
      readonly type: 'delete_message'
      /** Null for direct messages, which leave no channel changed. */
      readonly channelId: ChannelId | null
      /** Empty for direct messages. */
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
  /** The same, and that of `hidden`, for clients that are told of each message by itself. */
  | {
      readonly type: 'delete_message/single'
      readonly channelId: ChannelId | null
      readonly topic: string
      readonly messageId: MessageId
      readonly clients: ClientKind
    }
  /** To those who may not read where messages were moved, whose marks of them go. */
  | {
      readonly type: 'delete_message/hidden'
      readonly channelId: ChannelId
      readonly topic: string
      /** Ascending. */
      readonly messageIds: readonly MessageId[]
      readonly clients: ClientKind
    }
  | MessagesUpdated
  | FlagsChanged
  | ReactionEvent
  | TypingEvent
  | EditTypingEvent
  | SubmessageAdded
  | { readonly type: 'user_settings/update'; readonly userId: UserId; readonly change: UserSettingChange }
  /** The same for clients that do not know settings as one object. */
  | {
      readonly type: 'update_display_settings' | 'update_global_notifications'
      readonly userId: UserId
      readonly change: UserSettingChange
      readonly clients: ClientKind
    }
  | { readonly type: 'drafts/add'; readonly userId: UserId; readonly draft: DraftContent }
  | {
      readonly type: 'drafts/update'
      readonly userId: UserId
      readonly draftId: DraftId
      readonly draft: DraftContent
    }
  | { readonly type: 'drafts/remove'; readonly userId: UserId; readonly draftId: DraftId }
  | { readonly type: 'saved_snippets/add'; readonly userId: UserId; readonly snippet: SnippetContent }
  /** The snippet as it is now, but for the event that changed it last before. */
  | { readonly type: 'saved_snippets/update'; readonly userId: UserId; readonly snippet: Snippet }
  | { readonly type: 'saved_snippets/remove'; readonly userId: UserId; readonly snippetId: SnippetId }
  | { readonly type: 'navigation_view/add'; readonly userId: UserId; readonly view: NavigationView }
  | {
      readonly type: 'navigation_view/update'
      readonly userId: UserId
      readonly fragment: string
      readonly changes: NavigationViewChange
    }
  | { readonly type: 'navigation_view/remove'; readonly userId: UserId; readonly fragment: string }
  /** A user muted another, or did so no longer: who is muted after it, the one of late last. */
  | {
      readonly type: 'muted_users'
      readonly userId: UserId
      readonly targetId: UserId
      readonly mutedUsers: readonly MutedUser[]
    }
  /** All words of which a user is alerted, after the change. */
  | { readonly type: 'alert_words'; readonly userId: UserId; readonly words: readonly string[] }

/** How messages that are moved take others of their topic along. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof PROPAGATE_MODES)[number]

/** What the content of a message was and is. */
export interface ContentEdit {
  readonly previous: string
  readonly previousRendered: string
  readonly content: string
  readonly rendered: string
}

/** Where messages were and are. */
export interface MessageMove {
  /** The topic's names; the same in a move between channels alone. */
  readonly previousTopic: string
  readonly topic: string
  readonly mode: PropagateMode
  /** Set where they leave their channel. */
  readonly toChannel?: ChannelMove
}

/** What a move between channels changes of both. */
export interface ChannelMove {
  readonly channelId: ChannelId
  /** How many of the messages were sent on each day, counted from 1970 in UTC. */
  readonly countsByDay: readonly (readonly [day: number, count: number])[]
  readonly left: ChannelEnds
  readonly joined: ChannelEnds
}

/** A channel's oldest message, and when its newest was sent. */
export interface ChannelEnds {
  readonly firstMessageId: MessageId | null
  readonly lastMessageAt: number | null
}

/** Who has a message as what, for the flags that each is told; sets of users as text. */
export interface EncodedFlagHolders {
  readonly unread: string
  readonly starred: string
  readonly collapsed: string
  /** To whom it was not sent; left out where there are none. */
  readonly historical?: string
}

/** The content of a message was changed, or messages were moved, or both at once. */
export interface MessagesUpdated {
  readonly type: 'update_message'
  /** The message that was edited, or from which others of its topic are moved. */
  readonly messageId: MessageId
  /** Ascending, that message included. */
  readonly messageIds: readonly MessageId[]
  /** Where they were; null for a direct message. */
  readonly channelId: ChannelId | null
  readonly channelName: string | null
  readonly userId: UserId
  readonly editedAt: number
  readonly content?: ContentEdit
  readonly move?: MessageMove
  readonly holders: EncodedFlagHolders
  /** Whom the message mentions now, ascending; left out where nobody is. */
  readonly mentions?: readonly Mention[]
  readonly isForAll?: true
}

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

/** Somebody did something in a poll or a list that a message holds. */
export interface SubmessageAdded {
  readonly type: 'submessage'
  readonly messageId: MessageId
  /** Where the message is; null for a direct one. */
  readonly channelId: ChannelId | null
  readonly senderId: UserId
  /** JSON. */
  readonly content: string
}

/** Where somebody types: a topic, or a conversation of these partners, sorted, the one who types included. */
export type TypingPlace =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** Somebody began to type a message, or ended; told only. */
export interface TypingEvent {
  readonly type: 'typing/start' | 'typing/stop'
  readonly senderId: UserId
  readonly place: TypingPlace
  readonly clients?: ClientKind
}

/** Somebody began to edit a message of theirs, or ended; told only. */
export interface EditTypingEvent {
  readonly type: 'typing_edit_message/start' | 'typing_edit_message/stop'
  readonly senderId: UserId
  readonly messageId: MessageId
  readonly place: TypingPlace
  readonly clients?: ClientKind
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
  'user_status',
  'presence',
  'presence/single',
  'typing/start',
  'typing/stop',
  'typing_edit_message/start',
  'typing_edit_message/stop',
  'submessage',
  'drafts/add',
  'drafts/update',
  'drafts/remove',
  'saved_snippets/add',
  'saved_snippets/update',
  'saved_snippets/remove',
  'navigation_view/add',
  'navigation_view/update',
  'navigation_view/remove',
])

/** Whether an event changes users, channels, subscriptions or rights, so that what was decided before it must be decided again. */
export function isStructural(event: LogEvent): boolean {
  if (event.type === 'update_message') return event.move?.toChannel !== undefined
  return !UNSTRUCTURAL.has(event.type)
}
