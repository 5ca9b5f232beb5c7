/** Changing another user's name, role and profile. */

import type { Role, User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { canAdministerUser } from '../../../packages/rules/accounts.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { isLastOwner } from '../../domain/users/user-access.ts'
import { changeRoleWithBots, checkRoleOfBot, roleWithin } from '../bots/bot-roles.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { changeProfile, PROFILE_ERRORS, type ProfileChange } from './change-profile.ts'
import { checkFullName, checkUniqueName, FULL_NAME_ERRORS } from './check-names.ts'
import { checkRoleRight } from './change-roles.ts'
import { findAddressedUser, findTargetUser } from './find-users.ts'

/** Changes of a user; undefined keeps the present value. */
export interface UpdateUserRequest {
  /** By id, or by an email address. */
  readonly target: UserId | string
  readonly fullName: string | undefined
  readonly role: Role | undefined
  readonly profile: ProfileChange | undefined
}

/** How changing a user can fail. */
export const UPDATE_USER_ERRORS = [
  'USER_UNKNOWN',
  'PERMISSION_MISSING',
  ...FULL_NAME_ERRORS,
  'FULL_NAME_TAKEN',
  'ROLE_REQUIRED',
  'LAST_OWNER_DEMOTION',
  'BOT_ROLE_TOO_HIGH',
  'PROFILE_OF_BOT',
  ...PROFILE_ERRORS,
] as const
type UpdateScope = Scope<(typeof UPDATE_USER_ERRORS)[number]>

/** Changes a user, or fails without any change. */
export function decideUserUpdate(
  scope: UpdateScope,
  { target: named, fullName, role, profile }: UpdateUserRequest,
): Decision<void> {
  const target = findChangedUser(scope, named)
  return done([
    ...(fullName === undefined ? [] : changeName(scope, target, fullName)),
    ...(role === undefined || role === target.role ? [] : changeRole(scope, target, role)),
    ...(profile === undefined ? [] : changePersonsProfile(scope, target, profile)),
  ])
}

/** The user, if the caller may change them; the operation asks before it renders their profile. */
export function findChangedUser(
  scope: Scope<'USER_UNKNOWN' | 'PERMISSION_MISSING'>,
  named: UserId | string,
): User {
  const target = typeof named === 'string' ? findAddressedUser(scope, named) : findTargetUser(scope, named)
  if (!canAdministerUser(scope.caller, target)) throw scope.fail('PERMISSION_MISSING')
  return target
}

function changeName(scope: UpdateScope, target: User, fullName: string): Fact[] {
  checkFullName(scope, fullName)
  if (fullName === target.fullName) return []
  checkUniqueName(scope, fullName, target.id)
  return [{ type: 'realm_user/update', userId: target.id, changes: { fullName } }]
}

function changeRole(scope: UpdateScope, target: User, role: Role): Fact[] {
  checkRoleRight(scope, target, role)
  checkRoleOfBot(scope, target, role)
  if (isLastOwner(target, scope.state.users.values())) throw scope.fail('LAST_OWNER_DEMOTION')
  return changeRoleWithBots(scope, target, role)
}

function changePersonsProfile(scope: UpdateScope, target: User, profile: ProfileChange): Fact[] {
  if (target.botType !== null) throw scope.fail('PROFILE_OF_BOT')
  return changeProfile(scope, target, profile)
}

/** Gives a user a role, and lowers with it the bots that would have a higher one. Throws a `ChangeRefused`. */
export function decideRoleByOperator(
  scope: ServerScope,
  { userId, role }: { readonly userId: UserId; readonly role: Role },
): Decision<void> {
  const { state } = scope
  const user = state.getUser(userId)
  const owner = user.botOwnerId === null ? undefined : state.users.get(user.botOwnerId)
  if (!user.isActive) throw new ChangeRefused(`${user.email} is deactivated`)
  if (user.isSystem) throw new ChangeRefused(`${user.email} belongs to the server`)
  if (user.role === role) return done([])
  if (isLastOwner(user, state.users.values())) throw new ChangeRefused(`${user.email} is the last owner`)
  if (owner && roleWithin(role, owner) !== role)
    throw new ChangeRefused('a bot cannot have a higher role than its owner')
  return done(changeRoleWithBots(scope, user, role))
}
