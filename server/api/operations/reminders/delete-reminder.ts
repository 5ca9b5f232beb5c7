/** `DELETE /reminders/{reminder_id}`: gives up a reminder of the caller. */

import { StaleScheduledError } from '../../../../db/scheduled-messages.ts'
import type { ReminderId } from '../../../domain/ids.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const deleteReminder = operation({
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  summary: 'Delete a reminder',
  access: 'user',
  params: { reminder_id: required(id<ReminderId>(), 'The reminder.') },
  reply: {},
  errors: ['REMINDER_UNKNOWN'],
  events: ['reminders/remove'],
  async run({ params, user, services, fail }) {
    try {
      await commitOwn(services, {
        type: 'reminders/remove',
        userId: user.id,
        scheduledId: params.reminder_id,
      })
    } catch (error) {
      if (error instanceof StaleScheduledError) throw fail('REMINDER_UNKNOWN')
      throw error
    }
    return {}
  },
})
