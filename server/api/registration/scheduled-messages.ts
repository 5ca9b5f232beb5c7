/** The initial state of scheduled messages and reminders. */

import { readReminders, readScheduled } from '../../../db/messages/scheduled-messages.ts'
import { arrayOf } from '../../domain/json-schema.ts'
import {
  REMINDER,
  SCHEDULED_MESSAGE,
  viewReminder,
  viewScheduledMessage,
} from '../../views/scheduled-message-view.ts'
import { readOwnList } from './context.ts'
import { statePart } from './state-part.ts'

/** `scheduled_messages`. */
export const scheduledMessages = statePart({
  fields: {
    scheduled_messages: {
      schema: arrayOf(SCHEDULED_MESSAGE),
      description: "The user's scheduled messages that are not sent yet.",
    },
  },
  async fetch(context) {
    const scheduled = await readOwnList(context, 'scheduledMessages', readScheduled)
    return { scheduled_messages: scheduled.map(viewScheduledMessage) }
  },
})

/** `reminders`. */
export const reminders = statePart({
  fields: {
    reminders: { schema: arrayOf(REMINDER), description: "The user's reminders that are not sent yet." },
  },
  fetch: async (context) => ({
    reminders: (await readOwnList(context, 'reminders', readReminders)).map(viewReminder),
  }),
})
