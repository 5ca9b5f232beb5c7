/** Full members: members whose waiting period is over. */

import { ROLES, type User } from '../entities.ts'
import { DAY_SECONDS } from '../messages/weekly-traffic.ts'

/** Whether a user is a full member. Only members have a waiting period; guests never become full members. */
export function isFullMember(
  { role, joinedAt }: User,
  waitingPeriodDays: number,
  nowSeconds: number,
): boolean {
  return role === ROLES.member && nowSeconds - joinedAt >= waitingPeriodDays * DAY_SECONDS
}
