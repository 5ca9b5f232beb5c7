/** Answers requests by SCIM 2.0 (RFC 7644): which resource they are for, and what becomes of it. */

import { isObject, type JsonObject, SCIM_PATH } from '../../domain/scim/attributes.ts'
import { canCompare, type Filter, matches, parseFilter } from '../../domain/scim/filters.ts'
import { refuse, ScimError } from '../../domain/scim/scim-error.ts'
import { parseJson } from '../parse-json.ts'
import type { Services } from '../services.ts'
import type { Resources } from './resources.ts'
import {
  PROVIDER,
  PROVIDER_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  RESOURCE_TYPES,
  SCHEMA_SCHEMA,
  SCHEMAS,
} from './schemas.ts'
import { selectAttributes } from './select-attributes.ts'
import { GROUPS } from './groups.ts'
import { USERS } from './users.ts'

/** Resources on a page; without a number, and at most. */
const PAGE_LENGTH = 100
const PAGE_LENGTH_MAX = 200
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

const KINDS: Readonly<Record<string, Resources<unknown>>> = {
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
  kind: Resources<unknown>,
  id: string | undefined,
): Promise<ScimAnswer> {
  const { method, query } = request
  if (id === undefined) {
    if (method === 'GET') return search(services, [kind], query)
    if (method === 'POST') return create(request, services, kind)
    throw notAllowed('GET, POST')
  }
  if (id === '.search') return searchByBody(request, services, [kind])
  if (!['GET', 'PUT', 'PATCH', 'DELETE'].includes(method)) throw notAllowed('GET, PUT, PATCH, DELETE')
  return answerOne(request, services, kind, id)
}

function searchByBody(
  request: ScimRequest,
  services: Services,
  kinds: readonly Resources<unknown>[],
): Promise<ScimAnswer> {
  if (request.method !== 'POST') throw notAllowed('POST')
  return search(services, kinds, searchFields(readBody(request)))
}

/** A page of the resources of these types that match. */
async function search(
  services: Services,
  kinds: readonly Resources<unknown>[],
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
  let total = 0
  const shown: JsonObject[] = []
  for (const kind of fitting) {
    const first = Math.max(start - 1 - total, 0)
    const found = await findPage(services, kind, { filter, first, count: count - shown.length })
    total += found.total
    shown.push(...found.page)
  }
  const entries = shown.map((one) => selectAttributes(one, query))
  return { status: 200, body: listOf(entries, { total, start }) }
}

/** The number of matching resources of a type, and some of them. Without a filter only those are made. */
async function findPage<Item>(
  services: Services,
  kind: Resources<Item>,
  {
    filter,
    first,
    count,
  }: { readonly filter: Filter | undefined; readonly first: number; readonly count: number },
): Promise<{ readonly total: number; readonly page: readonly JsonObject[] }> {
  const items = await kind.find(services, filter)
  if (!items)
    throw refuse(
      'invalidFilter',
      'The filter would look at everyone: name an attribute that few have, such as userName or id.',
    )
  if (!filter)
    return { total: items.length, page: await kind.view(services, items.slice(first, first + count)) }
  const all = (await kind.view(services, items)).filter((one) => matches(filter, one, kind.compared))
  return { total: all.length, page: all.slice(first, first + count) }
}

async function create<Item>(
  request: ScimRequest,
  services: Services,
  kind: Resources<Item>,
): Promise<ScimAnswer> {
  const id = await kind.create(services, readBody(request))
  const made = await show(services, kind, id, request.query)
  const { location } = made.meta
  return { status: 201, body: made.shown, headers: { ETag: made.meta.version, Location: location } }
}

async function answerOne<Item>(
  request: ScimRequest,
  services: Services,
  kind: Resources<Item>,
  id: string,
): Promise<ScimAnswer> {
  const { method, query, ifMatch, ifNoneMatch } = request
  const item = await kind.get(services, id)
  if (item === undefined) throw absent()
  const present = await show(services, kind, id, query)
  const { version } = present.meta
  if (method === 'GET') {
    if (lists(ifNoneMatch, version)) return { status: 304, headers: { ETag: version } }
    return { status: 200, body: present.shown, headers: { ETag: version } }
  }
  if (ifMatch !== '' && !lists(ifMatch, version))
    throw new ScimError(412, 'The resource has changed meanwhile.')
  if (method === 'DELETE') {
    await kind.remove(services, item)
    return { status: 204 }
  }
  await kind[method === 'PUT' ? 'replace' : 'patch'](services, item, readBody(request))
  const changed = await show(services, kind, id, query)
  return { status: 200, body: changed.shown, headers: { ETag: changed.meta.version } }
}

/** A resource as the request wants it, and its description. */
async function show<Item>(
  services: Services,
  kind: Resources<Item>,
  id: string,
  query: ReadonlyMap<string, string>,
) {
  const item = await kind.get(services, id)
  const [whole] = item === undefined ? [] : await kind.view(services, [item])
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
  } catch {
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
