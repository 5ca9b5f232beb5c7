/** People as a provider describes them by SCIM. */

import { type Role, ROLES, type RoleName } from '../../../packages/rules/roles.ts'
import { isEmailAddress } from '../users/email-addresses.ts'
import { toFullName } from '../users/full-names.ts'
import { isObject, type JsonObject, listOf, readBoolean, unwrap, valueOf } from './attributes.ts'
import type { Compared } from './filters.ts'
import type { Shapes } from './changes.ts'
import { refuse } from './scim-error.ts'

/** The parts of a name, as the provider wrote them. */
export const NAME_PARTS = ['displayName', 'formatted', 'givenName', 'familyName'] as const
export type ScimNames = { readonly [Part in (typeof NAME_PARTS)[number]]?: string }

/** A person of the provider. */
export interface ScimPerson {
  readonly userName: string
  readonly externalId: string | undefined
  readonly names: ScimNames
  /** Undefined if the provider names none, and the user name is none. */
  readonly email: string | undefined
  readonly isActive: boolean
  /** Undefined if the provider names none. */
  readonly role: Role | undefined
}

/** The row of a person: the data of theirs beyond the account. */
export interface ScimUser {
  readonly userName: string
  /** As it is compared; unique among people who are not gone. */
  readonly userKey: string
  readonly externalId: string | null
  readonly names: ScimNames
  /** Whether the provider has deleted them. */
  readonly isGone: boolean
}

/** A row to write, if that in the database still has this revision; null if there must be none. */
export interface Rewritten<Row> {
  readonly revision: string | null
  readonly row: Row
}

/** The attributes of a person that a provider may write. */
export const PERSON_SHAPES: Shapes = {
  userName: 'single',
  externalId: 'single',
  displayName: 'single',
  name: { parts: ['formatted', 'givenName', 'familyName'] },
  active: 'single',
  emails: { list: ['value', 'type', 'primary'] },
  roles: { list: ['value'] },
}

/** The attributes that people are found by. */
export const PERSON_COMPARED: Compared = {
  id: 'exact',
  username: 'any case',
  externalid: 'exact',
  displayname: 'any case',
  active: 'exact',
  emails: 'any case',
  'emails.value': 'any case',
  'emails.type': 'any case',
  'emails.primary': 'exact',
}

/** Characters of a text: addresses have at most 254. */
const TEXT_LENGTH_MAX = 1_000

/** The person of a resource; throws a `ScimError`. */
export function readPerson(resource: JsonObject): ScimPerson {
  const userName = readText(resource, 'userName')
  if (userName === undefined) throw refuse('invalidValue', 'userName must be a text that is not empty.')
  const active = unwrap(valueOf(resource, 'active'))
  const isActive = active === undefined ? true : readBoolean(active)
  if (isActive === undefined) throw refuse('invalidValue', 'active must be true or false.')
  return {
    userName,
    externalId: readText(resource, 'externalId'),
    names: readNames(resource),
    email: readEmail(resource) ?? (isEmailAddress(userName) ? userName : undefined),
    isActive,
    role: readRole(resource),
  }
}

/** The name of an account; without one in the resource it is the first part of the address. */
export function fullNameOf({ names, email = '' }: Pick<ScimPerson, 'names' | 'email'>): string {
  const { displayName, formatted, givenName, familyName } = names
  const both = [givenName, familyName].filter((one) => one !== undefined).join(' ')
  for (const one of [displayName, formatted, both, email.slice(0, email.lastIndexOf('@'))]) {
    const name = toFullName(one ?? '')
    if (name !== undefined) return name
  }
  return 'New user'
}

/** Names as they are compared. */
export function userKeyOf(userName: string): string {
  return userName.toLowerCase()
}

/** A text; undefined if it is absent or empty. */
export function readText(object: JsonObject, name: string): string | undefined {
  const value = unwrap(valueOf(object, name))
  if (value === undefined || value === null || value === '') return undefined
  if (
    typeof value !== 'string' ||
    value.length > TEXT_LENGTH_MAX ||
    /\p{Cc}/u.test(value) ||
    !value.isWellFormed()
  )
    throw refuse(
      'invalidValue',
      `${name} must be a text of at most ${TEXT_LENGTH_MAX} characters in one line.`,
    )
  return value.trim() === '' ? undefined : value
}

function readNames(resource: JsonObject): ScimNames {
  const name = valueOf(resource, 'name') ?? {}
  if (!isObject(name)) throw refuse('invalidValue', 'name must be an object.')
  const parts = NAME_PARTS.flatMap((part) => {
    const text = readText(part === 'displayName' ? resource : name, part)
    return text === undefined ? [] : [[part, text]]
  })
  return Object.fromEntries(parts)
}

/** The primary address, or else that of work, or else the first. */
function readEmail(resource: JsonObject): string | undefined {
  const emails = listOf(resource, 'emails').map((one) => (isObject(one) ? one : { value: one }))
  const chosen =
    emails.find((one) => readBoolean(valueOf(one, 'primary'))) ??
    emails.find((one) => valueOf(one, 'type') === 'work') ??
    emails[0]
  const email = chosen && readText(chosen, 'value')
  if (email !== undefined && !isEmailAddress(email))
    throw refuse('invalidValue', 'emails must have an address such as name@example.com.')
  return email
}

/** The highest of the named roles. */
function readRole(resource: JsonObject): Role | undefined {
  const roles = listOf(resource, 'roles').map((one) => {
    const name = isObject(one) ? readText(one, 'value') : one
    const known = typeof name === 'string' ? name.toLowerCase() : ''
    if (!Object.hasOwn(ROLES, known))
      throw refuse('invalidValue', `roles may have these values: ${Object.keys(ROLES).join(', ')}.`)
    return ROLES[known as RoleName]
  })
  // A smaller number may do more.
  return roles.length === 0 ? undefined : (Math.min(...roles) as Role)
}
