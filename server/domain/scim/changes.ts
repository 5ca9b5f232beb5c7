/** Applies one change of a `PATCH` to a resource, in time in proportion to the values of its attribute. */

import { isObject, type JsonObject, listOf, unwrap, valueOf } from './attributes.ts'
import { type AttributePath, matches } from './filters.ts'
import { refuse } from './scim-error.ts'

/** How an attribute that a provider may write is built: several values of a list, and objects, have these parts. */
export type Shape = 'single' | { readonly parts: readonly string[] } | { readonly list: readonly string[] }
/** The attributes that a provider may write, in their own spelling. Others are ignored, and so are other parts. */
export type Shapes = Readonly<Record<string, Shape>>

export const VERBS = ['add', 'replace', 'remove'] as const

export interface Change {
  readonly verb: (typeof VERBS)[number]
  readonly path: AttributePath
  /** Undefined if there is none, or null. */
  readonly value: unknown
}

/** Characters of a part within a list, which each later change may compare: ids and addresses have at most 254. */
const PART_LENGTH_MAX = 1_000

/** A resource after a change; throws a `ScimError`. */
export function applyChange(resource: JsonObject, change: Change, shapes: Shapes): JsonObject {
  const name = findAttribute(change, shapes)
  if (name === undefined) return resource
  const shape = shapes[name] as Shape
  if (shape === 'single') return put(resource, name, isRemoval(change) ? undefined : unwrap(change.value))
  if ('parts' in shape) return put(resource, name, changeParts(valueOf(resource, name), change, shape.parts))
  return put(resource, name, changeList(listOf(resource, name), change, shape.list))
}

/** The attribute that a change is for; undefined if it is ignored. */
export function findAttribute({ path }: Change, shapes: Shapes): string | undefined {
  return spell(Object.keys(shapes), path.attribute)
}

/** The values of a change of a list. */
export function givenBy({ value }: Change): readonly unknown[] {
  return listOf({ value }, 'value')
}

function isRemoval({ verb, value }: Change): boolean {
  return verb === 'remove' || (value === undefined && verb === 'replace')
}

function changeParts(present: unknown, change: Change, known: readonly string[]): unknown {
  const parts = isObject(present) ? present : {}
  const { part, attribute } = change.path
  if (part !== undefined) {
    const name = spell(known, part)
    return name === undefined ? parts : put(parts, name, isRemoval(change) ? undefined : unwrap(change.value))
  }
  if (isRemoval(change)) return undefined
  const given = unwrap(change.value)
  if (!isObject(given)) throw refuse('invalidValue', `${attribute} must be an object.`)
  const wanted = known.flatMap((name) => {
    const key = spell(Object.keys(given), name)
    return key === undefined ? [] : [[name, given[key] ?? undefined] as const]
  })
  return wanted.reduce((all, [name, value]) => put(all, name, value), parts)
}

function changeList(
  present: readonly unknown[],
  change: Change,
  known: readonly string[],
): readonly unknown[] {
  const { verb, path, value } = change
  const { attribute, filter } = path
  const part = path.part === undefined ? undefined : spell(known, path.part)
  if (path.part !== undefined && part === undefined) return present
  const isMeant = (one: unknown) => !filter || (isObject(one) && matches(filter, one))
  if (isRemoval(change)) {
    if (part !== undefined)
      return present.map((one) => (isMeant(one) && isObject(one) ? put(one, part, undefined) : one))
    // Microsoft Entra names the values to remove beside the path.
    const named = new Set(givenBy(change).map(keyOf))
    return present.filter((one) => !isMeant(one) || (named.size > 0 && !named.has(keyOf(one))))
  }
  const given = givenBy(change).map((one) => keepParts(attribute, one, known))
  if (part !== undefined || filter) {
    const parts =
      part === undefined
        ? asObject(unwrap(given))
        : { [part]: keepScalar(`${attribute}.${part}`, unwrap(value)) }
    const alter = (one: JsonObject): JsonObject => ({ ...one, ...parts })
    if (present.some(isMeant)) return present.map((one) => (isMeant(one) && isObject(one) ? alter(one) : one))
    // There is none yet: Microsoft Entra takes it for granted that it is made.
    const found = filter?.kind === 'eq' ? spell(known, filter.path) : undefined
    return [...present, alter(found !== undefined && filter?.kind === 'eq' ? { [found]: filter.value } : {})]
  }
  if (verb === 'replace') return given
  const keys = new Set(present.map(keyOf))
  return [...present, ...given.filter((one) => !keys.has(keyOf(one)) && keys.add(keyOf(one)))]
}

/** A value of a list with the parts that are known, each a text, a number or a truth value. */
function keepParts(attribute: string, value: unknown, known: readonly string[]): unknown {
  if (!isObject(value)) return keepScalar(attribute, value)
  return Object.fromEntries(
    known.flatMap((part) => {
      const one = unwrap(valueOf(value, part))
      return one === undefined ? [] : [[part, keepScalar(`${attribute}.${part}`, one)]]
    }),
  )
}

function keepScalar(name: string, value: unknown): unknown {
  if (
    (typeof value === 'object' && value !== null) ||
    (typeof value === 'string' && value.length > PART_LENGTH_MAX)
  )
    throw refuse(
      'invalidValue',
      `${name} must be a text of at most ${PART_LENGTH_MAX} characters in one line.`,
    )
  return value
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : { value }
}

/** By this a value of a list is the same as another one. */
function keyOf(value: unknown): unknown {
  const key = isObject(value) ? valueOf(value, 'value') : value
  return typeof key === 'string' ? key.toLowerCase() : key
}

/** The spelling of a name in a list of names; undefined if it is not there. */
function spell(names: readonly string[], name: string): string | undefined {
  return names.includes(name) ? name : names.find((one) => one.toLowerCase() === name.toLowerCase())
}

function put(object: JsonObject, name: string, value: unknown): JsonObject {
  const { [name]: _, ...others } = object
  return value === undefined ? others : { ...others, [name]: value }
}
