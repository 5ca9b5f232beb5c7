/** The longest text that a parameter's schema allows: longer text is refused unread. */

import { derived } from '../domain/messages/derived.ts'
import type { Schema } from '../domain/json-schema.ts'

/** Characters of a number with its sign and separator, in indented JSON. */
const SCALAR_LENGTH = 32
/** Characters of JSON per character of text: two halves, each escaped. */
const ESCAPED_LENGTH = 12
/** Bytes per character of JSON in a form: some are escaped again. */
const ENCODED_BYTES = 2
/** Bytes of a body besides its operation's parameters: names, and unknown parameters. */
const BESIDE_BYTES = 64 * 1024

/** Characters of any text that may be read, to explain the error. */
const READ_LENGTH_MIN = 16 * 1024

/** Something with a JSON Schema. */
interface Described {
  readonly schema: Schema
}

/** Characters of the longest text that is read for a type. */
export function readLengthMax(type: Described): number {
  return Math.max(READ_LENGTH_MIN, longestText(type))
}

/** Characters of the longest text that a type accepts; infinite if its schema has no limit. */
const longestText = derived((type: Described): number => longest(type.schema))

/** Bytes of the longest form with these parameters. */
export const longestForm = derived(
  (params: Readonly<Record<string, { readonly type: Described }>>): number => {
    const lengths = Object.values(params).map(({ type }) => longestText(type))
    return lengths.reduce((sum, length) => sum + ENCODED_BYTES * length, BESIDE_BYTES)
  },
)

function longest(schema: Schema): number {
  const { type, anyOf, maxLength, items, maxItems, properties, additionalProperties } = schema
  const options = (anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  if (options) return Math.max(...options.map(longest))
  if (schema.enum || 'const' in schema)
    return 2 * JSON.stringify(schema.enum ?? schema.const).length + SCALAR_LENGTH
  switch (type) {
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return SCALAR_LENGTH
    case 'string':
      return typeof maxLength === 'number'
        ? ESCAPED_LENGTH * maxLength + SCALAR_LENGTH
        : Number.POSITIVE_INFINITY
    case 'array':
      return typeof maxItems === 'number'
        ? maxItems * (longest((items ?? {}) as Schema) + SCALAR_LENGTH)
        : Number.POSITIVE_INFINITY
    case 'object': {
      if (!properties || additionalProperties) return Number.POSITIVE_INFINITY
      const fields = Object.entries(properties as Record<string, Schema>)
      // The same again for fields of newer clients.
      return fields.reduce(
        (sum, [name, field]) => sum + 2 * (name.length + longest(field)) + SCALAR_LENGTH,
        0,
      )
    }
    default:
      return Number.POSITIVE_INFINITY
  }
}
