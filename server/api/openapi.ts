/** The table of operations as an OpenAPI 3.1 document. */

import { exampleError } from './error-example.ts'
import { COMMON_ERRORS, type ErrorName, ERRORS } from '../errors/api-error.ts'
import { FEATURE_LEVEL, type Names } from '../views/names.ts'
import { describeEvents } from './openapi-events.ts'
import type { FileRule, Operation } from './operation.ts'
import type { Param, Params } from './params.ts'
import type { Schema } from '../domain/json-schema.ts'

/**
 * Sections of the reference by the start of the path; the longest match wins. Other paths go by their first segment.
 */
const TAGS: readonly (readonly [pathStart: string, tag: string])[] = [
  ['/users/me/subscriptions', 'Subscriptions'],
  ['/users/me/muted_topics', 'Subscriptions'],
  ['/user_topics', 'Subscriptions'],
  ['/streams', 'Channels'],
  ['/channels', 'Channels'],
  ['/channel_folders', 'Channels'],
  ['/pins', 'Channels'],
  ['/default_streams', 'Channels'],
  ['/default_stream_groups', 'Channels'],
  ['/get_stream_id', 'Channels'],
  ['/register', 'Events'],
  ['/events', 'Events'],
  ['/mark_', 'Messages'],
  ['/server_settings', 'Server'],
  ['/fetch_api_key', 'Users'],
  ['/dev_', 'Users'],
  ['/realm/presence', 'Users'],
  ['/realm', 'Organization'],
]

const ABOUT = `The HTTP API of this server, at feature level ${FEATURE_LEVEL}.

Parameters may be in the query, in a form-encoded body or in a multipart body, for every method; the body wins. Strings
are sent unchanged, everything else as JSON inside the field. A reply lists unknown parameters in
\`ignored_parameters_unsupported\`. A file is a part of a multipart body with a file name; the name of the part itself
is ignored.

Requests are authenticated by HTTP Basic, with the email address of the account and an API key. The stand-in address
that other users see works like the real one.

Event ids are positions in the log of the organization. So they increase, also from queue to queue, and a queue has gaps
for the events of other users. The id of a message is that of its event.

\`GET /api/v1/events/stream\` (a WebSocket) streams the events of \`GET /api/v1/events\`; it takes \`queue_id\` and
\`last_event_id\`.`

/** The input of the document besides the table. */
export interface OpenApiOptions {
  readonly operations: readonly Operation[]
  readonly names: Names
  /** The server's own version. */
  readonly version: string
}

/** An error that the document names, and its line in the descriptions of answers. */
interface DescribedError {
  readonly name: ErrorName
  readonly status: number
  readonly line: string
  readonly body: object
}

/** The document, a plain JSON value. */
export function describeApi({ operations, names, version }: OpenApiOptions): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  // Most operations share most errors, and each example takes a while to make.
  const used = new Map<ErrorName, DescribedError>()
  const describeOnce = (name: ErrorName) => {
    const known = used.get(name) ?? describeError(name)
    used.set(name, known)
    return known
  }
  for (const operation of mergeAlike(operations)) {
    const errors = errorsOf(operation).map(describeOnce)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, errors, names),
    }
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Parley', version, description: ABOUT },
    servers: [{ url: '/api/v1' }],
    security: CREDENTIALS,
    tags: [...new Set(operations.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Error: ERROR_SCHEMA, ...describeEvents(names) },
      examples: Object.fromEntries([...used].map(([name, { body }]) => [name, { value: body }])),
    },
  }
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === 'enum' && Array.isArray(value) ? names.sentValues(value) : value,
  )
  return JSON.parse(text) as Record<string, unknown>
}

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic', description: 'The email address and an API key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sessionid',
    description: 'The session of a browser, from `POST /login`; over TLS the name is `__Host-sessionid`.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRFToken',
    description: 'The value of the cookie `csrftoken`, for requests with a session that are not GET.',
  },
} as const

/**
 * Merges operations whose paths differ only in the name or type of a variable: the document has one path for both. The
 * server distinguishes them by the value.
 */
function mergeAlike(operations: readonly Operation[]): readonly Operation[] {
  const paths = new Map<string, string>()
  const merged = new Map<string, Operation>()
  for (const operation of operations) {
    const shape = operation.path.replaceAll(/\{\w+\}/g, '{}')
    const path = paths.get(shape) ?? operation.path
    paths.set(shape, path)
    const renamed = rename(operation, path)
    const key = `${operation.method} ${shape}`
    const first = merged.get(key)
    merged.set(key, first ? merge(first, renamed) : renamed)
  }
  return [...merged.values()]
}

