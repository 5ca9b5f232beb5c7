/**
 * Admits requests: finds the operation, lets the door decide by the head alone, decodes, runs, and encodes the answer.
 */

import type { AgentMark } from '../domain/accounts/agent-mark.ts'
import type { User } from '../domain/entities.ts'
import { CLIENT_NAME_LENGTH_MAX } from '../domain/limits.ts'
import { ownText } from '../domain/text/own-text.ts'
import { VISITOR } from '../domain/users/visitor.ts'
import { keyHashOf } from './door/authenticate.ts'
import { type AnswerHeaders, errorHeaders } from './error-headers.ts'
import type { Door } from './door/door.ts'
import type { Exchange } from './door/exchange.ts'
import { ApiError, type ErrorName, fail } from '../errors/api-error.ts'
import { HeldReply } from '../actors/held-reply.ts'
import {
  type ArrivedFiles,
  type Call,
  EncodedField,
  EncodedReply,
  type FileRule,
  type GivenWebhook,
  type Operation,
  RedirectReply,
  type Reply,
  TextReply,
} from './operation.ts'
import type { Services } from './services.ts'
import { type JsonPiece, joinPieces, CachedPiece, PiecedText } from '../views/json-pieces.ts'
import { CachedFields } from './cached-fields.ts'
import { noteRefusal } from './door/note-refusal.ts'
import { decodeParams, type Params, type ValuesOf } from './params.ts'
import type { RateStatus } from './door/rate-limit.ts'
import type { Router } from './router.ts'
import { toApiError } from './to-api-error.ts'
import { BYTES_PER_MIB } from '../changes/uploads/uploads.ts'

/** A request without its content, independent of its transport. */
export interface ApiRequest {
  /** In upper case. */
  readonly method: string
  readonly authorization: string
  readonly userAgent: string
  readonly requestId: string
  readonly signal: AbortSignal
  /** Set if an agent asks. */
  readonly agent?: AgentMark | undefined
}

/** The answer to a request. */
export interface ApiResponse {
  readonly status: number
  /** JSON, as text or UTF-8, unless `contentType` says otherwise. */
  readonly body: string | Uint8Array | PiecedText
  readonly rate: RateStatus | undefined
  /** Left out for JSON. */
  readonly contentType?: string | undefined
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[] | undefined
  /** Further headers. */
  readonly headers?: AnswerHeaders | undefined
  /** The address of a redirect. */
  readonly location?: string | undefined
}

/** An answer that is sent later. */
export interface HeldResponse {
  readonly held: HeldReply
  readonly rate: RateStatus | undefined
  /** Makes the body of the answer from the reply's text. */
  readonly finish: (body: string | Buffer) => string | Uint8Array
}

export type ApiAnswer = ApiResponse | HeldResponse

/** The files in a body, or that the body was too large. */
export type GivenFiles = readonly Uint8Array[] | 'too_large'

/** The dependencies of admission. */
export interface AdmitContext {
  readonly router: Router
  readonly services: Services
  readonly door: Door
  /** Called with failures that are the server's fault. */
  onBug(error: unknown, requestId?: string): void
  /** Called with failures of the server's dependencies. */
  onError(error: unknown, requestId?: string): void
  /** Called with the outcome of every request, by tests that compare the table with it. */
  observe?: ((operation: Operation, outcome: 'success' | ApiError['errorName']) => void) | undefined
}

const TEXT_TYPE = 'text/plain; charset=utf-8'
const NOTHING: readonly string[] = []
const NO_FILES: readonly Uint8Array[] = []
const NO_WEBHOOK: GivenWebhook = { body: new Uint8Array(), contentType: '', headers: new Map() }
const NONE_ARRIVED: ArrivedFiles = { count: 0, first: undefined }

/** A request for an operation: admitted once the door has let it in. */
export interface Admission {
  readonly operation: Operation
  /** The values of the path's variable segments. */
  readonly pathParams: ReadonlyMap<string, string>
  readonly exchange: Exchange
}

/** The part of a request after its head. */
export interface Content {
  /** From the query and the body; the body wins. */
  readonly fields: ReadonlyMap<string, string>
  readonly files?: GivenFiles | undefined
  readonly arrived?: ArrivedFiles | undefined
  readonly webhook?: GivenWebhook | undefined
}

