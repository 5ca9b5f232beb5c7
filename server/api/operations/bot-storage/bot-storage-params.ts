/** The parameters of a bot's storage. */

import { BOT_STORAGE_KEY_LENGTH_MAX, BOT_STORAGE_KEYS_MAX } from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import { list, optional, text, type Type } from '../../params.ts'

const keyType = text({ lengthMax: BOT_STORAGE_KEY_LENGTH_MAX })
const valueType = text()

/** Texts by key. */
export const entriesType: Type<ReadonlyMap<string, string>> = {
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
export const keysParam = optional(
  list(keyType, { lengthMax: BOT_STORAGE_KEYS_MAX }),
  'The keys, all of which must exist; without it, all keys.',
)
