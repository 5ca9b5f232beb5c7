/** What happens to messages: they are sent, changed, deleted, reacted to and read. */

import type { Reaction } from '../entities.ts'
import type { ChannelId, ConversationId, MessageId, UploadId, UserId } from '../ids.ts'
import type { Mention, SettableFlag } from '../message-flags.ts'
import type { Place } from '../places.ts'
import type { ClientKind } from './client-kind.ts'

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
  /** The users to whom alone it is unread as it is sent, ascending; left out where that is everyone else. */
  readonly unreadFor?: readonly UserId[]
  /** Who is mentioned, ascending; left out where nobody is. */
  readonly mentions?: readonly Mention[]
  /** Set where it mentions everyone who receives it. */
  readonly isForAll?: true
  /** Where it opens a poll or a list: the JSON of its first submessage. */
  readonly submessage?: string
  /** The files that it links; left out where there are none. */
  readonly uploadIds?: readonly UploadId[]
  /** The sender's own queue and mark: the key by which a retry is recognized, or null. */
  readonly queueId: string | null
  readonly localId: string | null
}

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
  /** With a new content: the files that the message links now; left out where there are none. */
  readonly uploadIds?: readonly UploadId[]
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

/** A message, or what somebody did with one. */
export type MessageEvent =
  | MessageSent
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
      /** The files that no other message links, ascending: events of their own remove them. Left out where there are none. */
      readonly uploadIds?: readonly UploadId[]
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
  | SubmessageAdded
