/** The entities of an organization, as every layer above sees them. Times are UNIX seconds unless named otherwise. */

import type { ChannelId, ConversationId, EventId, FolderId, GroupId, MessageId, UserId } from './ids.ts'
import type { Mentions } from './messages/message-flags.ts'
import type { OrganizationSettings } from './organization/organization-settings.ts'
import type { ChannelPermissions, GroupPermissions, OrganizationPermissions } from './groups/permissions.ts'
import type { Moves } from './messages/moves.ts'
import type { Role } from '../../packages/rules/roles.ts'
import type { TopicVisibility } from '../../packages/rules/topics.ts'

export { type Role, type RoleName, ROLES } from '../../packages/rules/roles.ts'

/** Bot types by their wire numbers. */
export const BOT_TYPES = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const
export type BotType = (typeof BOT_TYPES)[keyof typeof BOT_TYPES]

/** The one organization that a server holds. */
export interface Organization {
  readonly name: string
  /** Markdown. */
  readonly description: string
  readonly renderedDescription: string
  readonly createdAt: number
  readonly settings: OrganizationSettings
  readonly permissions: OrganizationPermissions
}

/** A person or a bot. */
export interface User {
  readonly id: UserId
  /** The real address, unique without regard to case; the user name of HTTP Basic. */
  readonly email: string
  readonly fullName: string
  readonly role: Role
  readonly isActive: boolean
  /** Null for a person. */
  readonly botType: BotType | null
  readonly botOwnerId: UserId | null
  /** An IANA name; empty if never set. */
  readonly timezone: string
  readonly joinedAt: number
  readonly avatarVersion: number
  /** The server's own bot: it sends message notices, has no owner and is in no list of users. */
  readonly isSystem: boolean
}

/** A channel; on the wire a stream. */
export interface Channel {
  readonly id: ChannelId
  readonly name: string
  /** Markdown. */
  readonly description: string
  readonly renderedDescription: string
  readonly createdAt: number
  readonly creatorId: UserId | null
  readonly isPrivate: boolean
  /** Whether anyone may read it, guests and visitors without an account included. */
  readonly isWebPublic: boolean
  /** Whether new subscribers of a private channel can read older messages; always true for public channels. */
  readonly isHistoryPublic: boolean
  /** Null inherits the organization's setting; -1 keeps messages forever. */
  readonly retentionDays: number | null
  readonly topicsPolicy: TopicsPolicy
  /** Whether its messages show previews of links, if those of the organization do. */
  readonly hasLinkPreviews: boolean
  readonly folderId: FolderId | null
  readonly isArchived: boolean
  readonly permissions: ChannelPermissions
}

/** A new channel's settings, besides its name and description. */
export type NewChannelSettings = Omit<Channel, 'id' | 'name' | 'description' | 'renderedDescription'>

/** Which topics a channel's messages may have; `inherit` leaves the empty one to the organization. */
export type TopicsPolicy = 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'

/** A folder that groups channels in clients' lists. */
export interface ChannelFolder {
  readonly id: FolderId
  readonly name: string
  /** Markdown. */
  readonly description: string
  readonly renderedDescription: string
  readonly createdAt: number
  readonly creatorId: UserId | null
  readonly isArchived: boolean
}

/** A named group of users. */
export interface UserGroup {
  readonly id: GroupId
  readonly name: string
  readonly description: string
  readonly creatorId: UserId | null
  readonly createdAt: number | null
  /** Whether its members follow from the users' roles. */
  readonly isSystem: boolean
  readonly isDeactivated: boolean
  readonly permissions: GroupPermissions
}

export type { TopicVisibility }

/** A user's setting for one topic. */
export interface UserTopic {
  readonly channelId: ChannelId
  readonly topic: string
  readonly visibility: TopicVisibility
  readonly updatedAt: number
}

/** A subscriber's own settings for one channel; null inherits the user's default. */
export interface SubscriptionSettings {
  readonly color: string
  readonly isMuted: boolean
  readonly isPinned: boolean
  readonly desktopNotifications: boolean | null
  readonly audibleNotifications: boolean | null
  readonly pushNotifications: boolean | null
  readonly emailNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
}

/** A message's destination: a topic of a channel, or the partners of a conversation (sorted, with the sender). */
export type Destination =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly conversationId: ConversationId; readonly userIds: readonly UserId[] }

/** A message as stored. */
export interface Message extends Mentions {
  readonly id: MessageId
  readonly destination: Destination
  readonly senderId: UserId
  /** Markdown as sent. */
  readonly content: string
  /** HTML. */
  readonly rendered: string
  readonly sentAt: number
  /** The sending program, from its User-Agent. */
  readonly client: string
  /** The user who had read it when it was sent: its sender, or null. */
  readonly readById: UserId | null
  /** The only users who had not read it when it was sent; left out if that is everyone else. */
  readonly unreadFor?: readonly UserId[]
  readonly moves: Moves | null
  /** When its content was last changed. */
  readonly editedAt: number | null
  /** When it last moved to another topic or channel; 0 if its topic was only resolved or unresolved. */
  readonly movedAt: number | null
  /** Oldest first. */
  readonly reactions: readonly Reaction[]
  /** Newest first. */
  readonly edits: readonly MessageEdit[]
  /** In the order they were sent. */
  readonly submessages: readonly Submessage[]
}

/** The state of a message before an edit; it holds only the fields that the edit changed. */
export interface MessageEdit {
  /** The event of the edit. */
  readonly id: EventId
  readonly userId: UserId | null
  readonly editedAt: number
  readonly content?: { readonly previous: string; readonly previousRendered: string }
  readonly topic?: { readonly previous: string; readonly now: string }
  readonly channelId?: { readonly previous: ChannelId; readonly now: ChannelId }
}

/** A user's action in a poll or to-do list of a message. */
export interface Submessage {
  readonly id: number
  readonly messageId: MessageId
  readonly senderId: UserId
  readonly type: string
  /** JSON. */
  readonly content: string
}

/** The namespaces of emoji codes: Unicode, the organization's own, or the extra one that comes with the server. */
export const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const
export type ReactionType = (typeof REACTION_TYPES)[number]
/** The type of the one emoji that comes with the server. */
export const EXTRA_REACTION_TYPE = 'service_extra_emoji' satisfies ReactionType

/** A user's emoji reaction to a message. */
export interface Reaction {
  readonly emojiName: string
  /** Code points in hex, joined by dashes; for the extra emoji its name. */
  readonly emojiCode: string
  readonly reactionType: ReactionType
  readonly userId: UserId
}

/** Approximate characters that one reaction takes in a page. */
const REACTION_TEXT_LENGTH = 100

/** Memory for one user id in a list, in characters. */
export const USER_LENGTH = 8

/** Approximate memory for one mention, in characters: a group may have thousands of members. */
export const MENTION_LENGTH = 60

/** Approximate memory for a message, in characters. */
export function textLengthOf(message: Message): number {
  const { content, rendered, mentions, reactions, edits, submessages, unreadFor = [] } = message
  let length = content.length + rendered.length + unreadFor.length * USER_LENGTH
  length += mentions.length * MENTION_LENGTH + reactions.length * REACTION_TEXT_LENGTH
  for (const edit of edits) {
    length += (edit.content?.previous.length ?? 0) + (edit.content?.previousRendered.length ?? 0)
  }
  for (const submessage of submessages) length += submessage.content.length
  return length
}
