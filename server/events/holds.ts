/** Legal holds: no client gets an event, and the audit log has each change. */

import { liftHold, storeHold } from '../../db/holds/legal-holds.ts'
import type { HoldFact } from '../domain/events/holds.ts'
import type { HoldId } from '../domain/ids.ts'
import { INTEGER, record, STRING } from '../domain/json-schema.ts'
import { HOLD_TARGET, viewHoldTarget } from '../views/hold-view.ts'
import { audited } from './audited.ts'
import { type Entries, silent } from './entry.ts'

export const HOLD_EVENTS: Entries<HoldFact> = {
  'legal_hold/add': silent({
    apply(state, { hold }, id) {
      state.holds = [...state.holds, { ...hold, id: id as number as HoldId }]
    },
    store: (writes, id, { hold }) => storeHold(writes, id, hold),
    audit: audited(
      ({ hold: { name, reason, isForAll, userIds, channelIds } }) => ({
        name,
        reason,
        isForAll,
        userIds,
        channelIds,
      }),
      record({ name: STRING, reason: STRING, ...HOLD_TARGET }),
      ({ name, reason, ...target }) => ({ name, reason, ...viewHoldTarget(target) }),
    ),
  }),
  'legal_hold/remove': silent({
    apply(state, { holdId }) {
      state.holds = state.holds.filter(({ id }) => id !== holdId)
    },
    store: (writes, _, { holdId }) => liftHold(writes, holdId),
    audit: audited(
      ({ holdId, name }) => ({ holdId, name }),
      record({ hold_id: INTEGER, name: STRING }),
      ({ holdId, name }) => ({ hold_id: holdId, name }),
    ),
  }),
}
