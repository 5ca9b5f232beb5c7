/** Messages that the caller writes to be sent at a time, and reminders that they ask for. */

import type { EventId, ReminderId, ScheduledId } from '../../domain/ids.ts'
import type { ReminderContent, ScheduledContent, ScheduledMessage } from '../../domain/scheduled-messages.ts'
import type { Decision } from '../decision.ts'
import { decideOwn } from '../own.ts'
import type { Scope } from '../scope.ts'

/** Keeps a message until its time; answers its id. */
export function decideScheduling(scope: Scope, scheduled: ScheduledContent): Decision<EventId> {
  return decideOwn(scope, { type: 'scheduled_messages/add', scheduled })
}

/** Changes one that waits, or that could not be sent. */
export function decideRescheduling(scope: Scope, scheduled: ScheduledMessage): Decision<EventId> {
  return decideOwn(scope, { type: 'scheduled_messages/update', scheduled })
}

/** Gives one up. */
export function decideUnscheduling(
  scope: Scope,
  { scheduledId }: { readonly scheduledId: ScheduledId },
): Decision<EventId> {
  return decideOwn(scope, { type: 'scheduled_messages/remove', scheduledId })
}

/** Keeps a reminder until its time; answers its id. */
export function decideNewReminder(scope: Scope, reminder: ReminderContent): Decision<EventId> {
  return decideOwn(scope, { type: 'reminders/add', reminder })
}

/** Gives one up. */
export function decideReminderRemoval(
  scope: Scope,
  { reminderId }: { readonly reminderId: ReminderId },
): Decision<EventId> {
  return decideOwn(scope, { type: 'reminders/remove', scheduledId: reminderId })
}

/** Throws for a time that is past, or now. */
export function checkDeliveryTime(
  { now, fail }: Pick<Scope<'DELIVERY_TIME_PAST'>, 'now' | 'fail'>,
  deliverAt: number,
): void {
  if (deliverAt <= now) throw fail('DELIVERY_TIME_PAST')
}
