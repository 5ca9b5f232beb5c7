/** Roles by their wire numbers; a smaller number may do more. */

import type { Person } from './organization.ts'

export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleName = keyof typeof ROLES
export type Role = (typeof ROLES)[RoleName]

const NAMES: Readonly<Record<number, string>> = {
  [ROLES.owner]: 'Owner',
  [ROLES.administrator]: 'Administrator',
  [ROLES.moderator]: 'Moderator',
  [ROLES.member]: 'Member',
  [ROLES.guest]: 'Guest',
}

/** The name that people read. */
export function roleName(role: number): string {
  return NAMES[role] ?? 'Unknown role'
}

export type WithRole = Pick<Person, 'role'>

/** Owners and administrators. */
export function isAdministrator({ role }: WithRole): boolean {
  return role <= ROLES.administrator
}

/** Owners, administrators and moderators. */
export function isModerator({ role }: WithRole): boolean {
  return role <= ROLES.moderator
}

export function isGuest({ role }: WithRole): boolean {
  return role === ROLES.guest
}

/** The role that a user needs and lacks to make somebody a user of another role, or to invite one. */
export function findRoleToGive({ role }: WithRole, given: number): 'owner' | 'administrator' | undefined {
  if (given === ROLES.owner) return role === ROLES.owner ? undefined : 'owner'
  if (given <= ROLES.moderator) return role <= ROLES.administrator ? undefined : 'administrator'
  return undefined
}
