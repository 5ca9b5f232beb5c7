/** The rights to invite people, and the roles, channels and groups that an invitation may give. */

import { ROLES, type Role } from '../../domain/entities.ts'
import { canAddToGroup } from '../../../packages/rules/groups.ts'
import type { GroupSetting } from '../../domain/groups/group-settings.ts'
import type { ChannelId, GroupId } from '../../domain/ids.ts'
import { findRoleToGive } from '../../../packages/rules/invitations.ts'
import { checkPerson } from '../check-caller.ts'
import { findGroup } from '../groups/find-group.ts'
import type { Scope } from '../scope.ts'
import { canInviteToChannel } from './invitable-channels.ts'

/** Why a caller may not invite anybody. */
export const INVITER_ERRORS = ['BOT_REFUSED', 'ROLE_REQUIRED'] as const

/** How an invitation can be refused. */
export const INVITATION_ERRORS = [
  ...INVITER_ERRORS,
  'PERMISSION_MISSING',
  'INVITATION_CHANNEL_UNKNOWN',
  'INVITATION_SUBSCRIBING_FORBIDDEN',
  'GROUP_UNKNOWN',
  'GROUP_DEACTIVATED',
] as const

/** The role, channels and groups that an invitation gives. */
export interface InvitationGrants {
  readonly role: Role
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly GroupId[]
}

/** Throws if the caller may not invite anybody. */
export function checkInviter(scope: Pick<Scope<(typeof INVITER_ERRORS)[number]>, 'caller' | 'fail'>): void {
  checkPerson(scope)
  if (scope.caller.role === ROLES.guest) throw scope.fail('ROLE_REQUIRED', { role: 'member' })
}

/** Throws unless the caller may invite people under this permission, and may give them these things. */
export function checkInvitation(
  scope: Pick<Scope<(typeof INVITATION_ERRORS)[number]>, 'state' | 'caller' | 'fail'>,
  permission: GroupSetting,
  { role, channelIds, groupIds }: InvitationGrants,
): void {
  const { state, caller, fail } = scope
  checkInviter(scope)
  if (!state.rights.holds(caller, permission)) throw fail('PERMISSION_MISSING')
  const missing = findRoleToGive(caller, role)
  if (missing) throw fail('ROLE_REQUIRED', { role: missing })
  const channels = channelIds.map((channelId) => {
    const found = state.findReadableChannel(caller, channelId)
    if (!found || found.channel.isArchived) throw fail('INVITATION_CHANNEL_UNKNOWN', { id: channelId })
    return found
  })
  if (!channels.every((channel) => canInviteToChannel(scope, caller, channel)))
    throw fail('INVITATION_SUBSCRIBING_FORBIDDEN')
  for (const groupId of groupIds) {
    const { group } = findGroup(scope, groupId)
    if (group.isDeactivated) throw fail('GROUP_DEACTIVATED')
    if (!canAddToGroup(caller, group, state)) throw fail('PERMISSION_MISSING')
  }
}
