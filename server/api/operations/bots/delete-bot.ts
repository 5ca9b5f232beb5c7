/** `DELETE /bots/{bot_id}`: deactivates a bot. */

import { MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import { decideBotDeactivation } from '../../../decisions/users/deactivate-user.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { DEACTIVATION_EVENTS } from '../users/accounts.ts'

export const deleteBot = change({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivate a bot',
  description: 'For the owner of the bot, and for administrators. The bot can be reactivated.',
  access: 'user',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.') },
  reply: {},
  errors: MANAGED_BOT_ERRORS,
  events: DEACTIVATION_EVENTS,
  prepare: ({ params }) => ({ botId: params.bot_id }),
  decide: decideBotDeactivation,
})
