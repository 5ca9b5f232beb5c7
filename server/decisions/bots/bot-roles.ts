/** A bot never has a higher role than its owner: it would keep rights that were taken away. */

import type { Role, User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { changeRole } from '../users/change-roles.ts'

/** The role itself, or the owner's role if that is lower. */
export function roleWithin(role: Role, owner: Pick<User, 'role'>): Role {
  return role < owner.role ? owner.role : role // A smaller number may do more.
}

/** Throws if a bot would have a higher role than its owner. */
export function checkRoleOfBot(
  { state, fail }: Pick<Scope<'BOT_ROLE_TOO_HIGH'>, 'state' | 'fail'>,
  bot: User,
  role: Role,
): void {
  const owner = bot.botOwnerId === null ? undefined : state.users.get(bot.botOwnerId)
  if (owner && role < owner.role) throw fail('BOT_ROLE_TOO_HIGH')
}

/** Gives a user another role, and lowers with it the bots that would have a higher one. */
export function changeRoleWithBots(scope: ServerScope, user: User, role: Role): Fact[] {
  const bots = [...scope.state.users.values()].filter(({ botOwnerId }) => botOwnerId === user.id)
  const higher = bots.filter((bot) => bot.role < role)
  return [user, ...higher].flatMap((one) => changeRole(scope, one, role))
}

/** Lowers all bots that have a higher role than their owner, as an earlier release left them. */
export function decideLowerBots(scope: ServerScope): Decision<void> {
  const { state } = scope
  return done(
    [...state.users.values()].flatMap((bot) => {
      const owner = bot.botOwnerId === null ? undefined : state.users.get(bot.botOwnerId)
      return owner && bot.role < owner.role ? changeRole(scope, bot, owner.role) : []
    }),
  )
}
