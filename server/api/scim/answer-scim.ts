/** Answers requests by SCIM 2.0 (RFC 7644): which resource they are for, and what becomes of it. */

import type { UserId } from '../../domain/ids.ts'
import { isObject, type JsonObject, readId, SCIM_PATH } from '../../domain/scim/attributes.ts'
import { canCompare, type Filter, matches, parseFilter, valuesOf } from '../../domain/scim/filters.ts'
import { refuse, ScimError, StaleScimError } from '../../domain/scim/scim-error.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { parseJson, TooManyValuesError } from '../parse-json.ts'
import type { Services } from '../services.ts'
import type { Resources, ShownMembers } from './resources.ts'
import {
  PROVIDER,
  PROVIDER_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  RESOURCE_TYPES,
  SCHEMA_SCHEMA,
  SCHEMAS,
} from './schemas.ts'
import { isWanted, selectAttributes } from './select-attributes.ts'
import { GROUPS } from './groups.ts'
import { USERS } from './users.ts'

/** Resources on a page; without a number, and at most. */
const PAGE_LENGTH = 100
const PAGE_LENGTH_MAX = 200
/** Members of the groups on a page, unless one group has more: they take some 30 ms, while others wait. */
const PAGE_MEMBERS_MAX = 50_000
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** A request whose caller has the token. */
export interface ScimRequest {
  readonly method: string
  readonly path: string
  readonly query: ReadonlyMap<string, string>
  /** Empty without one. */
  readonly body: Buffer
  readonly ifMatch: string
  readonly ifNoneMatch: string
}

