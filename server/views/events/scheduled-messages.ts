/** What users are told of what they have scheduled. */

import type { ScheduledEvent } from '../../domain/events/scheduled-messages.ts'
import type { ReminderId, ScheduledId } from '../../domain/ids.ts'
import { viewReminder, viewScheduledMessage } from '../scheduled-message-view.ts'
import type { EventViews } from './event-context.ts'

/** The views of what is to be sent at a time. */
export const SCHEDULED_EVENT_VIEWS: EventViews<ScheduledEvent> = {
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
