/** `DELETE /reminders/{reminder_id}`: gives up a reminder of the caller. */

import { StaleScheduledError } from '../../../../db/scheduled-messages.ts'
import type { ReminderId } from '../../../domain/ids.ts'
import { UserSet } from '../../../domain/user-set.ts'
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
  async run({ params, user, services: { committer }, fail }) {
    try {
      await committer.submit({
        kind: 'structure',
        decide: () => ({
          events: [
            {
              event: { type: 'reminders/remove', userId: user.id, scheduledId: params.reminder_id },
              audience: { kind: 'users', users: UserSet.of([user.id]) },
            },
          ],
          reply: () => undefined,
        }),
      })
    } catch (error) {
      if (error instanceof StaleScheduledError) throw fail('REMINDER_UNKNOWN')
      throw error
    }
    return {}
  },
})
