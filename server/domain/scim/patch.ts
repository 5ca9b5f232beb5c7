/** Changes of a SCIM resource by `PATCH` (RFC 7644, 3.5.2), also in the forms that Okta and Microsoft Entra send. */

import { isObject, type JsonObject, listOf, valueOf } from './attributes.ts'
import { applyChange, type Change, findAttribute, givenBy, type Shapes, VERBS } from './changes.ts'
import { isForeign, parsePath, valuesOf } from './filters.ts'
import { refuse } from './scim-error.ts'

/** Changes of a request: an operation without a path has one for each of its attributes. */
const CHANGES_MAX = 1_000
/** Values that all changes of a request may look at: a million take some tenth of a second, while others wait. */
const LOOKS_MAX = 1_000_000
const READ_ONLY: readonly string[] = ['id', 'meta', 'schemas', 'groups']

/** A resource after the operations of a body; throws a `ScimError`. */
export function applyPatch(resource: JsonObject, body: JsonObject, shapes: Shapes): JsonObject {
  const operations = listOf(body, 'Operations')
  if (operations.length === 0) throw refuse('invalidSyntax', 'The body has no Operations.')
  if (operations.reduce<number>((sum, one) => sum + countChanges(one), 0) > CHANGES_MAX)
    throw refuse('tooMany', `The Operations of the body change more than ${CHANGES_MAX} attributes.`)
  const changes = merge(operations.flatMap(readOperation), shapes)
  if (countLooks(resource, changes, shapes) > LOOKS_MAX)
    throw refuse(
      'tooMany',
      `The Operations of the body look at more than ${LOOKS_MAX} values: send fewer in a request.`,
    )
  return changes.reduce((changed, change) => applyChange(changed, change, shapes), resource)
}

/** The attributes that an operation changes; with an invalid one, any number. */
function countChanges(operation: unknown): number {
  if (!isObject(operation) || valueOf(operation, 'path')) return 1
  const value = valueOf(operation, 'value')
  return isObject(value) ? Object.keys(value).length : 1
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
    if (isForeign(path)) return []
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
    // Of an extension, with its attributes or as one of them; none is kept here.
    isForeign(name) ? [] : [{ verb, path: parsePath(name), value: one ?? undefined }],
  )
}

/** Makes one change of those in a row that add values to a list, or remove named ones: providers send one for each value. */
function merge(changes: readonly Change[], shapes: Shapes): readonly Change[] {
  const merged: Change[] = []
  let row: { readonly change: Change; readonly values: unknown[] } | undefined
  for (const change of changes.map(nameRemoved)) {
    const { verb, path } = change
    if (!isMergeable(change, shapes)) {
      row = undefined
      merged.push(change)
    } else if (row?.change.verb === verb && row.change.path.attribute === path.attribute) {
      for (const value of givenBy(change)) row.values.push(value)
    } else {
      row = { change, values: [...givenBy(change)] }
      merged.push({ ...change, value: row.values })
    }
  }
  return merged
}

/** `members[value eq "1"]` as Microsoft Entra has it: the path `members` with the values beside it. */
function nameRemoved(change: Change): Change {
  const { verb, path, value } = change
  const { attribute, filter, part } = path
  if (verb !== 'remove' || value !== undefined || part !== undefined) return change
  if (filter?.kind !== 'eq' || filter.path !== 'value') return change
  return { verb, path: { attribute, filter: undefined, part }, value: [{ value: filter.value }] }
}

function isMergeable(change: Change, shapes: Shapes): boolean {
  const { verb, path } = change
  const shape = shapes[findAttribute(change, shapes) ?? '']
  const isList = typeof shape === 'object' && 'list' in shape
  const isWhole = path.filter === undefined && path.part === undefined
  // A removal without values is one of all.
  return isList && isWhole && (verb === 'add' || (verb === 'remove' && givenBy(change).length > 0))
}

/** An upper bound of the values that the changes compare or copy. */
function countLooks(resource: JsonObject, changes: readonly Change[], shapes: Shapes): number {
  const lengths = new Map<string, number>()
  let looks = 0
  for (const change of changes) {
    const name = findAttribute(change, shapes)
    if (name === undefined) continue
    const { verb, path } = change
    const length = lengths.get(name) ?? listOf(resource, name).length
    const given = givenBy(change).length
    looks += (length + given) * (path.filter ? valuesOf(path.filter).length : 1)
    const isNew = verb === 'replace' && !path.filter && path.part === undefined
    lengths.set(name, isNew ? given : verb === 'remove' ? length : length + given)
  }
  return looks
}
