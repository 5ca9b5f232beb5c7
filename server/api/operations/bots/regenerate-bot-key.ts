/** `POST /bots/{bot_id}/api_key/regenerate`. */

import type { UserId } from '../../../domain/ids.ts'
import { rotateApiKeys } from '../../changes/change-api-keys.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { createApiKey } from '../../../changes/passwords.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { findManagedBot, MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'

export const regenerateBotKey = operation({
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  summary: "Make a bot's API key anew",
  description: "For the bot's owner, and for administrators. Earlier keys are no longer valid.",
  access: 'user',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.') },
  reply: { api_key: { schema: STRING, description: 'The key, which the server cannot tell again.' } },
  errors: MANAGED_BOT_ERRORS,
  events: ['api_keys_changed'],
  run({ user, params, services: { committer }, fail }) {
    const apiKey = createApiKey()
    return committer.submit({
      kind: 'structure',
      decide(state) {
        const bot = findManagedBot(params.bot_id, state.getUser(user.id), state, fail)
        const { events } = rotateApiKeys(bot.id, apiKey).decide(state)
        return { events, reply: () => ({ api_key: apiKey }) }
      },
    })
  },
})
