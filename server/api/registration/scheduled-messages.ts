/** The initial state of scheduled messages and reminders. */

import { readReminders, readScheduled } from '../../../db/scheduled-messages.ts'
import { viewReminder, viewScheduledMessage } from '../../views/scheduled-message-view.ts'
import { type Fields, readOwnList, type RegistrationContext } from './context.ts'

/** `scheduled_messages`. */
export async function fetchScheduledMessages(context: RegistrationContext): Promise<Fields> {
  const scheduled = await readOwnList(context, 'scheduledMessages', readScheduled)
  return { scheduled_messages: scheduled.map(viewScheduledMessage) }
}

/** `reminders`. */
export async function fetchReminders(context: RegistrationContext): Promise<Fields> {
  return { reminders: (await readOwnList(context, 'reminders', readReminders)).map(viewReminder) }
}
