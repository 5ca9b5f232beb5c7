/** The operator gives a user another role. */

import type { Role } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { isLastOwner } from '../../domain/users/user-access.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { changeRoleWithBots, roleWithin } from '../bots/bot-roles.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** Gives a user a role, and lowers with it the bots that would have a higher one. Throws a `ChangeRefused`. */
export function decideRoleByOperator(
  scope: ServerScope,
  { userId, role }: { readonly userId: UserId; readonly role: Role },
): Decision<void> {
  const { state } = scope
  const user = state.getUser(userId)
  const owner = user.botOwnerId === null ? undefined : state.users.get(user.botOwnerId)
  if (!user.isActive) throw new ChangeRefused(`${user.email} is deactivated`)
  if (user.isSystem) throw new ChangeRefused(`${user.email} belongs to the server`)
  if (user.role === role) return done([])
  if (isLastOwner(user, state.users.values())) throw new ChangeRefused(`${user.email} is the last owner`)
  if (owner && roleWithin(role, owner) !== role)
    throw new ChangeRefused('a bot cannot have a higher role than its owner')
  return done(changeRoleWithBots(scope, user, role))
}
