/** The parts of the administration that the current user may see, and those that they may change. */

import type { UserGroup } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { holds } from './permissions.ts'

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
  'audit',
] as const

export type AdministrationSection = (typeof ADMINISTRATION)[number]

/** The sections that the user may see. */
export function administrationOf(state: State): readonly AdministrationSection[] {
  return ADMINISTRATION.filter((section) => maySee(state, section))
}

function maySee(state: State, section: AdministrationSection): boolean {
  switch (section) {
    case 'audit':
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
  return state.is_guest !== true && holds(state, state.realm_can_invite_users_group)
}

export function mayInviteByLink(state: State): boolean {
  return state.is_guest !== true && holds(state, state.realm_create_multiuse_invite_group)
}

export function mayAddEmoji(state: State): boolean {
  return state.is_guest !== true && holds(state, state.realm_can_add_custom_emoji_group)
}

export function mayCreateGroups(state: State): boolean {
  return state.is_guest !== true && holds(state, state.realm_can_create_groups)
}

/** Whether the user may change every part of a group. */
export function mayManageGroup(state: State, group: UserGroup): boolean {
  if (group.is_system_group || state.is_guest === true) return false
  return holds(state, state.realm_can_manage_all_groups) || holds(state, group.can_manage_group)
}

export function mayAddToGroup(state: State, group: UserGroup): boolean {
  if (group.is_system_group || state.is_guest === true) return false
  return mayManageGroup(state, group) || holds(state, group.can_add_members_group)
}

export function mayRemoveFromGroup(state: State, group: UserGroup): boolean {
  if (group.is_system_group || state.is_guest === true) return false
  return mayManageGroup(state, group) || holds(state, group.can_remove_members_group)
}
