/** Deactivates and reactivates accounts. */

import type { User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import { needsOwner } from '../../../packages/rules/accounts.ts'
import type { UserId } from '../../domain/ids.ts'
import { canAdministerUser } from '../../../packages/rules/accounts.ts'
import { isActivePerson, isLastOwner } from '../../domain/users/user-access.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { checkBotRight, isBotNameTaken } from '../bots/check-bot.ts'
import { findManagedBot, type MANAGED_BOT_ERRORS, type ManagedBotRequest } from '../bots/find-managed-bot.ts'
import { type Decision, done } from '../decision.ts'
import { checkOwner, checkPerson } from '../check-caller.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { endApiKeys } from './change-api-keys.ts'
import { findTargetUser } from './find-users.ts'

/** The user of the request. */
export interface AccountRequest {
  readonly userId: UserId
}

/** How deactivating a user can fail. */
export const DEACTIVATE_USER_ERRORS = [
  'USER_UNKNOWN',
  'PERMISSION_MISSING',
  'USER_DEACTIVATED',
  'ROLE_REQUIRED',
  'LAST_OWNER_DEACTIVATION',
] as const

/** Deactivates a user, and the bots of a person. */
export function decideDeactivation(
  scope: Scope<(typeof DEACTIVATE_USER_ERRORS)[number]>,
  { userId }: AccountRequest,
): Decision<void> {
  const { state, caller, fail } = scope
  const target = findTargetUser(scope, userId)
  if (!canAdministerUser(caller, target)) throw fail('PERMISSION_MISSING')
  if (!target.isActive) throw fail('USER_DEACTIVATED')
  if (needsOwner(caller, target)) checkOwner(scope)
  if (isLastOwner(target, state.users.values())) throw fail('LAST_OWNER_DEACTIVATION')
  return done(deactivateWithBots(scope, target.id))
}

/** How deactivating oneself can fail. */
export const DEACTIVATE_ONESELF_ERRORS = ['BOT_REFUSED', 'LAST_USER_LEAVING'] as const

/** Deactivates the caller, and their bots. */
export function decideOwnDeactivation(
  scope: Scope<(typeof DEACTIVATE_ONESELF_ERRORS)[number]>,
): Decision<void> {
  const { state, caller, fail } = scope
  checkPerson(scope)
  const users = [...state.users.values()]
  if (isLastOwner(caller, users)) throw fail('LAST_USER_LEAVING', { isOwner: true })
  if (users.filter(isActivePerson).length === 1) throw fail('LAST_USER_LEAVING', { isOwner: false })
  return done(deactivateWithBots(scope, caller.id))
}

/** Deactivates a bot. */
export function decideBotDeactivation(
  scope: Scope<(typeof MANAGED_BOT_ERRORS)[number]>,
  request: ManagedBotRequest,
): Decision<void> {
  return done(deactivateWithBots(scope, findManagedBot(scope, request).id))
}

/** Deactivates a user for the operator. Throws a `ChangeRefused`. */
export function decideDeactivationByOperator(scope: ServerScope, { userId }: AccountRequest): Decision<void> {
  const user = scope.state.getUser(userId)
  if (!user.isActive) throw new ChangeRefused(`${user.email} is already deactivated`)
  return done(deactivateWithBots(scope, userId))
}

/** Makes a user's keys invalid for good, since a reactivation removes them, ends their queues, revokes their invitations, and deactivates a person's bots. */
export function deactivateWithBots({ state }: ServerScope, userId: UserId): Fact[] {
  // A person must not act through a bot of a deactivated account.
  const bots = [...state.users.values()].filter((bot) => bot.botOwnerId === userId && bot.isActive)
  const ids = [userId, ...bots.map(({ id }) => id)].sort((a, b) => a - b)
  const accounts = ids.map((id) => changeAccount(id, false))
  if (state.getUser(userId).botType !== null) return accounts
  return [...accounts, { type: 'invites_changed', change: { kind: 'inviter_left', inviterId: userId } }]
}

function changeAccount(userId: UserId, isActive: boolean): Fact {
  return { type: 'realm_user/update', userId, changes: { isActive } }
}

/** How reactivating an account can fail. */
export const REACTIVATE_USER_ERRORS = [
  'USER_UNKNOWN',
  'PERMISSION_MISSING',
  'ROLE_REQUIRED',
  'BOT_OWNER_DEACTIVATED',
  'BOT_NAME_TAKEN_MEANWHILE',
] as const

/** Reactivates an account as it was, but without its API keys: a person logs in, and the owner of a bot makes a new one. */
export function decideReactivation(
  scope: Scope<(typeof REACTIVATE_USER_ERRORS)[number]>,
  { userId }: AccountRequest,
): Decision<void> {
  const { state, caller, fail } = scope
  const target = findTargetUser(scope, userId)
  if (!canAdministerUser(caller, target)) throw fail('PERMISSION_MISSING')
  if (target.isActive) return done([])
  if (needsOwner(caller, target)) checkOwner(scope)
  // Nobody acts through a bot of a deactivated account.
  if (target.botOwnerId !== null && !state.getUser(target.botOwnerId).isActive) {
    throw fail('BOT_OWNER_DEACTIVATED')
  }
  if (target.botType !== null) {
    checkBotRight(scope, target.botType)
    if (isBotNameTaken(scope, target.fullName, target.id))
      throw fail('BOT_NAME_TAKEN_MEANWHILE', { name: target.fullName })
  }
  return done(reactivate(scope, target))
}

/** Makes an account active again, without its API keys. */
export function reactivate(scope: ServerScope, { id }: User): Fact[] {
  return [...endApiKeys(scope, { userId: id }), changeAccount(id, true)]
}
