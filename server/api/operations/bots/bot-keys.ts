/** API keys of bots. */

import { newApiKey } from '../../../changes/passwords.ts'
import {
  decideMoreBotKeys,
  decideNewBotKey,
  MORE_BOT_KEYS_ERRORS,
} from '../../../decisions/bots/change-bot-keys.ts'
import type { UserId } from '../../../domain/ids.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { isFresh, KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'
import { MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'

/** `GET /bots/{bot_id}/api_key`. */
export const getBotKey = change({
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  summary: "Get a bot's API key",
  description:
    'For the owner of the bot, and for administrators. Keys are stored as hashes, so each call creates a new ' +
    'one; earlier keys stay valid. A bot with 100 keys gets no more, so that keys in use stay valid. ' +
    'Within a session it needs a log-in within the last ten minutes.',
  access: 'user',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.') },
  reply: { api_key: { schema: STRING, description: 'A new key, which the server cannot show again.' } },
  errors: [...MORE_BOT_KEYS_ERRORS, 'RECENT_LOGIN_REQUIRED'],
  events: ['api_keys_changed'],
  prepare({ exchange, params, services, fail }) {
    // A password must not be in an address.
    if (exchange.session && !isFresh(services, exchange.session)) throw fail('RECENT_LOGIN_REQUIRED')
    return { botId: params.bot_id, ...newApiKey() }
  },
  decide: decideMoreBotKeys,
  answer: (_result, _call, { apiKey }) => ({ api_key: apiKey }),
})

/** `POST /bots/{bot_id}/api_key/regenerate`. */
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
  async prepare({ user, exchange, params, services, fail }) {
    await proveForKey(services, { user, exchange, params }, fail)
    return { botId: params.bot_id, ...newApiKey() }
  },
  decide: decideNewBotKey,
  answer: (_result, _call, { apiKey }) => ({ api_key: apiKey }),
})
