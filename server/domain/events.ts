/**
 * The events of the log. Each is one fact of the organization and at most one event for any client:
 * the tables, the state in memory and what clients are told all derive from it.
 */

import type { Channel, Organization, User } from './entities.ts'
import type { ChannelId, ConversationId, EventId, UserId } from './ids.ts'
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
  readonly isReadBySender: boolean
  /** The sender's own queue and mark: the key by which a retry is recognized, or null. */
  readonly queueId: string | null
  readonly localId: string | null
}

/** The facts that a client may be told of, or that only the state needs. */
export type LogEvent =
  | MessageSent
  | { readonly type: 'organization_created'; readonly organization: Organization }
  | { readonly type: 'realm_user/add'; readonly user: User }
  | { readonly type: 'realm_user/update'; readonly userId: UserId; readonly isActive: boolean }
  /** Keys are SHA-256 hashes in hex; the whole list of the user's keys after the change, oldest first. */
  | { readonly type: 'api_keys_changed'; readonly userId: UserId; readonly keyHashes: readonly string[] }
  /** `isNew` where the channel comes to be; else a user comes to see one that is there. */
  | { readonly type: 'stream/create'; readonly channels: readonly Channel[]; readonly isNew: boolean }
  /** A user may no longer see these channels. */
  | { readonly type: 'stream/delete'; readonly channelIds: readonly ChannelId[] }
  | {
      readonly type: 'subscription/add' | 'subscription/remove'
      readonly channelIds: readonly ChannelId[]
      readonly userIds: readonly UserId[]
      /** Channel names at that time, in the order of the ids. */
      readonly names: readonly string[]
    }
  | {
      readonly type: 'subscription/peer_add' | 'subscription/peer_remove'
      readonly channelIds: readonly ChannelId[]
      readonly userIds: readonly UserId[]
    }

export type LogEventType = LogEvent['type']

/**
 * Who is told of an event, as of the event's number.
 * - `subscribers`: those subscribed to the channel at that number.
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

/** Whether an event changes users, channels, subscriptions or rights, so that what was decided before it must be decided again. */
export function isStructural(event: LogEvent): boolean {
  return event.type !== 'message'
}
