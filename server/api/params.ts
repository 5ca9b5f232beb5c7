/**
 * Parameters: how the text of a request becomes typed values, and how the reference describes them.
 *
 * A parameter arrives as text. Plain text is used unchanged; any other type is JSON in that text. A type that accepts
 * both is JSON if it parses, and otherwise the text itself, since some clients omit the quotes.
 */

import type { Schema } from '../domain/json-schema.ts'
import { countCodePoints } from '../../packages/rules/count-code-points.ts'
import { ownText } from '../domain/text/own-text.ts'
import { fail } from '../errors/api-error.ts'
import { readLengthMax } from './longest-text.ts'
import { parseJson } from './parse-json.ts'

/** The type of a parameter's value. */
export interface Type<Value> {
  /** Returns the value, or throws an error that names the parameter. */
  check(value: unknown, name: string): Value
  /** Whether the text of the request is the value itself rather than JSON. */
  readonly isText: boolean
  /** Whether text that is not JSON is the value itself. */
  readonly isLoose?: boolean
  /** Whether it takes the rest of the path, with slashes, at a path's end. */
  readonly takesSlashes?: true
  readonly schema: Schema
}

/** The declaration of a parameter. */
export interface Param<Value> {
  readonly type: Type<unknown>
  readonly isRequired: boolean
  readonly defaultValue: Value
  readonly description: string
  /** The names that older clients use. */
  readonly aliases: readonly string[]
  readonly isDeprecated: boolean
}

export type Params = Readonly<Record<string, Param<unknown>>>
export type ValuesOf<P extends Params> = {
  readonly [Name in keyof P]: P[Name] extends Param<infer Value> ? Value : never
}

interface ParamNotes {
  readonly aliases?: readonly string[]
  readonly isDeprecated?: boolean
}

/** A parameter that must be present. */
export function required<Value>(
  type: Type<Value>,
  description: string,
  notes: ParamNotes = {},
): Param<Value> {
  return declare(type, description, notes, { isRequired: true, defaultValue: undefined as Value })
}

/** A parameter that may be missing. */
export function optional<Value>(
  type: Type<Value>,
  description: string,
  notes: ParamNotes = {},
): Param<Value | undefined> {
  return declare<Value | undefined>(type, description, notes, { isRequired: false, defaultValue: undefined })
}

/** A parameter with a default. */
export function defaulted<Value>(
  type: Type<Value>,
  defaultValue: Value,
  description: string,
  notes: ParamNotes = {},
): Param<Value> {
  return declare(type, description, notes, { isRequired: false, defaultValue })
}

function declare<Value>(
  type: Type<unknown>,
  description: string,
  { aliases = [], isDeprecated = false }: ParamNotes,
  presence: Pick<Param<Value>, 'isRequired' | 'defaultValue'>,
): Param<Value> {
  return { type, ...presence, description, aliases, isDeprecated }
}

function invalid(message: string) {
  return fail('PARAMETER_INVALID', { message })
}

function tooLong(name: string, lengthMax: number) {
  return invalid(`${name} is too long (limit: ${lengthMax} characters)`)
}

/**
 * Text, limited in Unicode code points, without null characters, which the database cannot store; with `takesNull` the
 * operation refuses them with its own error.
 */
export function text({
  lengthMax,
  trim = false,
  blank = true,
  takesNull = false,
}: {
  lengthMax?: number
  /** `end` leaves the beginning, where white space is a code block. */
  trim?: boolean | 'end'
  blank?: boolean
  takesNull?: boolean
} = {}): Type<string> {
  return {
    isText: true,
    schema: { type: 'string', ...(lengthMax === undefined ? {} : { maxLength: lengthMax }) },
    check(value, name) {
      if (typeof value !== 'string') throw invalid(`${name} is not a string`)
      // Text that is far too long is not checked further.
      if (lengthMax !== undefined && !trim && value.length > 2 * lengthMax) throw tooLong(name, lengthMax)
      if (!takesNull && value.includes('\0')) throw invalid(`${name} must not contain null characters`)
      const whole = value.isWellFormed() ? value : value.toWellFormed()
      const result = trim ? ownText(trim === 'end' ? whole.trimEnd() : whole.trim(), whole) : whole // A trimmed copy does not hold the original's memory.
      if (!blank && result.trim() === '') throw invalid(`${name} cannot be blank`)
      if (lengthMax !== undefined && result.length > lengthMax && countCodePoints(result) > lengthMax) {
        throw tooLong(name, lengthMax)
      }
      return result
    },
  }
}

