/** The bot that a request is about. */

import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { canAdministerUser } from '../domain/user-access.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Fail } from './errors.ts'

/** An active bot that the caller manages: their own, or any for administrators. */
export function findManagedBot(
  id: UserId,
  caller: User,
  { users }: OrganizationState,
  fail: Fail<'BOT_UNKNOWN' | 'PERMISSION_MISSING'>,
): User {
  const bot = users.get(id)
  if (!bot?.isActive || bot.botType === null || bot.isSystem) throw fail('BOT_UNKNOWN')
  if (!canAdministerUser(caller, bot)) throw fail('PERMISSION_MISSING')
  return bot
}
