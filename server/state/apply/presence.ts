/** How users are, as it changes the state: their statuses; who is there and who types is not part of it. */

import type { PresenceEvent } from '../../domain/events/presence.ts'
import { changeStatus } from '../../domain/user-status.ts'
import { type Appliers, keptElsewhere, toldOnly } from './appliers.ts'

/** How what users do just now changes the state. */
export const PRESENCE_APPLIERS: Appliers<PresenceEvent> = {
  user_status: (state, { userId, changes }) => {
    const status = changeStatus(state.userStatuses.get(userId), changes)
    if (status) state.userStatuses.set(userId, status)
    else state.userStatuses.delete(userId)
  },
  'user_status/shown': toldOnly,
  presence: keptElsewhere,
  'presence/single': keptElsewhere,
  'typing/start': toldOnly,
  'typing/stop': toldOnly,
  'typing_edit_message/start': toldOnly,
  'typing_edit_message/stop': toldOnly,
}
