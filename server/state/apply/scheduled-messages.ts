/** What waits for its time: in tables alone. */

import type { ScheduledEvent } from '../../domain/events/scheduled-messages.ts'
import { type Appliers, keptElsewhere, keptInList } from './appliers.ts'

/** How what is to be sent at a time changes the state. */
export const SCHEDULED_APPLIERS: Appliers<ScheduledEvent> = {
  'scheduled_messages/add': keptInList('scheduledMessages'),
  'scheduled_messages/update': keptElsewhere,
  'scheduled_messages/remove': keptElsewhere,
  'reminders/add': keptInList('reminders'),
  'reminders/remove': keptElsewhere,
}
