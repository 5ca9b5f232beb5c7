/** Reminders of messages. */

import {
  measureScheduled,
  readReminders,
  StaleScheduledError,
  TooManyScheduledError,
} from '../../../db/messages/scheduled-messages.ts'
import { REMINDER, viewReminder } from '../../views/scheduled-message-view.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import type { MessageId, ReminderId } from '../../domain/ids.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { REMINDER_NOTE_LENGTH_MAX, REMINDERS_MAX, SCHEDULED_TEXT_LENGTH_MAX } from '../../domain/limits.ts'
import {
  checkDeliveryTime,
  decideNewReminder,
  decideReminderRemoval,
} from '../../decisions/scheduled-messages/change-scheduled.ts'
import { scopeOfCall } from '../call-scope.ts'
import { change } from '../change-operation.ts'
import { defaulted, id, required, text } from '../params.ts'
import { wordReminder } from '../../changes/scheduled-messages/reminder-wording.ts'
import { deliveryTime } from './scheduled-messages.ts'

/** `GET /reminders`: the caller's reminders. */
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

/** `POST /reminders`: reminds the caller of a message at a given time. */
export const createReminder = change({
  method: 'POST',
  path: '/reminders',
  summary: 'Create a message reminder',
  description:
    'At that time, the bot of the server sends the caller a link to the message, its current content, and the note.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    scheduled_delivery_timestamp: required(deliveryTime, 'The time, in UNIX seconds.', {
      aliases: ['timestamp'],
    }),
    note: defaulted(text(), '', 'A note of the caller for the reminder.'),
  },
  reply: { reminder_id: { schema: INTEGER, description: 'The id of the reminder.' } },
  errors: ['MESSAGE_UNKNOWN', 'DELIVERY_TIME_PAST', 'REMINDER_NOTE_TOO_LONG', 'TOO_MANY_REMINDERS'],
  events: ['reminders/add'],
  async prepare(call) {
    const { params, user, services, requestId, fail } = call
    const { message_id: targetId, scheduled_delivery_timestamp: deliverAt } = params
    const note = params.note.replace(/^\n+/, '').trimEnd()
    if (countCodePoints(note) > REMINDER_NOTE_LENGTH_MAX)
      throw fail('REMINDER_NOTE_TOO_LONG', { lengthMax: REMINDER_NOTE_LENGTH_MAX })
    checkDeliveryTime(scopeOfCall(call), deliverAt)
    // Checked before the slow rendering, and again by the table.
    const held = await measureScheduled(services.sql, user.id, 'reminders')
    if (held.count >= REMINDERS_MAX || held.length > SCHEDULED_TEXT_LENGTH_MAX)
      throw fail('TOO_MANY_REMINDERS', { countMax: REMINDERS_MAX })
    const worded = await wordReminder(targetId, note, user, services)
    if (!worded) throw fail('MESSAGE_UNKNOWN')
    return { targetId, note, ...worded, deliverAt, requestId }
  },
  decide: decideNewReminder,
  explain: (error, { fail }) =>
    error instanceof TooManyScheduledError
      ? fail('TOO_MANY_REMINDERS', { countMax: REMINDERS_MAX })
      : undefined,
  answer: (id) => ({ reminder_id: id }),
})

/** `DELETE /reminders/{reminder_id}`: deletes a reminder of the caller. */
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
