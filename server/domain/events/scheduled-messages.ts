/** Scheduled messages and reminders, for their owner alone. */

import type { EventId, ReminderId, ScheduledId, UserId } from '../ids.ts'
import type { ReminderContent, ScheduledContent, ScheduledMessage } from '../messages/scheduled-messages.ts'

/** One that left the schedule. */
interface Leaving {
  readonly userId: UserId
  /** Set if it was due: it is sent with this event, if this id is that of its last change. */
  readonly sentAsOf?: EventId
}

/** A scheduled message left the schedule. */
export interface ScheduledMessageRemoved extends Leaving {
  readonly type: 'scheduled_messages/remove'
  readonly scheduledId: ScheduledId
}

/** A reminder left the schedule. */
export interface ReminderRemoved extends Leaving {
  readonly type: 'reminders/remove'
  readonly scheduledId: ReminderId
}

export type ScheduledFact =
  | { readonly type: 'scheduled_messages/add'; readonly userId: UserId; readonly scheduled: ScheduledContent }
  /** The message after the change, but with the id of the change before it. */
  | {
      readonly type: 'scheduled_messages/update'
      readonly userId: UserId
      readonly scheduled: ScheduledMessage
    }
  | ScheduledMessageRemoved
  | { readonly type: 'reminders/add'; readonly userId: UserId; readonly reminder: ReminderContent }
  | ReminderRemoved
