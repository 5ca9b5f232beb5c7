/** Groups as a provider describes them by SCIM. */

import type { UserId } from '../ids.ts'
import { isObject, type JsonObject, listOf, readId, valueOf } from './attributes.ts'
import type { Compared } from './filters.ts'
import type { Shapes } from './changes.ts'
import { readText } from './people.ts'
import { refuse } from './scim-error.ts'

/** A group of the provider. */
export interface ScimGroupBody {
  readonly name: string
  readonly externalId: string | undefined
  readonly memberIds: readonly UserId[]
}

/** The row of a group of the provider. */
export interface ScimGroup {
  readonly externalId: string | null
  /** Whether the provider has deleted it. */
  readonly isGone: boolean
}

/** The attributes of a group that a provider may write. */
export const GROUP_SHAPES: Shapes = {
  displayName: 'single',
  externalId: 'single',
  members: { list: ['value', 'type'] },
}

/** The attributes that groups are found by. */
export const GROUP_COMPARED: Compared = {
  id: 'exact',
  displayname: 'any case',
  externalid: 'exact',
  members: 'exact',
  'members.value': 'exact',
}

/** The group of a resource; throws a `ScimError`. */
export function readGroup(resource: JsonObject): ScimGroupBody {
  const name = readText(resource, 'displayName')
  if (name === undefined) throw refuse('invalidValue', 'displayName must be a text that is not empty.')
  const memberIds = new Set(listOf(resource, 'members').map(readMember))
  return { name: name.trim(), externalId: readText(resource, 'externalId'), memberIds: [...memberIds] }
}

/** The account of a member; groups within groups are not taken. */
function readMember(member: unknown): UserId {
  const value = isObject(member) ? valueOf(member, 'value') : member
  const type = isObject(member) ? valueOf(member, 'type') : undefined
  if (typeof type === 'string' && type.toLowerCase() === 'group')
    throw refuse('invalidValue', 'The members of a group must be users.')
  const id = typeof value === 'string' ? readId(value) : undefined
  if (id === undefined) throw refuse('invalidValue', 'members must have the ids of users as their values.')
  return id as UserId
}
