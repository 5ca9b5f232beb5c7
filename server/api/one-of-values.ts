/** A parameter that accepts listed values. */

import { fail } from '../errors/api-error.ts'
import { integer, text, type Type } from './params.ts'

/** Longer than any accepted value. */
const VALUE_LENGTH_MAX = 100

/** One of some numbers, or one of some strings. */
export function oneOfValues<const Value extends string | number>(options: readonly Value[]): Type<Value> {
  const isNumber = typeof options[0] === 'number'
  const type = (isNumber ? integer() : text({ lengthMax: VALUE_LENGTH_MAX })) as Type<string | number>
  return {
    ...type,
    schema: { type: isNumber ? 'integer' : 'string', enum: options },
    check(value, name) {
      const checked = type.check(value, name) as Value
      if (!options.includes(checked)) throw fail('PARAMETER_INVALID', { message: `Invalid ${name}` })
      return checked
    },
  }
}
