/** The caller's scheduled messages and reminders. */

import type { EventId, ReminderId, ScheduledId } from '../../domain/ids.ts'
import type {
  ReminderContent,
  ScheduledContent,
  ScheduledMessage,
} from '../../domain/messages/scheduled-messages.ts'
import type { Decision } from '../decision.ts'
import { decideOwn } from '../own.ts'
import type { Scope } from '../scope.ts'

/** Schedules a message; answers its id. */
export function decideScheduling(scope: Scope, scheduled: ScheduledContent): Decision<EventId> {
  return decideOwn(scope, { type: 'scheduled_messages/add', scheduled })
}

/** Changes a scheduled message, or one that failed. */
export function decideRescheduling(scope: Scope, scheduled: ScheduledMessage): Decision<EventId> {
  return decideOwn(scope, { type: 'scheduled_messages/update', scheduled })
}

/** Deletes a scheduled message. */
export function decideUnscheduling(
  scope: Scope,
  { scheduledId }: { readonly scheduledId: ScheduledId },
): Decision<EventId> {
  return decideOwn(scope, { type: 'scheduled_messages/remove', scheduledId })
}

/** Schedules a reminder; answers its id. */
export function decideNewReminder(scope: Scope, reminder: ReminderContent): Decision<EventId> {
  return decideOwn(scope, { type: 'reminders/add', reminder })
}

/** Deletes a reminder. */
export function decideReminderRemoval(
  scope: Scope,
  { reminderId }: { readonly reminderId: ReminderId },
): Decision<EventId> {
  return decideOwn(scope, { type: 'reminders/remove', scheduledId: reminderId })
}

/** Throws unless the time is in the future. */
export function checkDeliveryTime(
  { now, fail }: Pick<Scope<'DELIVERY_TIME_PAST'>, 'now' | 'fail'>,
  deliverAt: number,
): void {
  if (deliverAt <= now) throw fail('DELIVERY_TIME_PAST')
}
