/** Messages and reminders that wait for their time; told to their owner alone. */

import type { EventId, ReminderId, ScheduledId, UserId } from '../ids.ts'
import type { ReminderContent, ScheduledContent, ScheduledMessage } from '../scheduled-messages.ts'

/** That one no longer waits. */
interface Leaving {
  readonly userId: UserId
  /** Set where its time has come: it is sent with this event, if the one given here was the last that changed it. */
  readonly sentAsOf?: EventId
}

/** A scheduled message no longer waits. */
export interface ScheduledMessageRemoved extends Leaving {
  readonly type: 'scheduled_messages/remove'
  readonly scheduledId: ScheduledId
}

/** A reminder no longer waits. */
export interface ReminderRemoved extends Leaving {
  readonly type: 'reminders/remove'
  readonly scheduledId: ReminderId
}

/** What is to be sent at a time. */
export type ScheduledEvent =
  | { readonly type: 'scheduled_messages/add'; readonly userId: UserId; readonly scheduled: ScheduledContent }
  /** The message as it is now, but for the event that changed it last before. */
  | {
      readonly type: 'scheduled_messages/update'
      readonly userId: UserId
      readonly scheduled: ScheduledMessage
    }
  | ScheduledMessageRemoved
  | { readonly type: 'reminders/add'; readonly userId: UserId; readonly reminder: ReminderContent }
  | ReminderRemoved
