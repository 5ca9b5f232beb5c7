/** Events of scheduled messages: only the tables hold these. */

import type { ScheduledEvent } from '../../domain/events/scheduled-messages.ts'
import { type Appliers, storedElsewhere, storedInList } from './appliers.ts'

/** Applies the events of scheduled messages. */
export const SCHEDULED_APPLIERS: Appliers<ScheduledEvent> = {
  'scheduled_messages/add': storedInList('scheduledMessages'),
  'scheduled_messages/update': storedElsewhere,
  'scheduled_messages/remove': storedElsewhere,
  'reminders/add': storedInList('reminders'),
  'reminders/remove': storedElsewhere,
}
