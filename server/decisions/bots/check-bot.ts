/** Limits of bots: the users who may make each kind, the number of bots, and their names. */

import { canCreateBots } from '../../../packages/rules/accounts.ts'
import { BOT_TYPES, type BotType } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { BOTS_EVER_PER_USER_MAX, BOTS_PER_USER_MAX } from '../../domain/limits.ts'
import type { Scope, ServerScope } from '../scope.ts'

/** Throws unless the caller may make or reactivate a bot of that type. */
export function checkBotRight(
  { state, caller, fail }: Pick<Scope<'PERMISSION_MISSING'>, 'state' | 'caller' | 'fail'>,
  type: BotType | null,
): void {
  const isWriteOnly = type === BOT_TYPES.incomingWebhook
  if (!canCreateBots(caller, state, { isWriteOnly })) throw fail('PERMISSION_MISSING')
}

/** Whether an active bot has the name, apart from the bot with the id. */
export function isBotNameTaken({ state }: Pick<ServerScope, 'state'>, name: string, ownId?: UserId): boolean {
  return state.bots.toArray().some((id) => {
    const bot = state.getUser(id)
    return bot.id !== ownId && bot.isActive && bot.fullName === name
  })
}

/** Throws if a person already has the most bots that a person may have. */
export function checkBotCount(
  { state, fail }: Pick<Scope<'TOO_MANY_BOTS'>, 'state' | 'fail'>,
  ownerId: UserId,
): void {
  const own = state.bots
    .toArray()
    .map((id) => state.getUser(id))
    .filter(({ botOwnerId }) => botOwnerId === ownerId)
  const active = own.filter(({ isActive }) => isActive)
  if (active.length >= BOTS_PER_USER_MAX) throw fail('TOO_MANY_BOTS', { countMax: BOTS_PER_USER_MAX })
  if (own.length >= BOTS_EVER_PER_USER_MAX) throw fail('TOO_MANY_BOTS', { countMax: BOTS_EVER_PER_USER_MAX })
}
