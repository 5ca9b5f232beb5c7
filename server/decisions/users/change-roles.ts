/** Changes a user's role, and the membership of full members. */

import { type Role, ROLES, type User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import { needsOwner } from '../../../packages/rules/accounts.ts'
import { findRoleToGive } from '../../../packages/rules/invitations.ts'
import { checkOwner } from '../check-caller.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { DAY_SECONDS } from '../../domain/messages/weekly-traffic.ts'
import { SYSTEM_GROUPS, systemGroupsOf } from '../../domain/groups/system-groups.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { type Decision, done } from '../decision.ts'

/** Throws unless the caller is an administrator, or an owner if the old or the new role is owner. */
export function checkRoleRight(
  scope: Pick<Scope<'PERMISSION_MISSING' | 'ROLE_REQUIRED'>, 'caller' | 'fail'>,
  target: User,
  role: Role,
): void {
  // The owner of a bot manages it, and could give it a higher role than their own.
  if (!isAdministrator(scope.caller)) throw scope.fail('PERMISSION_MISSING')
  if (needsOwner(scope.caller, target) || findRoleToGive(scope.caller, role)) checkOwner(scope)
}

/** Gives a user another role, and the groups of that role. */
export function changeRole({ state, now }: ServerScope, user: User, role: Role): Fact[] {
  const userIds = [user.id]
  const wanted = systemGroupsOf(role, isFullMember({ ...user, role }, state.settings.waitingPeriodDays, now))
  const present = Object.values(SYSTEM_GROUPS).filter((id) => state.groups.get(id).directMembers.has(user.id))
  const lost = present.filter((id) => !wanted.includes(id))
  const gained = wanted.filter((id) => !present.includes(id))
  return [
    { type: 'realm_user/update', userId: user.id, changes: { role } },
    ...lost.map((groupId): Fact => ({ type: 'user_group/remove_members', groupId, userIds })),
    ...gained.map((groupId): Fact => ({ type: 'user_group/add_members', groupId, userIds })),
  ]
}

/** Makes exactly the members after their waiting period full members. */
export function updateFullMembers(scope: ServerScope, waitingPeriodDays: number): Fact[] {
  const { state, now } = scope
  const groupId = SYSTEM_GROUPS.fullMembers
  const present = state.groups.get(groupId).directMembers
  const wanted = UserSet.of(
    [...state.users.values()]
      .filter((user) => !user.isSystem && isFullMember(user, waitingPeriodDays, now))
      .map(({ id }) => id),
  )
  const lost = present.difference(wanted).toArray()
  const gained = wanted.difference(present).toArray()
  return [
    ...(lost.length === 0 ? [] : [{ type: 'user_group/remove_members', groupId, userIds: lost } as const]),
    ...(gained.length === 0 ? [] : [{ type: 'user_group/add_members', groupId, userIds: gained } as const]),
  ]
}

/**
 * Makes users full members after their waiting period. Every process submits it; after the first one there is
 * nothing left to change.
 */
export function decideFullMembers(scope: ServerScope): Decision<void> {
  const { waitingPeriodDays } = scope.state.settings
  // Without a waiting period everyone is a full member from the start.
  return done(waitingPeriodDays === 0 ? [] : updateFullMembers(scope, waitingPeriodDays))
}

/** Only members have a waiting period; guests never become full members. */
function isFullMember({ role, joinedAt }: User, waitingPeriodDays: number, nowSeconds: number): boolean {
  return role === ROLES.member && nowSeconds - joinedAt >= waitingPeriodDays * DAY_SECONDS
}
