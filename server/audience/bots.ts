/** Recipients of facts about bots, beyond their accounts: their managers, that is owners and administrators. */

import type { User } from '../domain/entities.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import type { BotChange } from '../domain/events/bots.ts'
import type { UserId } from '../domain/ids.ts'
import type { Rights } from '../domain/users/rights.ts'
import { canAdministerUser } from '../../packages/rules/accounts.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { NOBODY, noticeTo, type Notifier } from './notifier.ts'
import type { StateChange } from './state-change.ts'

/** Notices of a bot's change, or of its new managers; none for a person. */
export function notifyManagers(
  { before: { rights }, staying }: StateChange,
  bot: User,
  change: BotChange,
): NewEvent[] {
  if (bot.botType === null) return []
  const before = managersOf(bot, rights).intersection(staying)
  const after = managersOf({ ...bot, ...change }, rights).intersection(staying)
  return [
    ...noticeTo(before.intersection(after), { type: 'realm_bot/update', botId: bot.id, change }),
    ...noticeTo(before.difference(after), { type: 'realm_bot/delete', botId: bot.id }),
    ...noticeTo(after.difference(before), { type: 'realm_bot/add', botId: bot.id }),
  ]
}

/** The setup of a new bot is shown with the bot. */
export const notifySetups: Notifier<EventOf<'bot_setup_changed'>> = (facts, change) =>
  facts.flatMap((fact) => {
    const bot = change.before.users.get(fact.botId)
    const notices = bot ? notifyManagers(change, bot, { setup: fact.setup }) : []
    return [{ event: fact, audience: NOBODY }, ...notices]
  })

/** Notices of new bots, after everything that is shown with them. */
export function notifyNewBots({ before: { rights }, facts }: StateChange): readonly NewEvent[] {
  return facts.flatMap((fact) => {
    if (fact.type !== 'realm_user/add' || fact.user.botType === null || fact.user.isSystem) return []
    return noticeTo(managersOf(fact.user, rights), { type: 'realm_bot/add', botId: fact.user.id })
  })
}

/** Notices of bots that users manage, or no longer manage, with a new role. */
export function notifyBotsByRole({ before: state, roleChanges }: StateChange): readonly NewEvent[] {
  return roleChanges.flatMap(({ before, after }) =>
    state.bots.toArray().flatMap((botId): NewEvent[] => {
      const bot = state.getUser(botId)
      const isShown = canAdministerUser(after, bot)
      if (bot.isSystem || isShown === canAdministerUser(before, bot)) return []
      return noticeTo(UserSet.of([after.id]), { type: isShown ? 'realm_bot/add' : 'realm_bot/delete', botId })
    }),
  )
}

/** The active administrators, and the bot's owner if they are active. */
function managersOf({ botOwnerId }: User, { activeAdministrators, activeUsers }: Rights): UserSet {
  const owner: UserId[] = botOwnerId !== null && activeUsers.has(botOwnerId) ? [botOwnerId] : []
  return activeAdministrators.with(owner)
}
