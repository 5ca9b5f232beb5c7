/** Whether an organization requires a second factor of a user, and from when on. */

import type { User } from '../entities.ts'
import type { OrganizationSettings } from '../organization/organization-settings.ts'
import { DAY_SECONDS } from '../messages/weekly-traffic.ts'

/** The settings that require a second factor. */
type FactorSettings = Pick<OrganizationSettings, 'secondFactorGraceDays' | 'secondFactorRequiredAt'>

/**
 * The time from which a user needs a second factor, in UNIX seconds; undefined if they never do. The grace time begins with
 * the requirement, and for newcomers with their account. Bots have keys of their own and never log in.
 */
export function factorDeadline(
  { secondFactorGraceDays: days, secondFactorRequiredAt: requiredAt }: FactorSettings,
  { botType, joinedAt }: Pick<User, 'botType' | 'joinedAt'>,
): number | undefined {
  if (days === null || botType !== null) return undefined
  return Math.max(requiredAt ?? 0, joinedAt) + days * DAY_SECONDS
}
