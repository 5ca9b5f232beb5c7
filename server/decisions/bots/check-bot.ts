/** Who may have bots of which kind, and how many, and how bots may be called. */

import { BOT_TYPES, type BotType, ROLES } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { BOTS_EVER_PER_USER_MAX, BOTS_PER_USER_MAX } from '../../domain/limits.ts'
import type { Scope, ServerScope } from '../scope.ts'

/** Throws where the caller may not bring a bot of that type to life. Incoming webhooks, which only write, need less. */
export function checkBotRight(
  { state, caller, fail }: Pick<Scope<'PERMISSION_MISSING'>, 'state' | 'caller' | 'fail'>,
  type: BotType | null,
): void {
  const { rights, permissions } = state
  const isHeld =
    rights.holds(caller, permissions.canCreateBots) ||
    (type === BOT_TYPES.incomingWebhook && rights.holds(caller, permissions.canCreateWriteOnlyBots))
  if (caller.role === ROLES.guest || !isHeld) throw fail('PERMISSION_MISSING')
}

/** Whether another active bot than the one of an id has the name. */
export function isBotNameTaken({ state }: Pick<ServerScope, 'state'>, name: string, ownId?: UserId): boolean {
  return state.bots.toArray().some((id) => {
    const bot = state.getUser(id)
    return bot.id !== ownId && bot.isActive && bot.fullName === name
  })
}

/** Throws where a person has as many bots as anybody may have. */
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
