/** Legal holds for owners. */

import { arrayOf, BOOLEAN, INTEGER, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import type { LegalHold, NewHold } from '../domain/organization/legal-holds.ts'

const IDS = arrayOf(INTEGER)

/** The fields of what a hold holds. */
export const HOLD_TARGET = { whole_organization: BOOLEAN, user_ids: IDS, stream_ids: IDS }

/** Schema of `viewHold`. */
export const HOLD = record({
  id: INTEGER,
  name: STRING,
  reason: STRING,
  ...HOLD_TARGET,
  placed_by: INTEGER,
  placed_at: INTEGER,
  kept_messages: INTEGER,
})

/** A hold, with the number of deleted messages that it keeps. */
export function viewHold({ id, placedBy, placedAt, ...hold }: LegalHold, kept: number): ValueOf<typeof HOLD> {
  const { name, reason } = hold
  return {
    id,
    name,
    reason,
    ...viewHoldTarget(hold),
    placed_by: placedBy,
    placed_at: placedAt,
    kept_messages: kept,
  }
}

/** The part of the organization that a hold holds. */
export function viewHoldTarget({
  isForAll,
  userIds,
  channelIds,
}: Pick<NewHold, 'isForAll' | 'userIds' | 'channelIds'>) {
  return { whole_organization: isForAll, user_ids: userIds, stream_ids: channelIds }
}
