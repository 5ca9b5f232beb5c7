/** The bot of a request. */

import { ROLES, type User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { canAdministerUser } from '../../../packages/rules/accounts.ts'
import { checkOwner } from '../check-caller.ts'
import type { Scope } from '../scope.ts'

/** A request about a bot. */
export interface ManagedBotRequest {
  readonly botId: UserId
}

/** How finding a bot that the caller manages can fail. */
export const MANAGED_BOT_ERRORS = ['BOT_UNKNOWN', 'PERMISSION_MISSING', 'ROLE_REQUIRED'] as const

/**
 * An active bot that the caller manages: their own, or any for administrators. Only owners of the organization manage
 * other people's bots that are owners of it, since the key of a bot gives its rights.
 */
export function findManagedBot(
  scope: Pick<Scope<(typeof MANAGED_BOT_ERRORS)[number]>, 'state' | 'caller' | 'fail'>,
  { botId }: ManagedBotRequest,
): User {
  const { state, caller, fail } = scope
  const bot = state.findVisibleUser(caller, botId)
  if (!bot?.isActive || bot.botType === null || bot.isSystem) throw fail('BOT_UNKNOWN')
  if (!canAdministerUser(caller, bot)) throw fail('PERMISSION_MISSING')
  if (bot.role === ROLES.owner && bot.botOwnerId !== caller.id) checkOwner(scope)
  return bot
}
