/** `POST /reminders`: reminds the caller of a message at a time. */

import { TooManyScheduledError } from '../../../../db/scheduled-messages.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { countCodePoints, REMINDER_NOTE_LENGTH_MAX, REMINDERS_MAX } from '../../../domain/limits.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { operation } from '../../operation.ts'
import { defaulted, id, required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { wordReminder } from '../../../changes/scheduled-messages/reminder-wording.ts'
import { checkDeliveryTime, deliveryTime } from '../scheduled-messages/scheduled-params.ts'

export const createReminder = operation({
  method: 'POST',
  path: '/reminders',
  summary: 'Create a message reminder',
  description:
    "At its time the server's own bot writes to the caller, with a link to the message, what it says by then, and the note.",
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    scheduled_delivery_timestamp: required(deliveryTime, 'When, in UNIX seconds.', {
      aliases: ['timestamp'],
    }),
    note: defaulted(text(), '', 'What the caller wants to be told with it.'),
  },
  reply: { reminder_id: { schema: INTEGER, description: 'The id of the reminder.' } },
  errors: ['MESSAGE_UNKNOWN', 'DELIVERY_TIME_PAST', 'REMINDER_NOTE_TOO_LONG', 'TOO_MANY_REMINDERS'],
  events: ['reminders/add'],
  async run({ params, user, services, fail }) {
    const { message_id: targetId, scheduled_delivery_timestamp: deliverAt } = params
    const note = params.note.replace(/^\n+/, '').trimEnd()
    if (countCodePoints(note) > REMINDER_NOTE_LENGTH_MAX)
      throw fail('REMINDER_NOTE_TOO_LONG', { lengthMax: REMINDER_NOTE_LENGTH_MAX })
    checkDeliveryTime(deliverAt, services)
    const worded = await wordReminder(targetId, note, user, services)
    if (!worded) throw fail('MESSAGE_UNKNOWN')
    const reminder = { targetId, note, ...worded, deliverAt }
    try {
      const reminderId = await commitOwn(services, { type: 'reminders/add', userId: user.id, reminder })
      return { reminder_id: reminderId }
    } catch (error) {
      if (error instanceof TooManyScheduledError)
        throw fail('TOO_MANY_REMINDERS', { countMax: REMINDERS_MAX })
      throw error
    }
  },
})
