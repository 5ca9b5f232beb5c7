/** Who is there, how they are, and what they are doing just now. */

import type { ChannelId, MessageId, UserId } from '../ids.ts'
import type { Presence } from '../presence.ts'
import type { UserStatus } from '../user-status.ts'
import type { ClientKind } from './client-kind.ts'

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

/** How somebody is; nothing that stays but the status. */
export type PresenceEvent =
  /** A user says how they are; only what changes. */
  | {
      readonly type: 'user_status'
      readonly userId: UserId
      readonly changes: Partial<UserStatus>
    }
  /** The status stays as it is, but some users come to see it, no longer do, or see the user as away or there. */
  | {
      readonly type: 'user_status/shown'
      readonly userId: UserId
      readonly changes: Partial<UserStatus>
      /** For clients that know whether somebody wants to be seen as part of the status. */
      readonly isAway: boolean
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
  | TypingEvent
  | EditTypingEvent