/** An answer; without a body for 204 and 304. */
export interface ScimAnswer {
  readonly status: number
  readonly body?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

const KINDS: Readonly<Record<string, Resources<unknown, unknown>>> = {
  Users: USERS,
  Groups: GROUPS,
}
const LISTS: Readonly<Record<string, { readonly schema: string; readonly entries: readonly JsonObject[] }>> =
  {
    ResourceTypes: { schema: RESOURCE_TYPE_SCHEMA, entries: RESOURCE_TYPES },
    Schemas: { schema: SCHEMA_SCHEMA, entries: SCHEMAS },
  }

/** Answers a request; throws a `ScimError`, or an error of the API. */
export async function answerScim(request: ScimRequest, services: Services): Promise<ScimAnswer> {
  const segments = request.path
    .slice(SCIM_PATH.length)
    .split('/')
    .filter((one) => one !== '')
  const [name = '', id, ...rest] = segments.map(decode)
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (name === '.search' && id === undefined) return searchByBody(request, services, Object.values(KINDS))
  if (kind && rest.length === 0) return answerResource(request, services, kind, id)
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
  const description = {
    ...PROVIDER,
    schemas: [PROVIDER_SCHEMA],
    meta: metaOf(services, 'ServiceProviderConfig'),
  }
  if (name === 'ServiceProviderConfig' && id === undefined) return readOnly(request, () => description)
  if (list && rest.length === 0)
    return readOnly(request, () => {
      const entries = list.entries.map((one) => describeEntry(services, name, list.schema, one))
      if (id === undefined) return listOf(entries, { total: entries.length, start: 1 })
      return entries.find((one) => one.id === id)
    })
  throw absent()
}

function answerResource(
  request: ScimRequest,
  services: Services,
  kind: Resources<unknown, unknown>,
  id: string | undefined,
): Promise<ScimAnswer> {
  const { method, query } = request
  if (id === undefined) {
    if (method === 'GET') return search(services, [kind], query)
    if (method === 'POST') return create(request, services, kind)
    throw notAllowed('GET, POST')
  }
  if (id === '.search') return searchByBody(request, services, [kind])
  if (method === 'GET') return read(request, services, kind, id)
  if (!['PUT', 'PATCH', 'DELETE'].includes(method)) throw notAllowed('GET, PUT, PATCH, DELETE')
  const { turns } = services.committer
  return turns.change(`${kind.type} ${id}`, StaleScimError, () => write(request, services, kind, id))
}

function searchByBody(
  request: ScimRequest,
  services: Services,
  kinds: readonly Resources<unknown, unknown>[],
): Promise<ScimAnswer> {
  if (request.method !== 'POST') throw notAllowed('POST')
  return search(services, kinds, searchFields(readBody(request)))
}

/** A page of the resources of these types that match. */
async function search(
  services: Services,
  kinds: readonly Resources<unknown, unknown>[],
  query: ReadonlyMap<string, string>,
): Promise<ScimAnswer> {
  const given = query.get('filter')
  const filter = given === undefined || given.trim() === '' ? undefined : parseFilter(given)
  const start = Math.max(readCount(query, 'startIndex', 1), 1)
  const count = Math.min(Math.max(readCount(query, 'count', PAGE_LENGTH), 0), PAGE_LENGTH_MAX)
  // Types without an attribute of the filter have no match, unless all are.
  const fitting = kinds.filter(({ compared }) => !filter || canCompare(filter, compared))
  if (filter && fitting.length === 0)
    throw refuse('invalidFilter', `Resources cannot be filtered by ${given}.`)
  const members = shownMembers(query)
  let total = 0
  let left = count
  const shown: JsonObject[] = []
  for (const kind of fitting) {
    const first = Math.max(start - 1 - total, 0)
    const found = await findPage(services, kind, { filter, first, count: left, members })
    total += found.total
    left = found.isCut ? 0 : left - found.page.length
    shown.push(...found.page)
  }
  const entries = shown.map((one) => selectAttributes(one, query))
  return { status: 200, body: listOf(entries, { total, start }) }
}

function shownMembers(query: ReadonlyMap<string, string>): ShownMembers {
  return isWanted('members', query) ? 'all' : UserSet.empty
}

interface PageAsked {
  readonly filter: Filter | undefined
  readonly first: number
  readonly count: number
  readonly members: ShownMembers
}

/**
 * The number of matching resources of a type, and some of them: fewer than asked if these have too many members. Only those
 * are made.
 */
async function findPage<Entry, Item>(
  services: Services,
  kind: Resources<Entry, Item>,
  { filter, first, count, members }: PageAsked,
): Promise<{ readonly total: number; readonly page: readonly JsonObject[]; readonly isCut: boolean }> {
  const candidates = await kind.find(services, filter)
  if (!candidates)
    throw refuse(
      'invalidFilter',
      'The filter would look at everyone: name an attribute that few have, such as userName or id.',
    )
  const found = filter ? await match(services, kind, { candidates, filter }) : candidates
  const asked = found.slice(first, first + count)
  const length = members === 'all' ? fittingLength(asked.map((one) => kind.countMembers?.(one) ?? 0)) : count
  const items = await kind.load(services, asked.slice(0, length))
  const page = await kind.view(services, items, members)
  return { total: found.length, page, isCut: length < asked.length }
}

/** The candidates that match; of their members only those are made that the filter names. */
async function match<Entry, Item>(
  services: Services,
  kind: Resources<Entry, Item>,
  { candidates, filter }: { readonly candidates: readonly Entry[]; readonly filter: Filter },
): Promise<readonly Entry[]> {
  const { users } = services.state
  const ids = valuesOf(filter).flatMap((value) => users.get(readId(String(value)) as UserId)?.id ?? [])
  const named = UserSet.of(ids)
  const views = await kind.view(services, await kind.load(services, candidates), named)
  return candidates.filter((_, index) => matches(filter, views[index] as JsonObject, kind.compared))
}

/** The number of first groups that together have no more members than a page takes; the first one always fits. */
function fittingLength(counts: readonly number[]): number {
  let sum = 0
  const length = counts.findIndex((count, index) => (sum += count) > PAGE_MEMBERS_MAX && index > 0)
  return length === -1 ? counts.length : length
}

async function create<Item>(
  request: ScimRequest,
  services: Services,
  kind: Resources<unknown, Item>,
): Promise<ScimAnswer> {
  const body = readBody(request)
  const { turns } = services.committer
  const id = await turns.change(`new ${kind.type}`, StaleScimError, () => kind.create(services, body))
  const made = await show(services, kind, await kind.get(services, id), request.query)
  const { location } = made.meta
  return { status: 201, body: made.shown, headers: { ETag: made.meta.version, Location: location } }
}

async function read<Item>(
  { query, ifNoneMatch }: ScimRequest,
  services: Services,
  kind: Resources<unknown, Item>,
  id: string,
): Promise<ScimAnswer> {
  const { meta, shown } = await show(services, kind, await kind.get(services, id), query)
  if (lists(ifNoneMatch, meta.version)) return { status: 304, headers: { ETag: meta.version } }
  return { status: 200, body: shown, headers: { ETag: meta.version } }
}

/** Throws a `StaleScimError` if the resource is another one by now than that which the request was compared with. */
async function write<Item>(
  request: ScimRequest,
  services: Services,
  kind: Resources<unknown, Item>,
  id: string,
): Promise<ScimAnswer> {
  const { method, query, ifMatch } = request
  const item = await kind.get(services, id)
  if (item === undefined) throw absent()
  if (ifMatch !== '') {
    const { meta } = await show(services, kind, item, query)
    if (!lists(ifMatch, meta.version)) throw new ScimError(412, 'The resource has changed meanwhile.')
  }
  if (method === 'DELETE') {
    await kind.remove(services, item)
    return { status: 204 }
  }
  await kind[method === 'PUT' ? 'replace' : 'patch'](services, item, readBody(request))
  const changed = await show(services, kind, await kind.get(services, id), query)
  return { status: 200, body: changed.shown, headers: { ETag: changed.meta.version } }
}

/** A resource as the request wants it, and its description. */
async function show<Item>(
  services: Services,
  kind: Resources<unknown, Item>,
  item: Item | undefined,
  query: ReadonlyMap<string, string>,
) {
  const [whole] = item === undefined ? [] : await kind.view(services, [item], shownMembers(query))
  if (!whole) throw absent()
  const meta = whole.meta as { readonly location: string; readonly version: string }
  return { shown: selectAttributes(whole, query), meta }
}

/** Whether a header lists a version. Comparing is weak (RFC 7232, 2.3.2): versions here have no other form. */
function lists(header: string, version: string): boolean {
  return header.split(',').some((one) => one.trim() === version || one.trim() === '*')
}

function listOf(
  entries: readonly JsonObject[],
  { total, start }: { readonly total: number; readonly start: number },
) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: start,
    itemsPerPage: entries.length,
    Resources: entries,
  }
}

