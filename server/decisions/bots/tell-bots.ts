/** Events for the users who manage a bot: its owner, and administrators. */

import type { BotSetup } from '../../domain/bots.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { BotChange } from '../../domain/events/users.ts'
import type { UserId } from '../../domain/ids.ts'
import { canAdministerUser } from '../../domain/user-access.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ServerScope } from '../scope.ts'

/** The new setup of a bot; `tellBotChange` tells its managers. */
export function setupChanged(botId: UserId, setup: BotSetup): NewEvent {
  return { event: { type: 'bot_setup_changed', botId, setup }, audience: { kind: 'nobody' } }
}

/** Tells the managers of a new bot. */
export function tellNewBot({ state }: Pick<ServerScope, 'state'>, bot: User): NewEvent[] {
  return tell({ type: 'realm_bot/add', botId: bot.id }, managersOf(state, bot))
}

/** Tells the managers of a bot, before and after, of its change; nothing for a person. */
export function tellBotChange(
  { state }: Pick<ServerScope, 'state'>,
  bot: User,
  change: BotChange,
): NewEvent[] {
  if (bot.botType === null) return []
  const before = managersOf(state, bot)
  const after = managersOf(state, { ...bot, ...change })
  return [
    ...tell({ type: 'realm_bot/update', botId: bot.id, change }, before.intersection(after)),
    ...tell({ type: 'realm_bot/delete', botId: bot.id }, before.difference(after)),
    ...tell({ type: 'realm_bot/add', botId: bot.id }, after.difference(before)),
  ]
}

/** Tells a user whose role changes of the bots that they now manage, or no longer manage. */
export function tellSightOfBots(
  { state }: Pick<ServerScope, 'state'>,
  before: User,
  after: User,
): NewEvent[] {
  if (!after.isActive) return []
  const bots = state.bots
    .toArray()
    .map((id) => state.getUser(id))
    .filter(({ isSystem }) => !isSystem)
  return bots.flatMap((bot) => {
    const isShown = canAdministerUser(after, bot)
    if (isShown === canAdministerUser(before, bot)) return []
    return tell(
      { type: isShown ? 'realm_bot/add' : 'realm_bot/delete', botId: bot.id },
      UserSet.of([after.id]),
    )
  })
}

/** Active administrators, and the owner, in order. */
function managersOf({ rights }: OrganizationState, { botOwnerId }: User): UserSet {
  const owner: UserId[] = botOwnerId !== null && rights.activeUsers.has(botOwnerId) ? [botOwnerId] : []
  return rights.activeAdministrators.with(owner)
}

function tell(event: NewEvent['event'], users: UserSet): NewEvent[] {
  return users.size === 0 ? [] : [{ event, audience: { kind: 'users', users } }]
}
