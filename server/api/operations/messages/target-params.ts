/** The parameters of a message's recipients. */

import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { integer, list, looseJson, type Type, text } from '../../params.ts'

const NAME_LENGTH_MAX = 1_000
const names = list(text({ lengthMax: NAME_LENGTH_MAX }), { lengthMax: 1_000 })
const ids = list(integer(), { lengthMax: 1_000 })

/** One id or name, or a list of ids or of names; text without quotes is a name. */
export const recipientsType: Type<readonly (string | number)[]> = looseJson({
  isText: false,
  schema: { anyOf: [{ type: 'string' }, { type: 'integer' }, names.schema, ids.schema] },
  check(value, name) {
    const items = Array.isArray(value) ? value : [value]
    return items.every((item) => typeof item === 'number') ? ids.check(items, name) : names.check(items, name)
  },
})

/** The topic of a new message; `checkTopicName` validates it. */
export const newTopicType = text({ lengthMax: TOPIC_LENGTH_MAX, trim: true, takesNull: true })