/**
 * Finds the operation of a request. The path is the one under `/api/v1`, with a leading slash. Throws an error with 404
 * or 405.
 */
export function findOperation(
  { method }: Pick<ApiRequest, 'method'>,
  path: string,
  exchange: Exchange,
  { router }: Pick<AdmitContext, 'router'>,
): Admission {
  const route = router.find(path)
  if (!route) throw fail('ENDPOINT_UNKNOWN')
  const { operations, pathParams } = route
  // A HEAD is answered as a GET, without the body.
  const operation = operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined)
  if (!operation) throw fail('METHOD_NOT_ALLOWED', { allowed: allowedMethods(operations) })
  return { operation, pathParams, exchange }
}

function allowedMethods(operations: ReadonlyMap<string, Operation>): readonly string[] {
  return [...operations.keys()].flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]))
}

/** Admits a request by its head alone: its body is unread. Throws an error with 401, 403 or 429. */
export function admit({ operation, exchange }: Admission, context: AdmitContext): void {
  try {
    exchange.enter(operation)
  } catch (error) {
    context.observe?.(operation, toApiError(error, context).errorName)
    throw error
  }
}

/** Answers an admitted request, in the same turn if its operation does; never throws or rejects. */
export function answer(
  request: ApiRequest,
  admission: Admission,
  { fields: given, files = NO_FILES, arrived = NONE_ARRIVED, webhook = NO_WEBHOOK }: Content,
  context: AdmitContext,
): ApiAnswer | Promise<ApiAnswer> {
  const { operation, pathParams, exchange } = admission
  const fields = withPathParams(given, pathParams)
  const succeed = (reply: Reply) => encode(reply, admission, fields, context)
  const refuse = (error: unknown) => {
    const failure = toApiError(error, context, request.requestId)
    noteRefusal(context.services, exchange, failure.errorName, operation)
    context.observe?.(operation, failure.errorName)
    return toRefusal(failure, admission)
  }
  try {
    if (operation.passwordParam !== undefined && fields.has(operation.passwordParam) && exchange.user)
      exchange.limits.countPassword(exchange.user.id)
    const taken = operation.file ? checkFiles(operation.file, files) : NO_FILES
    const params =
      fields instanceof CachedFields ? fields.paramsOf(operation) : decodeParams(operation.params, fields)
    exchange.checkCall(operation, params)
    const call = new AdmittedCall(request, exchange, params, context.services)
    call.files = taken
    call.arrived = arrived
    call.webhook = webhook
    const reply = operation.run(call)
    return reply instanceof Promise ? reply.then(succeed).catch(refuse) : succeed(reply)
  } catch (error) {
    return refuse(error)
  }
}

function checkFiles({ mibMax }: FileRule, files: GivenFiles): readonly Uint8Array[] {
  if (mibMax === 'streamed') return NO_FILES
  const isTooLarge = files === 'too_large' || files.some(({ length }) => length > mibMax * BYTES_PER_MIB)
  if (isTooLarge) throw fail('FILE_TOO_LARGE', { mibMax })
  return files
}

/** The input of an operation. It is a class because an object literal with getters takes a microsecond to create. */
class AdmittedCall implements Call<Params, ErrorName> {
  /** Public operations do not read it; requests of visitors have the user of all visitors. */
  readonly user: User
  readonly client: string
  readonly params: ValuesOf<Params>
  files = NO_FILES
  arrived = NONE_ARRIVED
  webhook = NO_WEBHOOK
  readonly services: Services
  readonly exchange: Exchange
  readonly fail = fail
  readonly #request: ApiRequest

  constructor(request: ApiRequest, exchange: Exchange, params: ValuesOf<Params>, services: Services) {
    this.user = exchange.user ?? VISITOR
    this.exchange = exchange
    this.client = clientName(request.userAgent)
    this.params = params
    this.services = services
    this.#request = request
  }

