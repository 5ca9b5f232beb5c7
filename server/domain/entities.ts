/** What the organization is made of, as every layer above sees it. Times are UNIX seconds unless named otherwise. */

import type { ChannelId, ConversationId, MessageId, UserId } from './ids.ts'

/** Roles by their wire numbers; a smaller number may do more. */
export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleName = keyof typeof ROLES
export type Role = (typeof ROLES)[RoleName]

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
  /** An IANA name, or the empty text when never set. */
  readonly timezone: string
  readonly joinedAt: number
  readonly avatarVersion: number
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
  /** Whether a new subscriber of a private channel reads what was sent before; always true for public ones. */
  readonly isHistoryPublic: boolean
  /** Null inherits the organization's setting, -1 keeps forever. */
  readonly retentionDays: number | null
}

/** What a subscriber may set for one channel; null inherits the user's own default. */
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

/** Where a message goes: a topic of a channel, or the partners of a conversation (sorted, the sender included). */
export type Destination =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly conversationId: ConversationId; readonly userIds: readonly UserId[] }

/** A message as stored. */
export interface Message {
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
  readonly isReadBySender: boolean
}
