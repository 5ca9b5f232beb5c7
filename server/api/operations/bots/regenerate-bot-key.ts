/** `POST /bots/{bot_id}/api_key/regenerate`. */

import { newApiKey } from '../../../changes/passwords.ts'
import { decideNewBotKey } from '../../../decisions/bots/change-bot-keys.ts'
import { MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import type { UserId } from '../../../domain/ids.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const regenerateBotKey = change({
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  summary: "Regenerate a bot's API key",
  description: 'For the owner of the bot, and for administrators. Earlier keys become invalid.',
  access: 'user',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.') },
  reply: { api_key: { schema: STRING, description: 'The key, which the server cannot show again.' } },
  errors: MANAGED_BOT_ERRORS,
  events: ['api_keys_changed'],
  prepare: ({ params }) => ({ botId: params.bot_id, ...newApiKey() }),
  decide: decideNewBotKey,
  answer: (_result, _call, { apiKey }) => ({ api_key: apiKey }),
})
