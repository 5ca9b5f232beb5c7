/** The parts of the administration that the current user may see, and those that they may change. */

import { canInvite } from '../../../packages/rules/invitations.ts'
import type { State } from '../apply.ts'
import { organizationOf, selfOf } from './judged.ts'

/** Sections of the administration, in the order of their list. */
const ADMINISTRATION = [
  'profile',
  'messages',
  'permissions',
  'joining',
  'defaults',
  'people',
  'invitations',
  'groups',
  'emoji',
  'linkifiers',
  'playgrounds',
  'domains',
  'profile-fields',
  'default-channels',
  'import',
  'legal-holds',
  'audit',
  'server',
] as const

export type AdministrationSection = (typeof ADMINISTRATION)[number]

/** The sections that the user may see. */
export function administrationOf(state: State): readonly AdministrationSection[] {
  return ADMINISTRATION.filter((section) => maySee(state, section))
}

function maySee(state: State, section: AdministrationSection): boolean {
  switch (section) {
    case 'import':
    case 'legal-holds':
    case 'audit':
    case 'server':
      return state.is_owner === true
    case 'domains':
    case 'profile-fields':
    case 'default-channels':
    case 'joining':
    case 'defaults':
    case 'people':
      return state.is_admin === true
    case 'invitations':
      return mayInvite(state)
    default:
      return state.is_guest !== true
  }
}

/** Whether the user may invite people, by mail or by a link. */
export function mayInvite(state: State): boolean {
  return mayInviteByMail(state) || mayInviteByLink(state)
}

export function mayInviteByMail(state: State): boolean {
  return canInvite(selfOf(state), state.realm_can_invite_users_group, organizationOf(state).rights)
}

export function mayInviteByLink(state: State): boolean {
  return canInvite(selfOf(state), state.realm_create_multiuse_invite_group, organizationOf(state).rights)
}
