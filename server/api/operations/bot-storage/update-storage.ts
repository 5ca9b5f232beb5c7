/** `PUT /bot_storage`: stores the calling bot's texts. */

import { FullBotStorageError, storeBotEntries } from '../../../../db/organization/bot-storage.ts'
import { BOT_STORAGE_KEYS_MAX, BOT_STORAGE_LENGTH_MAX } from '../../../domain/limits.ts'
import { checkBot } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { required } from '../../params.ts'
import { entriesType } from './bot-storage-params.ts'

export const updateBotStorage = operation({
  method: 'PUT',
  path: '/bot_storage',
  summary: "Update a bot's stored texts",
  description:
    'For bots only. Stores texts, all or none. A text replaces the one with the same key; other keys stay.',
  access: 'user',
  params: { storage: required(entriesType, 'The texts by key.') },
  reply: {},
  errors: ['BOT_REQUIRED', 'BOT_STORAGE_FULL', 'TOO_MANY_BOT_STORAGE_KEYS'],
  events: [],
  async run({ user, params, services: { sql }, fail }) {
    checkBot({ caller: user, fail })
    try {
      await storeBotEntries(sql, user.id, params.storage)
    } catch (error) {
      if (!(error instanceof FullBotStorageError)) throw error
      const excess = error.length - BOT_STORAGE_LENGTH_MAX
      throw excess > 0
        ? fail('BOT_STORAGE_FULL', { excess, lengthMax: BOT_STORAGE_LENGTH_MAX })
        : fail('TOO_MANY_BOT_STORAGE_KEYS', { countMax: BOT_STORAGE_KEYS_MAX })
    }
    return {}
  },
})
