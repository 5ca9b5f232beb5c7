/** Scheduled messages, and reminders of messages. */

import type { ChannelId, EventId, MessageId, ReminderId, ScheduledId, UserId } from '../ids.ts'

/** The destination of a scheduled message. */
export type ScheduledTarget =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  /** The partners, ascending, without the sender unless the sender is alone. */
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A scheduled message without its id, which is the number of the event that creates it. */
export interface ScheduledContent {
  readonly target: ScheduledTarget
  /** Markdown. */
  readonly content: string
  /** HTML as of scheduling; delivery renders it again. */
  readonly rendered: string
  /** UNIX seconds. */
  readonly deliverAt: number
  readonly isReadBySender: boolean
  /** The client that scheduled it. */
  readonly client: string
  /** The request that scheduled it or changed it last, for log lines; earlier releases did not store it. */
  readonly requestId?: string
}

/** A scheduled message as stored. */
export interface ScheduledMessage extends ScheduledContent {
  readonly id: ScheduledId
  readonly userId: UserId
  /** Whether delivery failed; then it waits for a new time. */
  readonly hasFailed: boolean
  /** The last event that changed it. */
  readonly changedId: EventId
  /** Whether it has been sent. */
  readonly isSent: boolean
}

/** A reminder without its id, which is the number of the event that creates it. */
export interface ReminderContent {
  /** The message that the reminder is about. */
  readonly targetId: MessageId
  /** Plain text; may be empty. */
  readonly note: string
  /** Markdown of the reminder as of now; delivery writes it again. */
  readonly content: string
  /** HTML of the content. */
  readonly rendered: string
  /** UNIX seconds. */
  readonly deliverAt: number
  /** The request that created it, for log lines; earlier releases did not store it. */
  readonly requestId?: string
}

/** A reminder as stored. */
export interface Reminder extends ReminderContent {
  readonly id: ReminderId
  readonly userId: UserId
  /** The event that created it: reminders never change. */
  readonly changedId: EventId
}

/** An item that is due. */
export type Due =
  | (ScheduledMessage & { readonly kind: 'message' })
  | (Reminder & { readonly kind: 'reminder' })
