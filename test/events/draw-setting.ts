/** Random values for the settings of an operation, from its declaration. */

import type { Fields } from '../harness/client/client.ts'
import { OPERATIONS } from '../../server/api/table.ts'
import type { Random } from './make-random.ts'

/** Texts that at least one of the settings accepts. */
const TEXTS = ['', 'de', 'en', 'python', 'default', 'https://calls.example.com', 'some *text*']
/** Added to the minimum of a number without a maximum. */
const SPAN = 1_000
/** Identifies a user, or has a form of its own. */
const LEFT_OUT = ['full_name', 'email', 'old_password', 'new_password', 'keep_api_keys', 'name', 'timezone']

/** One setting of `PATCH path` with a valid value; without permissions. */
export function drawSetting(random: Random, path: string): Fields {
  const operation = OPERATIONS.find((one) => one.method === 'PATCH' && one.path === path)
  if (!operation) throw new Error(`there is no PATCH ${path}`)
  const plain = Object.entries(operation.params).filter(
    ([name, { type }]) => type.schema.type !== 'object' && !LEFT_OUT.includes(name),
  )
  const [name, { type }] = random.pick(plain)
  return { [name]: drawValue(random, type.schema) }
}

function drawValue(random: Random, schema: Readonly<Record<string, unknown>>): unknown {
  const { type, enum: options, anyOf, minimum = 0, maximum } = schema
  if (Array.isArray(anyOf)) return drawValue(random, random.pick(anyOf))
  if (Array.isArray(options)) return random.pick(options)
  if (type === 'boolean') return random.below(2) === 0
  if (type === 'string') return random.pick(TEXTS)
  const least = Number(minimum)
  return least + random.below(Math.min(Number(maximum ?? Number.POSITIVE_INFINITY) - least, SPAN) + 1)
}
