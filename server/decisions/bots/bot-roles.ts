/** A bot never has a higher role than its owner: it would keep rights that were taken away. */

import type { Role, User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { changeRole } from '../users/change-roles.ts'

/** The role itself, or the owner's where that is lower. */
export function roleWithin(role: Role, owner: Pick<User, 'role'>): Role {
  return role < owner.role ? owner.role : role // A smaller number may do more.
}

/** Throws where a bot is to have a higher role than its owner. */
export function checkRoleOfBot(
  bot: User,
  role: Role,
  state: OrganizationState,
  fail: Fail<'BOT_ROLE_TOO_HIGH'>,
): void {
  const owner = bot.botOwnerId === null ? undefined : state.users.get(bot.botOwnerId)
  if (owner && role < owner.role) throw fail('BOT_ROLE_TOO_HIGH')
}

/** Gives a user another role, and lowers with it the bots that would have a higher one. */
export function changeRoleWithBots(
  state: OrganizationState,
  user: User,
  role: Role,
  nowSeconds: number,
): NewEvent[] {
  const bots = [...state.users.values()].filter(({ botOwnerId }) => botOwnerId === user.id)
  const higher = bots.filter((bot) => bot.role < role)
  return [user, ...higher].flatMap((one) => changeRole(state, one, role, nowSeconds))
}

/** Lowers all bots that have a higher role than their owner, as an earlier release left them. */
export function decideLowerBots({ state, now }: ServerScope): Decision<void> {
  return done(
    [...state.users.values()].flatMap((bot) => {
      const owner = bot.botOwnerId === null ? undefined : state.users.get(bot.botOwnerId)
      return owner && bot.role < owner.role ? changeRole(state, bot, owner.role, now) : []
    }),
  )
}
