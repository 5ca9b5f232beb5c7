/** Key-value storage of bots. */

import {
  BOT_STORAGE_KEY_LENGTH_MAX,
  BOT_STORAGE_KEYS_MAX,
  BOT_STORAGE_LENGTH_MAX,
} from '../../domain/limits.ts'
import { fail } from '../../errors/api-error.ts'
import { list, optional, required, text, type Type } from '../params.ts'
import {
  FullBotStorageError,
  MissingBotKeyError,
  readBotEntries,
  removeBotEntries,
  storeBotEntries,
} from '../../../db/organization/bot-storage.ts'
import { checkBot } from '../../decisions/check-caller.ts'
import { operation } from '../operation.ts'
import { STRING } from '../../domain/json-schema.ts'

const keyType = text({ lengthMax: BOT_STORAGE_KEY_LENGTH_MAX })
const valueType = text()

/** Texts by key. */
const entriesType: Type<ReadonlyMap<string, string>> = {
  isText: false,
  schema: { type: 'object', additionalProperties: valueType.schema },
  check(value, name) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw fail('PARAMETER_INVALID', { message: `${name} is not a dict` })
    const entries = Object.entries(value)
    if (entries.length > BOT_STORAGE_KEYS_MAX) {
      const message = `${name} is too long (limit: ${BOT_STORAGE_KEYS_MAX} items)`
      throw fail('PARAMETER_INVALID', { message })
    }
    return new Map(
      entries.map(([key, one]) => [
        keyType.check(key, `${name} key`),
        valueType.check(one, `${name}["${key}"]`),
      ]),
    )
  },
}

/** Keys of stored texts. */
const keysParam = optional(
  list(keyType, { lengthMax: BOT_STORAGE_KEYS_MAX }),
  'The keys, all of which must exist; without it, all keys.',
)

/** `GET /bot_storage`: the texts that the calling bot stores. */
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

/** `PUT /bot_storage`: stores the calling bot's texts. */
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

/** `DELETE /bot_storage`: removes the calling bot's texts. */
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
