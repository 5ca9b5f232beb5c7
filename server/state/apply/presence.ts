/** The state of statuses; presence and typing are not in the state. */

import type { PresenceEvent } from '../../domain/events/presence.ts'
import { changeStatus } from '../../domain/users/user-status.ts'
import { type Appliers, storedElsewhere, noticeOnly } from './appliers.ts'

/** Applies the events of presence, statuses and typing. */
export const PRESENCE_APPLIERS: Appliers<PresenceEvent> = {
  user_status: (state, { userId, changes }) => {
    const status = changeStatus(state.userStatuses.get(userId), changes)
    if (status) state.userStatuses.set(userId, status)
    else state.userStatuses.delete(userId)
  },
  'user_status/shown': noticeOnly,
  presence: storedElsewhere,
  'presence/single': storedElsewhere,
  'typing/start': noticeOnly,
  'typing/stop': noticeOnly,
  'typing_edit_message/start': noticeOnly,
  'typing_edit_message/stop': noticeOnly,
}