/** The operation with another path's variables instead of its own. */
function rename(operation: Operation, path: string): Operation {
  if (operation.path === path) return operation
  const names = pathVariables(path)
  const own = pathVariables(operation.path)
  const params = Object.entries(operation.params).map(([name, param]) => [
    names[own.indexOf(name)] ?? name,
    param,
  ])
  return { ...operation, path, params: Object.fromEntries(params) as Params }
}

function merge(first: Operation, second: Operation): Operation {
  const params: Record<string, Param<unknown>> = { ...second.params, ...first.params }
  for (const name of pathVariables(first.path)) {
    const [one, other] = [first.params[name], second.params[name]]
    if (!one || !other) continue
    const schema = { anyOf: [one.type.schema, other.type.schema] }
    const description = `${one.description} Or: ${other.description}`
    params[name] = { ...one, description, type: { ...one.type, schema } }
  }
  const descriptions = [first.description, second.description].filter((text) => text !== undefined)
  const errors = [...new Set([...first.errors, ...second.errors])]
  return { ...first, params, errors, description: descriptions.join('\n\n') }
}

const ERROR_SCHEMA: Schema = {
  type: 'object',
  properties: {
    result: { const: 'error' },
    msg: { type: 'string', description: 'For people.' },
    code: { type: 'string', description: 'For programs.' },
  },
  required: ['result', 'msg'],
  additionalProperties: { description: 'Details of the code for programs, as in the examples.' },
}

/** The credentials of requests, each choice by itself. */
const CREDENTIALS = [{ basic: [] }, { session: [], csrf: [] }]
/** The choices of operations that need no account. */
const SECURITY = {
  anyone: { security: [] },
  visitor: { security: [...CREDENTIALS, {}] },
  user: {},
}

function describeOperation(
  operation: Operation,
  errors: readonly DescribedError[],
  names: Names,
): Record<string, unknown> {
  const { method, params, access } = operation
  const inPath = new Set(pathVariables(operation.path))
  const own = Object.entries(params)
  const rest = own.filter(([name]) => !inPath.has(name))
  const isAllInQuery = method === 'GET' || operation.takesWebhook === true
  const inQuery = isAllInQuery ? rest : []
  const inBody = isAllInQuery ? [] : rest
  return {
    operationId: operationId(operation),
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: describe(operation),
    ...(operation.isDeprecated ? { deprecated: true } : {}),
    ...(operation.takesWebhook ? SECURITY.anyone : SECURITY[access]),
    parameters: [
      ...own.filter(([name]) => inPath.has(name)).map(([name, param]) => pathParameter(name, param)),
      ...inQuery.map(([name, param]) => queryParameter(name, param)),
    ],
    ...(operation.takesWebhook ? ANY_BODY : describeBody(Object.fromEntries(inBody), operation.file)),
    responses: {
      200: {
        description: 'Success.',
        content: { 'application/json': { schema: replySchema(operation, names) } },
      },
      ...describeErrors(errors),
    },
  }
}

const LIMITED = { anyone: 'the address', visitor: 'the user, or of the address', user: 'the user' }

