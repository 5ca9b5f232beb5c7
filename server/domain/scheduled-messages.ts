/** Messages that users have written to be sent at a time, and reminders of messages. */

import type { ChannelId, EventId, MessageId, ReminderId, ScheduledId, UserId } from './ids.ts'

/** Where a scheduled message goes. */
export type ScheduledTarget =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  /** The partners, ascending, its writer left out unless they are alone. */
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A scheduled message but for its id, which is the number of the event that makes it. */
export interface ScheduledContent {
  readonly target: ScheduledTarget
  /** Markdown. */
  readonly content: string
  /** HTML, as it was when it was scheduled; it is rendered anew when it is sent. */
  readonly rendered: string
  /** UNIX seconds. */
  readonly deliverAt: number
  readonly isReadBySender: boolean
  /** The program with which it was scheduled. */
  readonly client: string
}

/** A scheduled message as stored. */
export interface ScheduledMessage extends ScheduledContent {
  readonly id: ScheduledId
  readonly userId: UserId
  /** Whether it could not be sent at its time; then it waits for another one. */
  readonly hasFailed: boolean
  /** The event that changed it last. */
  readonly changedId: EventId
  /** Whether it is sent already. */
  readonly isSent: boolean
}

/** A reminder but for its id, which is the number of the event that makes it. */
export interface ReminderContent {
  /** The message that its owner wants to be reminded of. */
  readonly targetId: MessageId
  /** Plain text; may be empty. */
  readonly note: string
  /** Markdown, as it would be said now; it is put anew when its time comes. */
  readonly content: string
  /** HTML of the same. */
  readonly rendered: string
  /** UNIX seconds. */
  readonly deliverAt: number
}

/** A reminder as stored. */
export interface Reminder extends ReminderContent {
  readonly id: ReminderId
  readonly userId: UserId
  /** The event that made it: reminders are not changed. */
  readonly changedId: EventId
}

/** What falls due. */
export type Due =
  | (ScheduledMessage & { readonly kind: 'message' })
  | (Reminder & { readonly kind: 'reminder' })
