/** `POST /bots/{bot_id}/api_key/regenerate`. */

import { newApiKey } from '../../../changes/passwords.ts'
import { decideNewBotKey } from '../../../decisions/bots/change-bot-keys.ts'
import { MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import type { UserId } from '../../../domain/ids.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'

export const regenerateBotKey = change({
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  summary: "Regenerate a bot's API key",
  description:
    'For the owner of the bot, and for administrators. Earlier keys become invalid. Within a session it needs a ' +
    'proof, like `POST /users/me/api_key/regenerate`.',
  access: 'user',
  passwordParam: 'password',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.'), ...PROOF_PARAMS },
  reply: { api_key: { schema: STRING, description: 'The key, which the server cannot show again.' } },
  errors: [...MANAGED_BOT_ERRORS, ...KEY_PROOF_ERRORS],
  events: ['api_keys_changed'],
  async prepare({ user, visit, params, services, fail }) {
    await proveForKey(services, { user, visit, params }, fail)
    return { botId: params.bot_id, ...newApiKey() }
  },
  decide: decideNewBotKey,
  answer: (_result, _call, { apiKey }) => ({ api_key: apiKey }),
})