function describe({ description, events, access, isUncounted, isLogin }: Operation): string {
  const limit = isLogin ? 'log-ins from the address' : LIMITED[access]
  const counted = isUncounted ? 'Not counted against a rate limit.' : `Counted against the limit of ${limit}.`
  const emitted =
    events.length > 0 ? [`Emits: ${events.map((type) => `\`${type.replace('/', ' ')}\``).join(', ')}.`] : []
  return [...(description === undefined ? [] : [description]), ...emitted, counted].join('\n\n')
}

function pathVariables(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

/** Such as `getUsersByUserId`. */
function operationId({ method, path }: Operation): string {
  const words = path
    .split(/[/_]/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith('{') ? `by_${word.slice(1)}` : word).replace('}', ''))
  const name = words.flatMap((word) => word.split('_')).map((word) => word[0]?.toUpperCase() + word.slice(1))
  return method.toLowerCase() + name.join('')
}

function tagOf({ path }: Operation): string {
  const [, tag] = TAGS.find(([start]) => path.startsWith(start)) ?? []
  const [, segment = ''] = path.split('/')
  return tag ?? `${segment[0]?.toUpperCase()}${segment.slice(1)}`.replaceAll('_', ' ')
}

function pathParameter(name: string, param: Param<unknown>) {
  return { name, in: 'path', required: true, description: param.description, schema: param.type.schema }
}

function queryParameter(name: string, param: Param<unknown>) {
  const { type, isRequired, isDeprecated } = param
  const schema = schemaOf(param)
  return {
    name,
    in: 'query',
    description: describeParam(param),
    ...(isRequired ? { required: true } : {}),
    ...(isDeprecated ? { deprecated: true } : {}),
    // Numbers and booleans look the same as text and as JSON.
    ...(type.isText || isScalar(type.schema) ? { schema } : { content: { 'application/json': { schema } } }),
  }
}

function describeBody(params: Params, file: FileRule | undefined) {
  const form = describeForm(params)
  if (!file && Object.keys(params).length === 0) return {}
  const multipart = file && withFile(form, file)
  const required = (multipart ?? form).schema.required
  const requestBody = {
    ...(required ? { required: true } : {}),
    content: {
      ...(file && !file.isOptional ? {} : { 'application/x-www-form-urlencoded': form }),
      ...(multipart ? { 'multipart/form-data': multipart } : {}),
    },
  }
  return { requestBody }
}

/** The body of a webhook is what its sender documents. */
const ANY_BODY = { requestBody: { required: true, content: { '*/*': { schema: {} } } } }

/** A form with its fields. */
interface DescribedForm {
  readonly schema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, unknown>>
    readonly required?: readonly string[]
  }
  readonly encoding?: Readonly<Record<string, unknown>>
}

function describeForm(params: Params): DescribedForm {
  const entries = Object.entries(params)
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  const properties = entries.map(([name, param]) => [
    name,
    {
      ...schemaOf(param),
      description: describeParam(param),
      ...(param.isDeprecated ? { deprecated: true } : {}),
    },
  ])
  const json = entries.filter(([, { type }]) => !type.isText && !isScalar(type.schema))
  const encoding = json.map(([name]) => [name, { contentType: 'application/json' }])
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
    },
    ...(encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}),
  }
}

/** The form with a file: the only reason for a multipart body. */
function withFile(form: DescribedForm, { description, mibMax, isOptional }: FileRule): DescribedForm {
  const file = {
    type: 'string',
    format: 'binary',
    description:
      mibMax === 'streamed'
        ? `${description} At most \`max_file_upload_size_mib\` MiB; its part may have any name.`
        : `${description} At most ${mibMax} MiB; its part may have any name.`,
  }
  const { properties, required = [], ...schema } = form.schema
  const names = isOptional ? required : [...required, 'filename']
  return {
    ...form,
    schema: {
      ...schema,
      properties: { ...properties, filename: file },
      ...(names.length > 0 ? { required: names } : {}),
    },
  }
}

function schemaOf({ type, defaultValue }: Param<unknown>): Schema {
  return defaultValue === undefined ? type.schema : { ...type.schema, default: defaultValue }
}

function describeParam({ description, aliases }: Param<unknown>): string {
  if (aliases.length === 0) return description
  return `${description} Also taken as ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`
}

function isScalar({ type }: Schema): boolean {
  return type === 'integer' || type === 'boolean'
}

function replySchema({ reply }: Operation, names: Names): Schema {
  const described = Object.entries(reply).map(([name, { schema, description }]) => [
    name,
    { ...schema, description },
  ])
  return {
    type: 'object',
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ...names.addAliases(Object.fromEntries(described)),
      ignored_parameters_unsupported: {
        type: 'array',
        items: { type: 'string' },
        description: 'Parameters of the request that the operation does not know.',
      },
    },
    required: ['result', 'msg', ...Object.keys(reply).filter((name) => !reply[name]?.isOptional)],
    additionalProperties: false,
  }
}

/** The common errors that an operation's path may return, and its own. */
function errorsOf({ method, path, access, errors }: Operation): ErrorName[] {
  const common = COMMON_ERRORS.filter((name) => {
    if (name === 'ENDPOINT_UNKNOWN') return path.includes('{') // A value may have a form that no operation takes.
    // A session is refused to other sites' reads as well.
    if (name === 'CROSS_SITE_REFUSED') return method !== 'GET' || access !== 'anyone'
    if (name === 'CSRF_TOKEN_WRONG') return method !== 'GET' && access !== 'anyone'
    if (name === 'SECOND_FACTOR_SETUP_REQUIRED' || name === 'KEY_SCOPE_EXCEEDED') return access !== 'anyone'
    // Only streams take tickets, and only agents bearer tokens.
    if (name === 'TICKET_INVALID' || name === 'BEARER_MISSING') return false
    return access !== 'anyone' || ERRORS[name].status !== 401
  })
  return [...new Set([...errors, ...common])]
}

function describeErrors(errors: readonly DescribedError[]): Record<string, unknown> {
  const byStatus = Map.groupBy(errors, ({ status }) => status)
  const responses = [...byStatus].map(([status, group]) => [
    status,
    {
      description: group.map(({ line }) => line).join('\n'),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            group.map(({ name }) => [name, { $ref: `#/components/examples/${name}` }]),
          ),
        },
      },
    },
  ])
  return Object.fromEntries(responses) as Record<string, unknown>
}

function describeError(name: ErrorName): DescribedError {
  const { status, body } = exampleError(name)
  const { msg, code } = body
  return { name, status, body, line: `- ${code === undefined ? '' : `\`${code}\` `}${msg}` }
}
