/** Scheduled messages and reminders, for their owners alone. */

import {
  removeScheduled,
  storeReminder,
  storeScheduled,
  storeScheduledChange,
} from '../../db/messages/scheduled-messages.ts'
import type { ScheduledFact } from '../domain/events/scheduled-messages.ts'
import type { ReminderId, ScheduledId } from '../domain/ids.ts'
import { arrayOf, INTEGER, record } from '../domain/json-schema.ts'
import {
  REMINDER,
  SCHEDULED_MESSAGE,
  viewReminder,
  viewScheduledMessage,
} from '../views/scheduled-message-view.ts'
import { addsTo, type Entries, fact } from './entry.ts'
import { shown } from './view.ts'

export const SCHEDULED_EVENTS: Entries<ScheduledFact> = {
  'scheduled_messages/add': fact({
    ...addsTo('scheduledMessages'),
    store: (writes, id, { userId, scheduled }) => storeScheduled(writes, id, userId, scheduled),
    view: shown(
      'The user scheduled a message.',
      record({ scheduled_messages: arrayOf(SCHEDULED_MESSAGE) }),
      ({ scheduled }, { id }) => ({
        scheduled_messages: [viewScheduledMessage({ ...scheduled, id: id as number as ScheduledId })],
      }),
    ),
  }),
  'scheduled_messages/update': fact({
    store: (writes, id, { scheduled }) => storeScheduledChange(writes, id, scheduled),
    view: shown(
      'A scheduled message of the user changed or failed.',
      record({ scheduled_message: SCHEDULED_MESSAGE }),
      ({ scheduled }) => ({ scheduled_message: viewScheduledMessage(scheduled) }),
    ),
  }),
  'scheduled_messages/remove': fact({
    store: removeScheduled,
    view: shown(
      'A scheduled message was sent or deleted.',
      record({ scheduled_message_id: INTEGER }),
      ({ scheduledId }) => ({ scheduled_message_id: scheduledId }),
    ),
  }),
  'reminders/add': fact({
    ...addsTo('reminders'),
    store: (writes, id, { userId, reminder }) => storeReminder(writes, id, userId, reminder),
    view: shown(
      'The user set a reminder.',
      record({ reminders: arrayOf(REMINDER) }),
      ({ userId, reminder }, { id }) => ({
        reminders: [viewReminder({ ...reminder, userId, id: id as number as ReminderId })],
      }),
    ),
  }),
  'reminders/remove': fact({
    store: removeScheduled,
    view: shown('A reminder was sent or deleted.', record({ reminder_id: INTEGER }), ({ scheduledId }) => ({
      reminder_id: scheduledId,
    })),
  }),
}
