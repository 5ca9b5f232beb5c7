/** Messages: sent, changed, deleted, reacted to and read. */

import type { Reaction } from '../entities.ts'
import type { ChannelId, ConversationId, MessageId, UploadId, UserId } from '../ids.ts'
import type { WaitingLinks } from '../messages/link-previews.ts'
import type { PictureId } from '../files/pictures.ts'
import type { Mention, SettableFlag } from '../messages/message-flags.ts'
import type { Place } from '../messages/places.ts'
import type { PendingNotification } from '../personal/pending-notifications.ts'
import type { Secret } from '../secret.ts'
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
  /** Users who have read it when it is sent: its sender, or the user who caused a notice. */
  readonly readById: UserId | null
  /** The only users who get it as unread when it is sent, ascending; left out for all others. */
  readonly unreadFor?: readonly UserId[]
  /** The mentioned users, ascending; left out if there are none. */
  readonly mentions?: readonly Mention[]
  /** Set if it mentions everyone who receives it. */
  readonly isForAll?: true
  /** Set if it opens a poll or a list: the JSON of its first submessage. */
  readonly submessage?: string
  /** The files that it links; left out if there are none. */
  readonly uploadIds?: readonly UploadId[]
  /** Users to notify while they are away; left out if there are none. The log does not have them. */
  readonly pending?: Secret<readonly PendingNotification[]>
  /** The links whose previews are to be fetched; left out if there are none. The log does not have them. */
  readonly links?: Secret<WaitingLinks>
  /** The sender's own queue and mark, which identify a retry; null without them. */
  readonly queueId: string | null
  readonly localId: string | null
  /** Set if it comes from another product: its time stays, though messages before it are newer. */
  readonly imported?: ImportedHistory
}

/** The history of a message before its import. */
export interface ImportedHistory {
  /** When its content was last changed; null if never. */
  readonly editedAt: number | null
  /** When it last moved to another topic or channel; left out if never. */
  readonly movedAt?: number
  /** In the order of `compareImported`: other products do not say when each was added. */
  readonly reactions: readonly Reaction[]
  /** Its edits, the newest first; left out if there are none. */
  readonly edits?: readonly ImportedEdit[]
}

/** An edit of a message, with what it changed. */
export interface ImportedEdit {
  readonly userId: UserId | null
  readonly editedAt: number
  readonly previous?: string
  readonly previousRendered?: string
  readonly previousTopic?: string
  readonly topic?: string
  readonly previousChannelId?: ChannelId
  readonly channelId?: ChannelId
}

/** How a move includes other messages of the topic. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof PROPAGATE_MODES)[number]

/** The content of a message, before and after. */
export interface ContentEdit {
  readonly previous: string
  readonly previousRendered: string
  readonly content: string
  readonly rendered: string
}

/** The place of messages, before and after. */
export interface MessageMove {
  /** The topic's names; equal if only the channel changes. */
  readonly previousTopic: string
  readonly topic: string
  readonly mode: PropagateMode
  /** Set if the channel changes. */
  readonly toChannel?: ChannelMove
}

/** The changes of both channels in a move between channels. */
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

/** Users with each relation to a message, for the flags of each recipient; sets of users as text. */
export interface EncodedFlagHolders {
  readonly unread: string
  readonly starred: string
  readonly collapsed: string
  /** Users who did not receive it; left out if there are none. */
  readonly historical?: string
}

/** The content of a message was changed, or messages were moved, or both at once. */
export interface MessagesUpdated {
  readonly type: 'update_message'
  /** The edited message, or the first of the moved ones. */
  readonly messageId: MessageId
  /** Ascending, that message included. */
  readonly messageIds: readonly MessageId[]
  /** Their place before; null for a direct message. */
  readonly channelId: ChannelId | null
  readonly channelName: string | null
  readonly userId: UserId
  readonly editedAt: number
  readonly content?: ContentEdit
  readonly move?: MessageMove
  readonly holders: EncodedFlagHolders
  /** The users whom the message mentions now, ascending; left out if there are none. */
  readonly mentions?: readonly Mention[]
  readonly isForAll?: true
  /** With a new content: the files that the message links now; left out if there are none. */
  readonly uploadIds?: readonly UploadId[]
  /** Users whom the new content notifies and the former did not; left out if there are none. */
  readonly pending?: Secret<readonly PendingNotification[]>
  /** With a new content: the links whose previews are to be fetched; left out if there are none. */
  readonly links?: Secret<WaitingLinks>
  /** With a new content: the thumbnails that its previews show; left out if there are none. */
  readonly pictureIds?: readonly PictureId[]
}

