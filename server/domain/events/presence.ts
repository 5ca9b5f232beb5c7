/** Presence, statuses and typing. */

import type { ChannelId, MessageId, UserId } from '../ids.ts'
import type { Presence } from '../users/presence.ts'
import type { UserStatus } from '../users/user-status.ts'
import type { ClientKind } from './client-kind.ts'

/** The place of typing: a topic, or a conversation of these sorted partners, the typing user included. */
export type TypingPlace =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A user began or stopped typing a message. */
export interface TypingEvent {
  readonly type: 'typing/start' | 'typing/stop'
  readonly senderId: UserId
  readonly place: TypingPlace
  readonly clients?: ClientKind
}

/** A user began or stopped editing one of their messages. */
export interface EditTypingEvent {
  readonly type: 'typing_edit_message/start' | 'typing_edit_message/stop'
  readonly senderId: UserId
  readonly messageId: MessageId
  readonly place: TypingPlace
  readonly clients?: ClientKind
}

export type PresenceFact =
  /** A user changed their status; only the changed fields. */
  {
    readonly type: 'user_status'
    readonly userId: UserId
    readonly changes: Partial<UserStatus>
  }

/** Of presence and typing, nothing is stored. */
export type PresenceNotice =
  /** The status stays as it is, but some users can now see it, no longer see it, or see another presence. */
  | {
      readonly type: 'user_status/shown'
      readonly userId: UserId
      readonly changes: Partial<UserStatus>
      /** For clients that read from the status whether a user wants to be invisible. */
      readonly isAway: boolean
    }
  /** Users became active, idle or offline. */
  | { readonly type: 'presence'; readonly presences: readonly Presence[]; readonly clients: ClientKind }
  /** The same for clients that need an event for each user. */
  | {
      readonly type: 'presence/single'
      readonly presence: Presence
      /** UNIX seconds with a fraction. */
      readonly toldAt: number
      readonly clients: ClientKind
    }
  | TypingEvent
  | EditTypingEvent