function readOnly({ method }: ScimRequest, find: () => JsonObject | undefined): ScimAnswer {
  if (method !== 'GET') throw notAllowed('GET')
  const body = find()
  if (!body) throw absent()
  return { status: 200, body }
}

function describeEntry(services: Services, name: string, schema: string, entry: JsonObject): JsonObject {
  const type = name === 'Schemas' ? 'Schema' : 'ResourceType'
  return { schemas: [schema], ...entry, meta: metaOf(services, type, `${name}/${String(entry.id)}`) }
}

function metaOf({ publicUrl }: Services, resourceType: string, path = resourceType): JsonObject {
  return { resourceType, location: `${publicUrl}${SCIM_PATH}/${path}` }
}

/** A query as `POST /.search` has it (RFC 7644, 3.4.3). */
function searchFields(body: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || Array.isArray(value)
        ? [[name, String(value)]]
        : [],
    ),
  )
}

function readCount(query: ReadonlyMap<string, string>, name: string, unset: number): number {
  const text = query.get(name)
  if (text === undefined || text === '') return unset
  if (!/^-?\d{1,9}$/.test(text)) throw refuse('invalidValue', `${name} must be a whole number.`)
  return Number(text)
}

function readBody({ body }: ScimRequest): JsonObject {
  let value: unknown
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    if (error instanceof TooManyValuesError)
      throw new ScimError(413, `The body has ${error.message}: send fewer members in a request.`)
    throw refuse('invalidSyntax', 'The body is not valid JSON.')
  }
  if (!isObject(value)) throw refuse('invalidSyntax', 'The body must be an object.')
  return value
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw absent()
  }
}

function absent(): ScimError {
  return new ScimError(404, 'There is no such resource.')
}

/** A 405 with the methods that the path takes. */
export class ScimMethodError extends ScimError {
  readonly allowed: string

  constructor(allowed: string) {
    super(405, `The path takes ${allowed}.`)
    this.allowed = allowed
  }
}

function notAllowed(allowed: string): ScimMethodError {
  return new ScimMethodError(allowed)
}
