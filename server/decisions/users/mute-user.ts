/** Mutes and unmutes users. */

import { MUTED_USERS_MAX } from '../../domain/limits.ts'
import { type Decision, done } from '../decision.ts'
import { ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'
import { findTargetUser } from './find-users.ts'
import type { AccountRequest } from './deactivate-user.ts'

/** How muting a user can fail. */
export const MUTE_USER_ERRORS = [
  'MUTING_ONESELF',
  'USER_UNKNOWN',
  'USER_MUTED',
  'TOO_MANY_MUTED_USERS',
] as const

/** Mutes a user for the caller. */
export function decideMute(
  scope: Scope<(typeof MUTE_USER_ERRORS)[number]>,
  { userId }: AccountRequest,
): Decision<void> {
  const { state, caller, now, fail } = scope
  if (userId === caller.id) throw fail('MUTING_ONESELF')
  findTargetUser(scope, userId)
  const before = state.mutes.of(caller.id)
  if (before.some((mute) => mute.userId === userId)) throw fail('USER_MUTED')
  if (before.length >= MUTED_USERS_MAX) throw fail('TOO_MANY_MUTED_USERS', { countMax: MUTED_USERS_MAX })
  const mutedUsers = [...before, { userId, mutedAt: now }]
  return done([ownFact(scope, { type: 'muted_users', targetId: userId, mutedUsers })])
}

/** How unmuting a user can fail. */
export const UNMUTE_USER_ERRORS = ['USER_UNKNOWN', 'USER_NOT_MUTED'] as const

/** Unmutes a user. */
export function decideUnmute(
  scope: Scope<(typeof UNMUTE_USER_ERRORS)[number]>,
  { userId }: AccountRequest,
): Decision<void> {
  const { state, caller, fail } = scope
  const before = state.mutes.of(caller.id)
  const mutedUsers = before.filter((mute) => mute.userId !== userId)
  if (mutedUsers.length === before.length) {
    findTargetUser(scope, userId)
    throw fail('USER_NOT_MUTED')
  }
  return done([ownFact(scope, { type: 'muted_users', targetId: userId, mutedUsers })])
}
