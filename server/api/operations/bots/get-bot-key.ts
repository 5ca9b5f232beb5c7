/** `GET /bots/{bot_id}/api_key`. */

import type { UserId } from '../../../domain/ids.ts'
import { API_KEYS_PER_USER_MAX } from '../../../domain/limits.ts'
import { addApiKey } from '../../changes/change-api-keys.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { createApiKey } from '../../../changes/passwords.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { findManagedBot, MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'

export const getBotKey = operation({
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  summary: "Get a bot's API key",
  description:
    "For the bot's owner, and for administrators. Keys are stored as hashes, so each call makes one more; earlier keys " +
    'stay valid. A bot that has 100 gets no other: none that is in use is lost by asking.',
  access: 'user',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.') },
  reply: { api_key: { schema: STRING, description: 'A new key, which the server cannot tell again.' } },
  errors: [...MANAGED_BOT_ERRORS, 'TOO_MANY_API_KEYS'],
  events: ['api_keys_changed'],
  run({ user, params, services: { committer }, fail }) {
    const apiKey = createApiKey()
    return committer.submit({
      kind: 'structure',
      decide(state) {
        const bot = findManagedBot(params.bot_id, state.getUser(user.id), state, fail)
        if ((state.apiKeyHashes.get(bot.id)?.length ?? 0) >= API_KEYS_PER_USER_MAX)
          throw fail('TOO_MANY_API_KEYS', { countMax: API_KEYS_PER_USER_MAX })
        const { events } = addApiKey(bot.id, apiKey).decide(state)
        return { events, reply: () => ({ api_key: apiKey }) }
      },
    })
  },
})
