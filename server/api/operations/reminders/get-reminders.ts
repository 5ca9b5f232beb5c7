/** `GET /reminders`: the caller's reminders. */

import { readReminders } from '../../../../db/messages/scheduled-messages.ts'
import { REMINDER, viewReminder } from '../../../views/scheduled-message-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getReminders = operation({
  method: 'GET',
  path: '/reminders',
  summary: 'Get reminders',
  access: 'user',
  params: {},
  reply: { reminders: { schema: arrayOf(REMINDER), description: 'The pending reminders, by their time.' } },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    return { reminders: (await readReminders(sql, user.id, state.appliedId)).map(viewReminder) }
  },
})
