/** `GET /bot_storage`: the texts that the calling bot stores. */

import { MissingBotKeyError, readBotEntries } from '../../../../db/organization/bot-storage.ts'
import { checkBot } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { keysParam } from './bot-storage-params.ts'

export const getBotStorage = operation({
  method: 'GET',
  path: '/bot_storage',
  summary: "Get a bot's stored texts",
  description:
    'For bots only. Returns the texts that the caller has stored, by key; other users cannot read them.',
  access: 'user',
  params: { keys: keysParam },
  reply: {
    storage: {
      schema: { type: 'object', additionalProperties: STRING },
      description: 'The texts by key.',
    },
  },
  errors: ['BOT_REQUIRED', 'BOT_STORAGE_KEY_UNKNOWN'],
  events: [],
  async run({ user, params, services: { sql }, fail }) {
    checkBot({ caller: user, fail })
    try {
      return { storage: Object.fromEntries(await readBotEntries(sql, user.id, params.keys)) }
    } catch (error) {
      throw error instanceof MissingBotKeyError ? fail('BOT_STORAGE_KEY_UNKNOWN') : error
    }
  },
})