  get keyHash(): string {
    return this.exchange.session?.tokenHash ?? keyHashOf(this.#request.authorization)
  }

  get userAgent(): string {
    return this.#request.userAgent
  }

  get agent(): AgentMark | undefined {
    return this.#request.agent
  }

  get requestId(): string {
    return this.#request.requestId
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}

function encode(
  reply: Reply,
  { operation, exchange }: Admission,
  fields: ReadonlyMap<string, string>,
  { observe }: AdmitContext,
): ApiAnswer {
  observe?.(operation, 'success')
  const ignored = findIgnored(operation, fields)
  const { rate } = exchange.limits
  if (reply instanceof HeldReply)
    return { held: reply, rate, finish: (body) => addIgnoredParameters(body, ignored) }
  if (reply instanceof RedirectReply)
    return { status: 302, body: encodeReply({}, ignored), rate, location: reply.location }
  if (reply instanceof TextReply) return { status: 200, body: reply.text, rate, contentType: TEXT_TYPE }
  if (reply instanceof EncodedReply)
    return { status: 200, body: addIgnoredParameters(reply.body, ignored), rate }
  const { setCookies, headers } = exchange.cookies
  return { status: 200, body: encodeReply(reply, ignored), rate, cookies: setCookies, headers }
}

/** An error as the answer to a request for an operation, in the form that its senders expect. */
export function toRefusal(
  error: ApiError,
  { operation, pathParams, exchange }: Admission,
  cookies?: readonly string[],
): ApiResponse {
  const response = toResponse(error, exchange.limits.rate, cookies)
  const expected = operation.refusal?.(error, pathParams)
  if (!expected) return response
  return { ...response, status: expected.status, body: expected.text, contentType: TEXT_TYPE }
}

/** An error as an answer. */
export function toResponse(error: ApiError, rate?: RateStatus, cookies?: readonly string[]): ApiResponse {
  return {
    status: error.status,
    body: JSON.stringify(error.body),
    rate,
    cookies,
    headers: errorHeaders(error),
  }
}

function withPathParams(
  fields: ReadonlyMap<string, string>,
  pathParams: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (pathParams.size === 0) return fields
  return fields.size === 0 ? pathParams : new Map([...fields, ...pathParams])
}

/** Long cached values stay in pieces, which are compressed already for clients that accept that. */
function encodeReply(
  reply: Record<string, unknown>,
  ignored: readonly string[],
): string | Uint8Array | PiecedText {
  const pieces: JsonPiece[] = ['{"result":"success","msg":""']
  for (const name in reply) {
    const value = reply[name]
    const encoded = value instanceof EncodedField ? value.pieces : [JSON.stringify(value)]
    if (encoded[0] === undefined) continue // JSON cannot represent it.
    pieces.push(`,"${name}":`) // The names of declared fields need no escaping.
    for (const piece of encoded) pieces.push(piece)
  }
  if (ignored.length > 0) pieces.push(ignoredField(ignored))
  pieces.push('}')
  const isCached = pieces.some((piece) => piece instanceof CachedPiece)
  return isCached ? new PiecedText(pieces) : joinPieces(pieces)
}

/** The fields that the operation does not declare. */
function findIgnored({ params }: Operation, fields: ReadonlyMap<string, string>): readonly string[] {
  let ignored: string[] | undefined
  for (const name of fields.keys()) if (!isKnown(name, params)) (ignored ??= []).push(name)
  return ignored ?? NOTHING
}

function addIgnoredParameters(body: string | Uint8Array, ignored: readonly string[]): string | Uint8Array {
  if (ignored.length === 0) return body
  return `${body.toString().slice(0, -1)}${ignoredField(ignored)}}`
}

function ignoredField(ignored: readonly string[]): string {
  return `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`
}

function isKnown(name: string, params: Operation['params']): boolean {
  if (Object.hasOwn(params, name)) return true
  for (const param in params) if (params[param]?.aliases.includes(name)) return true
  return false
}

/** The name of the calling program: the text before the slash of its User-Agent. */
export function clientName(userAgent: string): string {
  const end = userAgent.search(/[/ ;(]/)
  const name = (end < 0 ? userAgent : userAgent.slice(0, end)).replaceAll('\0', '').toWellFormed()
  return name === '' ? 'API' : ownText(name.slice(0, CLIENT_NAME_LENGTH_MAX).toWellFormed(), userAgent)
}
