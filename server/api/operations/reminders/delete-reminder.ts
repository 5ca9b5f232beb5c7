/** `DELETE /reminders/{reminder_id}`: deletes a reminder of the caller. */

import { StaleScheduledError } from '../../../../db/messages/scheduled-messages.ts'
import type { ReminderId } from '../../../domain/ids.ts'
import { decideReminderRemoval } from '../../../decisions/scheduled-messages/change-scheduled.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const deleteReminder = change({
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  summary: 'Delete a reminder',
  access: 'user',
  params: { reminder_id: required(id<ReminderId>(), 'The reminder.') },
  reply: {},
  errors: ['REMINDER_UNKNOWN'],
  events: ['reminders/remove'],
  prepare: ({ params }) => ({ reminderId: params.reminder_id }),
  decide: decideReminderRemoval,
  explain: (error, { fail }) => (error instanceof StaleScheduledError ? fail('REMINDER_UNKNOWN') : undefined),
})
