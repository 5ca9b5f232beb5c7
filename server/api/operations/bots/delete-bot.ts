/** `DELETE /bots/{bot_id}`: deactivates a bot. */

import type { UserId } from '../../../domain/ids.ts'
import { deactivateWithBots } from '../../changes/change-users.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { findManagedBot, MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import { DEACTIVATION_EVENTS } from '../users/deactivate-user.ts'

export const deleteBot = operation({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivate a bot',
  description: "For the bot's owner, and for administrators. It is there again after a reactivation.",
  access: 'user',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.') },
  reply: {},
  errors: MANAGED_BOT_ERRORS,
  events: DEACTIVATION_EVENTS,
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const bot = findManagedBot(params.bot_id, state.getUser(user.id), state, fail)
        return { events: deactivateWithBots(state, bot.id), reply: () => ({}) }
      },
    }),
})
