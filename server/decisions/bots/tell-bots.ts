/** Tells of bots those who manage them: their owners, and administrators. */

import type { BotSetup } from '../../domain/bots.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { BotChange } from '../../domain/events/users.ts'
import type { UserId } from '../../domain/ids.ts'
import { canAdministerUser } from '../../domain/user-access.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ServerScope } from '../scope.ts'

/** A bot is set up so from now on; those who manage it are told by `tellBotChange`. */
export function setupChanged(botId: UserId, setup: BotSetup): NewEvent {
  return { event: { type: 'bot_setup_changed', botId, setup }, audience: { kind: 'nobody' } }
}

/** A bot came to be. */
export function tellNewBot({ state }: Pick<ServerScope, 'state'>, bot: User): NewEvent[] {
  return tell({ type: 'realm_bot/add', botId: bot.id }, managersOf(state, bot))
}

/** What of a bot changes for those who manage it before and after; nothing where it is a person that changes. */
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

/** A user whose role changes comes to manage bots, or no longer does. */
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
