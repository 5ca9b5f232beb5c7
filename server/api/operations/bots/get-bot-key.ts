/** `GET /bots/{bot_id}/api_key`. */

import { newApiKey } from '../../../changes/passwords.ts'
import { decideMoreBotKeys, MORE_BOT_KEYS_ERRORS } from '../../../decisions/bots/change-bot-keys.ts'
import type { UserId } from '../../../domain/ids.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { isFresh } from '../../prove-caller.ts'

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
  prepare({ visit, params, services, fail }) {
    // A password must not be in an address.
    if (visit.session && !isFresh(services, visit.session)) throw fail('RECENT_LOGIN_REQUIRED')
    return { botId: params.bot_id, ...newApiKey() }
  },
  decide: decideMoreBotKeys,
  answer: (_result, _call, { apiKey }) => ({ api_key: apiKey }),
})
