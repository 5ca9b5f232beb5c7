/** Who may have bots of which kind, and what they may be called. */

import { BOT_TYPES, type BotType, ROLES, type User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { BOTS_EVER_PER_USER_MAX, BOTS_PER_USER_MAX } from '../../domain/limits.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'

/** Throws where a user may not bring a bot of that type to life. Incoming webhooks, which only write, need less. */
export function checkBotRight(
  user: User,
  type: BotType | null,
  { rights, permissions }: OrganizationState,
  fail: Fail<'PERMISSION_MISSING'>,
): void {
  const isHeld =
    rights.holds(user, permissions.canCreateBots) ||
    (type === BOT_TYPES.incomingWebhook && rights.holds(user, permissions.canCreateWriteOnlyBots))
  if (user.role === ROLES.guest || !isHeld) throw fail('PERMISSION_MISSING')
}

/** Whether another active bot has the name. */
export function isBotNameTaken(name: string, ownId: UserId | undefined, state: OrganizationState): boolean {
  return state.bots.toArray().some((id) => {
    const bot = state.getUser(id)
    return bot.id !== ownId && bot.isActive && bot.fullName === name
  })
}

/** Throws where a person has as many bots as anybody may have. */
export function checkBotCount(ownerId: UserId, state: OrganizationState, fail: Fail<'TOO_MANY_BOTS'>): void {
  const own = state.bots
    .toArray()
    .map((id) => state.getUser(id))
    .filter(({ botOwnerId }) => botOwnerId === ownerId)
  const active = own.filter(({ isActive }) => isActive)
  if (active.length >= BOTS_PER_USER_MAX) throw fail('TOO_MANY_BOTS', { countMax: BOTS_PER_USER_MAX })
  if (own.length >= BOTS_EVER_PER_USER_MAX) throw fail('TOO_MANY_BOTS', { countMax: BOTS_EVER_PER_USER_MAX })
}
