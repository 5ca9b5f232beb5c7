/** Roles in words. */

import type { User } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../../store/apply.ts'

export type Role = User['role']

const ROLES: readonly (readonly [role: Role, name: string, about: string])[] = [
  [100, 'Owner', 'Can do everything, including adding owners and reading the audit log.'],
  [200, 'Administrator', 'Manages people, channels and most settings.'],
  [300, 'Moderator', 'Helps keep order, with the permissions given to moderators.'],
  [400, 'Member', 'Reads and joins public channels.'],
  [600, 'Guest', 'Sees only channels they were added to.'],
]

export function roleName(role: number): string {
  return ROLES.find(([one]) => one === role)?.[1] ?? 'Unknown role'
}

export function roleAbout(role: number): string {
  return ROLES.find(([one]) => one === role)?.[2] ?? ''
}

/** The roles that the user may give: only owners make owners, only administrators make administrators. */
export function roleOptions(state: State): readonly (readonly [value: string, name: string])[] {
  const smallest = state.is_owner ? 100 : state.is_admin ? 200 : 400
  return ROLES.filter(([role]) => role >= smallest).map(([role, name]) => [String(role), name] as const)
}
