/** Roles by their wire numbers; a smaller number may do more. */

import { textId } from '../texts/texts.ts'
import type { Person } from './organization.ts'

export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleName = keyof typeof ROLES
export type Role = (typeof ROLES)[RoleName]

const NAMES: Readonly<Record<number, string>> = {
  100: textId('Owner'),
  200: textId('Administrator'),
  300: textId('Moderator'),
  400: textId('Member'),
  600: textId('Guest'),
}

/** The name that people read. */
export function roleName(role: number): string {
  return NAMES[role] ?? textId('Unknown role')
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
