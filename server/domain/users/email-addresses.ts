/** Email addresses: their form, who sees a user's real one, and the stand-in for a hidden one. */

import { ROLES, type User } from '../entities.ts'
import type { UserId } from '../ids.ts'
import { EMAIL_LENGTH_MAX } from '../limits.ts'
import type { UserSettings } from './user-settings.ts'
import { isVisitor } from '../../../packages/rules/organization.ts'

/** Values of the setting that says who may see a user's real address; users always see their own. */
export const EMAIL_VISIBILITIES = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const satisfies Record<string, EmailVisibility>
export type EmailVisibility = UserSettings['emailAddressVisibility']

/** Octets before the `@`, by RFC 5321. */
const LOCAL_PART_LENGTH_MAX = 64
/** HTML's own form of an address. No colon, which ends the user name in HTTP Basic, and no comma. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** Whether a text is a valid address for an account. */
export function isEmailAddress(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text) && text.indexOf('@') <= LOCAL_PART_LENGTH_MAX
}

/** The address shown to a viewer who may not see the user's real one. */
export function standInAddress(id: UserId, host: string): string {
  return `user${id}@${host}`
}

/** The user of a stand-in address; undefined for any other address. */
export function readStandInAddress(email: string, host: string): UserId | undefined {
  const [, id] = /^user([1-9][0-9]{0,9})@/i.exec(email) ?? []
  if (id === undefined || email.slice(email.indexOf('@') + 1).toLowerCase() !== host) return undefined
  return Number(id) as UserId
}

/** Whether a viewer may see a user's real address; `everyone` means everyone with an account. */
export function canSeeEmail(viewer: User, user: User, visibility: EmailVisibility): boolean {
  if (isVisitor(viewer)) return false
  if (viewer.id === user.id) return true
  switch (visibility) {
    case EMAIL_VISIBILITIES.everyone:
      return true
    case EMAIL_VISIBILITIES.members:
      return viewer.role !== ROLES.guest
    case EMAIL_VISIBILITIES.moderators:
      return viewer.role <= ROLES.moderator
    case EMAIL_VISIBILITIES.administrators:
      return viewer.role <= ROLES.administrator
    case EMAIL_VISIBILITIES.nobody:
      return false
  }
}
