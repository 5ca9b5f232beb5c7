/** Changes of a SCIM resource by `PATCH` (RFC 7644, 3.5.2), also in the forms that Okta and Microsoft Entra send. */

import { isObject, type JsonObject, listOf, unwrap, valueOf } from './attributes.ts'
import { type AttributePath, matches, parsePath } from './filters.ts'
import { refuse } from './scim-error.ts'

/** How an attribute that a provider may write is built. */
export type Shape = 'single' | 'parts' | 'list'
/** The attributes that a provider may write, in their own spelling. Others are ignored. */
export type Shapes = Readonly<Record<string, Shape>>

/** Operations of a request. */
const OPERATIONS_MAX = 1_000
const READ_ONLY: readonly string[] = ['id', 'meta', 'schemas', 'groups']
const VERBS = ['add', 'replace', 'remove'] as const
type Verb = (typeof VERBS)[number]

interface Change {
  readonly verb: Verb
  readonly path: AttributePath
  readonly value: unknown
}

/** A resource after the operations of a body; throws a `ScimError`. */
export function applyPatch(resource: JsonObject, body: JsonObject, shapes: Shapes): JsonObject {
  const operations = listOf(body, 'Operations')
  if (operations.length === 0) throw refuse('invalidSyntax', 'The body has no Operations.')
  if (operations.length > OPERATIONS_MAX)
    throw refuse('tooMany', `The body has more than ${OPERATIONS_MAX} Operations.`)
  let changed: JsonObject = resource
  for (const operation of operations)
    for (const change of readOperation(operation)) changed = apply(changed, change, shapes)
  return changed
}

/** An operation without a path has a change for each attribute of its value, whose names may be paths. */
function readOperation(operation: unknown): readonly Change[] {
  if (!isObject(operation)) throw refuse('invalidSyntax', 'An operation must be an object.')
  const given = valueOf(operation, 'op')
  const verb = VERBS.find((one) => typeof given === 'string' && one === given.toLowerCase())
  if (verb === undefined) throw refuse('invalidSyntax', 'An operation must be add, replace or remove.')
  const value = valueOf(operation, 'value')
  const path = valueOf(operation, 'path')
  if (typeof path === 'string' && path !== '') {
    const parsed = parsePath(path)
    if (READ_ONLY.includes(parsed.attribute))
      throw refuse('mutability', `${parsed.attribute} cannot be changed.`)
    return [{ verb, path: parsed, value }]
  }
  if (path !== undefined && path !== '') throw refuse('invalidPath', 'The path must be a text.')
  if (verb === 'remove') throw refuse('invalidPath', 'An operation that removes needs a path.')
  if (!isObject(value))
    throw refuse('invalidSyntax', 'An operation without a path needs an object as its value.')
  return Object.entries(value).flatMap(([name, one]) =>
    // An extension with attributes of its own; none is kept here.
    name.startsWith('urn:') && isObject(one)
      ? []
      : [{ verb, path: parsePath(name), value: one ?? undefined }],
  )
}

function apply(resource: JsonObject, { verb, path, value }: Change, shapes: Shapes): JsonObject {
  const name = Object.keys(shapes).find((one) => one.toLowerCase() === path.attribute)
  if (name === undefined) return resource
  const isRemoval = verb === 'remove' || (value === undefined && verb === 'replace')
  switch (shapes[name]) {
    case 'single':
      return put(resource, name, isRemoval ? undefined : unwrap(value))
    case 'parts':
      return put(resource, name, changeParts(valueOf(resource, name), { verb, path, value }, isRemoval))
    default:
      return put(resource, name, changeList(listOf(resource, name), { verb, path, value }, isRemoval))
  }
}

function changeParts(present: unknown, { path, value }: Change, isRemoval: boolean): unknown {
  const parts = isObject(present) ? present : {}
  if (path.part !== undefined)
    return put(parts, partOf(parts, path.part), isRemoval ? undefined : unwrap(value))
  if (isRemoval) return undefined
  const given = unwrap(value)
  if (!isObject(given)) throw refuse('invalidValue', `${path.attribute} must be an object.`)
  return Object.entries(given).reduce(
    (all, [name, one]) => put(all, partOf(all, name), one ?? undefined),
    parts,
  )
}

function changeList(
  present: readonly unknown[],
  { verb, path: { filter, part }, value }: Change,
  isRemoval: boolean,
): readonly unknown[] {
  const isMeant = (one: unknown) => !filter || (isObject(one) && matches(filter, one))
  if (isRemoval) {
    if (part !== undefined)
      return present.map((one) =>
        isMeant(one) && isObject(one) ? put(one, partOf(one, part), undefined) : one,
      )
    // Microsoft Entra names the values to remove beside the path.
    const named = listOf({ value }, 'value').map(keyOf)
    return present.filter((one) => !isMeant(one) || (named.length > 0 && !named.includes(keyOf(one))))
  }
  const given = listOf({ value }, 'value')
  if (part !== undefined || filter) {
    const change = (one: JsonObject): unknown =>
      part === undefined ? { ...one, ...asObject(unwrap(given)) } : put(one, partOf(one, part), unwrap(value))
    if (present.some(isMeant))
      return present.map((one) => (isMeant(one) && isObject(one) ? change(one) : one))
    // There is none yet: Microsoft Entra takes it for granted that it is made.
    return [...present, change(filter?.kind === 'eq' ? { [filter.path]: filter.value } : {})]
  }
  if (verb === 'replace') return given
  const keys = new Set(present.map(keyOf))
  return [...present, ...given.filter((one) => !keys.has(keyOf(one)))]
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : { value }
}

/** By this a value of a list is the same as another one. */
function keyOf(value: unknown): unknown {
  const key = isObject(value) ? valueOf(value, 'value') : value
  return typeof key === 'string' ? key.toLowerCase() : key
}

/** The spelling of a part that is there already, or the given one. */
function partOf(parts: JsonObject, part: string): string {
  return Object.keys(parts).find((one) => one.toLowerCase() === part.toLowerCase()) ?? part
}

function put(object: JsonObject, name: string, value: unknown): JsonObject {
  const { [name]: _, ...others } = object
  return value === undefined ? others : { ...others, [name]: value }
}
