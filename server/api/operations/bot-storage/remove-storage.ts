/** `DELETE /bot_storage`: removes the calling bot's texts. */

import { MissingBotKeyError, removeBotEntries } from '../../../../db/organization/bot-storage.ts'
import { checkBot } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { keysParam } from './bot-storage-params.ts'

export const removeBotStorage = operation({
  method: 'DELETE',
  path: '/bot_storage',
  summary: "Remove a bot's stored texts",
  description: 'For bots only. Removes texts that the caller has stored: all of the keys, or none.',
  access: 'user',
  params: { keys: keysParam },
  reply: {},
  errors: ['BOT_REQUIRED', 'BOT_STORAGE_KEY_UNKNOWN'],
  events: [],
  async run({ user, params, services: { sql }, fail }) {
    checkBot({ caller: user, fail })
    try {
      await removeBotEntries(sql, user.id, params.keys)
    } catch (error) {
      throw error instanceof MissingBotKeyError ? fail('BOT_STORAGE_KEY_UNKNOWN') : error
    }
    return {}
  },
})