/** An integer. */
export function integer({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}): Type<number> {
  return {
    isText: false,
    schema: {
      type: 'integer',
      ...(min === Number.MIN_SAFE_INTEGER ? {} : { minimum: min }),
      ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }),
    },
    check(value, name) {
      if (!Number.isSafeInteger(value)) throw invalid(`${name} is not an integer`)
      if ((value as number) < min || (value as number) > max) throw invalid(`Invalid ${name}`)
      return (value as number) + 0 // Minus zero becomes zero: JavaScript distinguishes them, the database does not.
    },
  }
}

/** An id: an integer that fits a 32 or 53 bit column. Operations detect unknown ids. */
export function id<Id extends number>(): Type<Id> {
  return integer() as Type<number> as Type<Id>
}

export function boolean(): Type<boolean> {
  return {
    isText: false,
    schema: { type: 'boolean' },
    check(value, name) {
      if (typeof value !== 'boolean') throw invalid(`${name} is not a boolean`)
      return value
    },
  }
}

/** One of some strings. */
export function oneOf<const Option extends string>(...options: readonly Option[]): Type<Option> {
  return {
    isText: true,
    schema: { type: 'string', enum: options },
    check(value, name) {
      if (!options.includes(value as Option)) throw invalid(`Invalid ${name}`)
      return value as Option
    },
  }
}

/** A list of values of one type. */
export function list<Value>(type: Type<Value>, { lengthMax = 10_000 } = {}): Type<readonly Value[]> {
  return {
    isText: false,
    schema: { type: 'array', items: type.schema, maxItems: lengthMax },
    check(value, name) {
      if (!Array.isArray(value)) throw invalid(`${name} is not a list`)
      if (value.length > lengthMax) throw invalid(`${name} is too long (limit: ${lengthMax} items)`)
      return value.map((item, index) => type.check(item, `${name}[${index}]`))
    },
  }
}

/** An object with known fields; drops others. */
export function object<Fields extends Params>(fields: Fields): Type<ValuesOf<Fields>> {
  const known = Object.entries(fields)
  return {
    isText: false,
    schema: {
      type: 'object',
      properties: Object.fromEntries(known.map(([name, { type }]) => [name, type.schema])),
      required: known.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
    },
    check(value, name) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw invalid(`${name} is not a dict`)
      const checked: Record<string, unknown> = {}
      for (const [field, { type, isRequired, defaultValue }] of known) {
        const part = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined
        if (part !== undefined) checked[field] = type.check(part, `${name}["${field}"]`)
        else if (isRequired) throw invalid(`${name}["${field}"] field is missing: Field required`)
        else checked[field] = defaultValue
      }
      return checked as ValuesOf<Fields>
    },
  }
}

/** Null, or a value of a type. */
export function nullable<Value>(type: Type<Value>): Type<Value | null> {
  return {
    isText: false,
    schema: { anyOf: [type.schema, { type: 'null' }] },
    check: (value, name) => (value === null ? null : type.check(value, name)),
  }
}

/** A value of the first type that accepts it. */
export function anyOf<Types extends readonly Type<unknown>[]>(
  ...types: Types
): Type<Types[number] extends Type<infer Value> ? Value : never> {
  return {
    isText: false,
    isLoose: types.some(({ isText }) => isText),
    schema: { anyOf: types.map((type) => type.schema) },
    check(value, name) {
      for (const type of types) {
        try {
          return type.check(value, name) as never
        } catch {
          // Another type may accept it; if none does, the value is invalid.
        }
      }
      throw invalid(`Invalid ${name}`)
    },
  }
}

/** A type whose text in the request may lack the quotes of JSON. */
export function looseJson<Value>(type: Type<Value>): Type<Value> {
  return { ...type, isText: false, isLoose: true }
}

/** Reads the declared parameters from the fields of a request. */
export function decodeParams<P extends Params>(params: P, fields: ReadonlyMap<string, string>): ValuesOf<P> {
  const values: Record<string, unknown> = {}
  for (const name in params) {
    const param = params[name] as Param<unknown>
    let raw = fields.get(name)
    if (raw === undefined) for (const alias of param.aliases) raw ??= fields.get(alias)
    if (raw === undefined) {
      if (param.isRequired) throw fail('PARAMETER_MISSING', { name })
      values[name] = param.defaultValue
    } else values[name] = param.type.check(readText(raw, param.type, name), name)
  }
  return values as ValuesOf<P>
}

function readText(raw: string, type: Type<unknown>, name: string): unknown {
  const { isText, isLoose } = type
  if (isText) return raw
  if (raw === 'true') return true
  if (raw === 'false') return false
  if (raw.length > readLengthMax(type)) throw invalid(`${name} is too long`)
  try {
    return parseJson(raw)
  } catch {
    if (isLoose) return raw
    throw invalid(`${name} is not valid JSON`)
  }
}
