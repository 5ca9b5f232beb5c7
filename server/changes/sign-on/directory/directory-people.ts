/** People as a directory describes them: the search for them, and what its entries say. */

import type { Entry, Filter } from 'ldapts'
import {
  type DirectorySettings,
  LOGIN_PLACEHOLDER,
  normalizeName,
} from '../../../domain/accounts/directory-settings.ts'
import { isEmailAddress } from '../../../domain/users/email-addresses.ts'
import { DirectoryError } from './directory-error.ts'

/** Characters of a value that are looked at. */
const VALUE_LENGTH_MAX = 1_000
/** Characters of an id. */
const ID_LENGTH_MAX = 255
/** Binary ids, by the schemas of directories. */
const BINARY_IDS: readonly string[] = ['objectguid', 'objectsid', 'nsuniqueid', 'guid']

/** A person in the directory. */
export interface DirectoryPerson {
  readonly dn: string
  /** Never changes, and belongs to nobody else later. */
  readonly subject: string
  /** Their addresses; none if the directory has none that is valid. */
  readonly emails: readonly string[]
  readonly fullName: string | undefined
  /** The groups that their entry names, normalized: not every directory says these. */
  readonly memberOf: readonly string[]
  readonly uids: readonly string[]
}

/** The attributes that a search asks for. */
export function searchedAttributes(settings: DirectorySettings) {
  const { emailAttributes, nameAttributes, idAttributes } = settings
  return {
    attributes: [...new Set([...emailAttributes, ...nameAttributes, ...idAttributes, 'memberOf', 'uid'])],
    // The library reads bytes as text if they happen to be valid text.
    explicitBufferAttributes: [...idAttributes, 'entryUUID', 'objectGUID'],
  }
}

/**
 * The filter for one name. The name is put into the parsed filter, so no letter of it has a meaning there. (The library
 * reads escaped bytes such as `\c3\bc` as two letters, so it cannot take them in a text.)
 */
export async function filterFor(settings: DirectorySettings, name: string): Promise<Filter> {
  const filter = await parse(settings.filter)
  fill(filter, name)
  return filter
}

/** The filter for everyone: each place of the name stands for any value. */
export async function filterForAll({ filter }: DirectorySettings): Promise<Filter> {
  return parse(filter.replaceAll(LOGIN_PLACEHOLDER, '*'))
}

async function parse(text: string): Promise<Filter> {
  const { FilterParser } = await import('ldapts')
  try {
    return FilterParser.parseString(text)
  } catch {
    throw new DirectoryError('LDAP_FILTER is not a filter')
  }
}

/** Parts of filters, as the library has them. */
interface FilterParts {
  filters?: Filter[]
  filter?: Filter
  value?: unknown
  initial?: unknown
  final?: unknown
  any?: unknown
}

function fill(filter: Filter, name: string): void {
  const parts = filter as unknown as FilterParts
  const put = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(LOGIN_PLACEHOLDER, () => name) : value
  for (const key of ['value', 'initial', 'final'] as const)
    if (typeof parts[key] === 'string') parts[key] = put(parts[key])
  if (Array.isArray(parts.any)) parts.any = parts.any.map(put)
  for (const one of parts.filters ?? []) fill(one, name)
  if (parts.filter) fill(parts.filter, name)
}

/** The person of an entry; throws if it has no id. */
export function readPerson(settings: DirectorySettings, entry: Entry): DirectoryPerson {
  const values = new Map<string, readonly (string | Buffer)[]>()
  for (const [name, value] of Object.entries(entry))
    values.set(name.toLowerCase(), Array.isArray(value) ? value : [value])
  const valuesOf = (name: string) => values.get(name.toLowerCase()) ?? []
  const idAttribute = settings.idAttributes.find((name) => valuesOf(name).length > 0)
  const [id] = idAttribute === undefined ? [] : valuesOf(idAttribute)
  if (idAttribute === undefined || id === undefined)
    throw new DirectoryError(`its entries have no ${settings.idAttributes.join(' or ')}: look at LDAP_ID`)
  return {
    dn: entry.dn,
    subject: subjectOf(idAttribute, id),
    emails: settings.emailAttributes.flatMap((name) => textsOf(valuesOf(name))).filter(isEmailAddress),
    fullName: settings.nameAttributes.flatMap((name) => textsOf(valuesOf(name)))[0],
    memberOf: textsOf(valuesOf('memberOf')).map(normalizeName),
    uids: textsOf(valuesOf('uid')),
  }
}

function subjectOf(attribute: string, id: string | Buffer): string {
  const isBinary = BINARY_IDS.includes(attribute.toLowerCase())
  const text = Buffer.isBuffer(id) ? id.toString(isBinary ? 'hex' : 'utf8') : id
  if (text === '' || text.length > ID_LENGTH_MAX || /[\p{Cc}\uFFFD]/u.test(text))
    throw new DirectoryError(`its ${attribute} is no id`)
  return text
}

function textsOf(values: readonly (string | Buffer)[]): string[] {
  return values
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    .filter((value) => value !== '' && value.length <= VALUE_LENGTH_MAX)
}