/** A message shows previews of its links, or who is in its call: only its HTML changed, and it does not count as edited. */
export interface MessageRendered {
  readonly type: 'update_message/rendering'
  readonly messageId: MessageId
  /** The message's channel; null for a direct message. */
  readonly channelId: ChannelId | null
  readonly channelName: string | null
  readonly renderedAt: number
  readonly content: string
  readonly previousRendered: string
  readonly rendered: string
  /** The thumbnails that it shows. */
  readonly pictureIds: readonly PictureId[]
  /** The row of the message that waited: its previews end the waiting. The log does not have it. */
  readonly waitingId?: Secret<string>
  /** The row of the message's call, if the event shows who is in it. The log does not have it. */
  readonly callId?: Secret<string>
  readonly holders: EncodedFlagHolders
  /** The users whom the message mentions, ascending; left out if there are none. */
  readonly mentions?: readonly Mention[]
  readonly isForAll?: true
}

/** Messages by the place they were sent to, since their read state is stored there. */
export interface MessagesOfPlace {
  readonly place: Place
  /** Ascending. */
  readonly messageIds: readonly MessageId[]
}

/** The place of a message that became unread, for clients that no longer hold the message. */
export interface UnreadDetails {
  readonly messageId: MessageId
  readonly isMentioned: boolean
  /** The partners of a direct message, without the reader; null in a channel. */
  readonly userIds: readonly UserId[] | null
  readonly channelId: ChannelId | null
  readonly topic: string
}

/** A user set or removed a flag of messages. */
export interface FlagsChanged {
  readonly type: 'update_message_flags'
  readonly userId: UserId
  readonly op: 'add' | 'remove'
  readonly flag: SettableFlag
  readonly messages: readonly MessagesOfPlace[]
  /** Set if all messages so far become read; then the list of messages is empty. */
  readonly isAll?: true
  /** Set if messages become unread. */
  readonly details?: readonly UnreadDetails[]
}

/** A user reacted to a message, or removed a reaction. */
export interface ReactionEvent extends Reaction {
  readonly type: 'reaction/add' | 'reaction/remove'
  readonly messageId: MessageId
  /** The message's channel; null for a direct message. */
  readonly channelId: ChannelId | null
}

/** A user took part in the poll or list of a message. */
export interface SubmessageAdded {
  readonly type: 'submessage'
  readonly messageId: MessageId
  /** The message's channel; null for a direct message. */
  readonly channelId: ChannelId | null
  readonly senderId: UserId
  /** JSON. */
  readonly content: string
}

export type MessageFact =
  | MessageSent
  | {
      readonly type: 'delete_message'
      /** Null for direct messages, which change no channel. */
      readonly channelId: ChannelId | null
      /** Empty for direct messages. */
      readonly topic: string
      /** Ascending. */
      readonly messageIds: readonly MessageId[]
      /** How many of them were sent on each day, counted from 1970 in UTC. */
      readonly countsByDay: readonly (readonly [day: number, count: number])[]
      /** The channel's oldest message after the deletion. */
      readonly firstMessageId: MessageId | null
      /** Set if the newest was deleted: when the newest remaining message was sent. */
      readonly lastMessageAt?: number | null
      /** The files that no other message links, ascending: other events remove them. Left out if there are none. */
      readonly uploadIds?: readonly UploadId[]
      readonly clients: ClientKind
    }
  /** For users who may not read the new place of moved messages, and who lose their flags of these. */
  | {
      readonly type: 'delete_message/hidden'
      readonly channelId: ChannelId
      readonly topic: string
      /** Ascending. */
      readonly messageIds: readonly MessageId[]
      readonly clients: ClientKind
    }
  | MessagesUpdated
  | MessageRendered
  | FlagsChanged
  | ReactionEvent
  | SubmessageAdded

export type MessageNotice =
  /** The same as `delete_message` and `delete_message/hidden`, for clients that need an event for each message. */
  {
    readonly type: 'delete_message/single'
    readonly channelId: ChannelId | null
    readonly topic: string
    readonly messageId: MessageId
    readonly clients: ClientKind
  }
