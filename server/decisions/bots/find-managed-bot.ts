/** The bot that a request is about. */

import { ROLES, type User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { canAdministerUser } from '../../domain/user-access.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'
import { requireOwner } from '../require-role.ts'

/** What can be wrong with a bot that somebody manages. */
export const MANAGED_BOT_ERRORS = [
  'BOT_UNKNOWN',
  'PERMISSION_MISSING',
  'ROLE_REQUIRED',
] as const satisfies readonly ErrorName[]

/**
 * An active bot that the caller manages: their own, or any for administrators. Of those that are owners of the
 * organization, only owners of it manage others' than their own: whoever has a bot's key has its rights.
 */
export function findManagedBot(
  id: UserId,
  caller: User,
  state: OrganizationState,
  fail: Fail<(typeof MANAGED_BOT_ERRORS)[number]>,
): User {
  const bot = state.findKnownUser(caller, id)
  if (!bot?.isActive || bot.botType === null || bot.isSystem) throw fail('BOT_UNKNOWN')
  if (!canAdministerUser(caller, bot)) throw fail('PERMISSION_MISSING')
  if (bot.role === ROLES.owner && bot.botOwnerId !== caller.id) requireOwner(caller, fail)
  return bot
}
