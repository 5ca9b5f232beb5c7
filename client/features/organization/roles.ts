/** Roles as they are given. */

import { type Role, roleName, ROLES } from '../../../packages/rules/roles.ts'
import { findRoleToGive } from '../../../packages/rules/invitations.ts'
import type { State } from '../../store/apply.ts'
import { selfOf } from '../../store/derived/judged.ts'
import { t } from '../../texts/texts.ts'

/** The powers of each role. */
export const ROLES_IN_WORDS: Readonly<Record<Role, string>> = {
  100: t('Can do everything, including adding owners and reading the audit log.'),
  200: t('Manages people, channels and most settings.'),
  300: t('Helps keep order, with the permissions given to moderators.'),
  400: t('Reads and joins public channels.'),
  600: t('Sees only channels they were added to.'),
}

/** The roles that the user may give: only owners make owners, only administrators make administrators. */
export function roleOptions(state: State): readonly (readonly [value: string, name: string])[] {
  return Object.values(ROLES)
    .filter((role) => findRoleToGive(selfOf(state), role) === undefined)
    .map((role) => [String(role), t(roleName(role))] as const)
}
