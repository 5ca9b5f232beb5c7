/** The waiting period: who has been a member long enough to count as a full one. */

import { ROLES, type User } from './entities.ts'
import { DAY_SECONDS } from './weekly-traffic.ts'

/** Whether a member's waiting period is over; those of other roles have none, and guests never become full members. */
export function isFullMember(
  { role, joinedAt }: User,
  waitingPeriodDays: number,
  nowSeconds: number,
): boolean {
  return role === ROLES.member && nowSeconds - joinedAt >= waitingPeriodDays * DAY_SECONDS
}
