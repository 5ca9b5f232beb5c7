/** Checks replies against the declarations in the table of operations. */

import { ERRORS } from '../../../server/errors/api-error.ts'
import { createNames } from '../../../server/views/names.ts'
import type { Operation } from '../../../server/api/operation.ts'
import type { Schema } from '../../../server/domain/json-schema.ts'
import { operationsOf } from '../../../server/api/table.ts'

const OPERATIONS = operationsOf(true)
const PATTERNS = new Map(OPERATIONS.map((operation) => [operation, pathPattern(operation)]))
const NAMES = createNames(true)
/** Requests whose operation is kept: more than a file has, few enough for a process that runs a hundred files. */
const MATCHED_MAX = 2_000
/** The fields of each reply, by all their names. */
const DECLARED = new Map(OPERATIONS.map(({ reply }) => [reply, NAMES.addAliases(reply)] as const))

/** By method and path: a test asks for the same ones again and again, and each search tries hundreds of patterns. */
const matched = new Map<string, Operation | undefined>()

/** The operation of a request, if there is one. */
export function matchOperation(method: string, path: string): Operation | undefined {
  const key = `${method} ${path}`
  if (!matched.has(key)) {
    if (matched.size === MATCHED_MAX) matched.clear()
    matched.set(key, findOperation(method, path))
  }
  return matched.get(key)
}

function findOperation(method: string, path: string): Operation | undefined {
  const matching = OPERATIONS.filter(
    (operation) => operation.method === method && PATTERNS.get(operation)?.test(path),
  )
  return matching.find(({ path: own }) => own === path) ?? matching[0]
}

function pathPattern({ path, params }: Operation): RegExp {
  const piece = (_: string, name: string) => (params[name]?.type.takesSlashes ? '.+' : '[^/]+')
  return new RegExp(`^${path.replaceAll(/\{([a-z_]+)\}/g, piece)}$`)
}

/** Throws if a success has other fields than its operation declares, or fields of other types. */
export function checkReply({ method, path, reply }: Operation, body: Record<string, unknown>): void {
  const { result, msg, ignored_parameters_unsupported: ignored = [], ...fields } = body
  const problems = [
    ...(result === 'success' && msg === '' ? [] : ['result and msg are not those of a success']),
    ...findProblems(ignored, { type: 'array', items: { type: 'string' } }, 'ignored_parameters_unsupported'),
  ]
  for (const [name, { isOptional }] of Object.entries(reply)) {
    if (!isOptional && !Object.hasOwn(fields, name)) problems.push(`${name} is missing`)
  }
  const declared = DECLARED.get(reply) ?? NAMES.addAliases(reply)
  for (const [name, value] of Object.entries(fields)) {
    const field = Object.hasOwn(declared, name) ? declared[name] : undefined
    problems.push(...(field ? findProblems(value, field.schema, name) : [`${name} is not declared`]))
  }
  if (problems.length > 0) throw new Error(`the reply of ${method} ${path}: ${problems.join('; ')}`)
}

/** The errors of a value, by the part of JSON Schema that the replies use. */
export function findProblems(value: unknown, schema: Schema, name: string): string[] {
  return problemsOf(value, schema).map((problem) => name + problem)
}

/** Most values have no problem, so a path is written only behind one: it begins each of the texts. */
function problemsOf(value: unknown, schema: Schema): readonly string[] {
  const { type, anyOf, enum: options, items, maxItems, properties = {}, required = [] } = schema
  const { additionalProperties } = schema
  if (Array.isArray(anyOf)) {
    const found: string[] = []
    for (const one of anyOf as Schema[]) {
      const problems = problemsOf(value, one)
      if (problems.length === 0) return problems
      found.push(...problems)
    }
    return found
  }
  if (type !== undefined && !hasType(value, type)) return [` is not of type ${JSON.stringify(type)}`]
  const found: string[] = []
  const check = (part: unknown, place: string | number, partSchema: Schema) => {
    const problems = problemsOf(part, partSchema)
    if (problems.length === 0) return
    const prefix = typeof place === 'number' ? `[${place}]` : `.${place}`
    found.push(...problems.map((problem) => prefix + problem))
  }
  if (Array.isArray(options) && !options.includes(value)) found.push(` is none of ${options.join(', ')}`)
  if (Array.isArray(value) && value.length > Number(maxItems ?? Infinity)) found.push(' is too long')
  if (Array.isArray(value) && items !== undefined) {
    for (const [index, item] of value.entries()) check(item, index, items as Schema)
  }
  if (type === 'object') {
    for (const key of required as string[]) {
      if (!Object.hasOwn(value as object, key)) found.push(`.${key} is missing`)
    }
    for (const [key, part] of Object.entries(value as object)) {
      const known = Object.hasOwn(properties as object, key) && (properties as Record<string, Schema>)[key]
      if (known) check(part, key, known)
      else if (additionalProperties === false) found.push(`.${key} is not declared`)
      else if (typeof additionalProperties === 'object') check(part, key, additionalProperties as Schema)
    }
  }
  return found
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value) || value === 1e16 // The anchor after every message.
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

/** Throws if a failure has a code that is not in the table, or no message. */
export function checkFailure(status: number, body: Record<string, unknown>): void {
  const known = Object.values(ERRORS) as { status: number; code?: string }[]
  const isKnown = known.some((one) => one.status === status && one.code === body.code)
  if (isKnown && body.result === 'error' && typeof body.msg === 'string' && body.msg !== '') return
  throw new Error(`no error of the table is answered with ${status} and ${JSON.stringify(body)}`)
}
