/** Events of scheduled messages: only the tables hold these. */

import type { ScheduledEvent } from '../../domain/events/scheduled-messages.ts'
import { type Appliers, keptElsewhere, keptInList } from './appliers.ts'

/** Applies the events of scheduled messages. */
export const SCHEDULED_APPLIERS: Appliers<ScheduledEvent> = {
  'scheduled_messages/add': keptInList('scheduledMessages'),
  'scheduled_messages/update': keptElsewhere,
  'scheduled_messages/remove': keptElsewhere,
  'reminders/add': keptInList('reminders'),
  'reminders/remove': keptElsewhere,
}
