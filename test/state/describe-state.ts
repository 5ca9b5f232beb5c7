/** A state as plain texts, for complete comparison. */

import { DAY_SECONDS } from '../../server/domain/messages/weekly-traffic.ts'
import type { OrganizationState } from '../../server/state/organization-state.ts'
import { listParts, writePart } from '../../server/state/state-parts.ts'

/** A whole state, by part. */
export function describeState(state: OrganizationState): Record<string, unknown> {
  const today = Math.floor(Date.now() / 1000 / DAY_SECONDS)
  const parts = listParts(state).map((part) => [part, writePart(state, part, today)])
  return { appliedId: state.appliedId, ...Object.fromEntries(parts) }
}
