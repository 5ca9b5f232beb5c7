/** The events of scheduled messages and reminders, as their owners get them. */

import type { ScheduledEvent } from '../../domain/events/scheduled-messages.ts'
import type { ReminderId, ScheduledId } from '../../domain/ids.ts'
import { REMINDER, SCHEDULED_MESSAGE, viewReminder, viewScheduledMessage } from '../scheduled-message-view.ts'
import { type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'

/** The events of scheduled messages and reminders. */
export const SCHEDULED_EVENTS = {
  'scheduled_messages/add': opEventOf('scheduled_messages/add', 'The user scheduled a message.', {
    scheduled_messages: arrayOf(SCHEDULED_MESSAGE),
  }),
  'scheduled_messages/update': opEventOf(
    'scheduled_messages/update',
    'A scheduled message of the user changed or failed.',
    {
      scheduled_message: SCHEDULED_MESSAGE,
    },
  ),
  'scheduled_messages/remove': opEventOf(
    'scheduled_messages/remove',
    'A scheduled message was sent or deleted.',
    { scheduled_message_id: INTEGER },
  ),
  'reminders/add': opEventOf('reminders/add', 'The user set a reminder.', {
    reminders: arrayOf(REMINDER),
  }),
  'reminders/remove': opEventOf('reminders/remove', 'A reminder was sent or deleted.', {
    reminder_id: INTEGER,
  }),
} satisfies EventSchemas<ScheduledEvent>

/** The views of scheduled messages and reminders. */
export const SCHEDULED_EVENT_VIEWS: EventViews<ScheduledEvent, typeof SCHEDULED_EVENTS> = {
  'scheduled_messages/add': ({ scheduled }, { id }) => ({
    type: 'scheduled_messages',
    op: 'add',
    scheduled_messages: [viewScheduledMessage({ ...scheduled, id: id as number as ScheduledId })],
  }),
  'scheduled_messages/update': ({ scheduled }) => ({
    type: 'scheduled_messages',
    op: 'update',
    scheduled_message: viewScheduledMessage(scheduled),
  }),
  'scheduled_messages/remove': ({ scheduledId }) => ({
    type: 'scheduled_messages',
    op: 'remove',
    scheduled_message_id: scheduledId,
  }),
  'reminders/add': ({ userId, reminder }, { id }) => ({
    type: 'reminders',
    op: 'add',
    reminders: [viewReminder({ ...reminder, userId, id: id as number as ReminderId })],
  }),
  'reminders/remove': ({ scheduledId }) => ({ type: 'reminders', op: 'remove', reminder_id: scheduledId }),
}
