/** Admits requests: finds the operation, counts, authenticates, decodes, runs, and words the answer. */

import { isTimedOut } from '../../db/connect.ts'
import { OverloadError } from '../actors/committer.ts'
import type { User } from '../domain/entities.ts'
import { CLIENT_NAME_LENGTH_MAX } from '../domain/limits.ts'
import { authenticate, isAuthentic, keyHashOf } from './authenticate.ts'
import { ApiError, type ErrorName, fail } from './errors.ts'
import { HeldReply } from '../actors/held-reply.ts'
import {
  type ArrivedFiles,
  type Call,
  EncodedField,
  EncodedReply,
  type FileRule,
  type Operation,
  type Reply,
  type Services,
} from './operation.ts'
import { type JsonPiece, joinPieces, KeptPiece, PiecedText } from '../views/json-pieces.ts'
import { QueryFields } from './known-queries.ts'
import { decodeParams, type Params, type ValuesOf } from './params.ts'
import type { RateLimiter, RateLimits, RateStatus } from './rate-limit.ts'
import type { Router } from './router.ts'
import { BYTES_PER_MIB } from './uploads/uploads.ts'

/** A request apart from what it asks for, whatever carried it. */
export interface ApiRequest {
  /** In capitals. */
  readonly method: string
  /** The `Authorization` header; empty where there is none. */
  readonly authorization: string
  readonly userAgent: string
  /** The client's network address, as text. */
  readonly address: string
  readonly signal: AbortSignal
}

/** The answer to a request. */
export interface ApiResponse {
  readonly status: number
  /** JSON, as text or UTF-8. */
  readonly body: string | Uint8Array | PiecedText
  readonly rate: RateStatus | undefined
}

/** An answer that comes later. */
export interface HeldResponse {
  readonly held: HeldReply
  readonly rate: RateStatus | undefined
  /** Makes the reply's text the body of the answer. */
  readonly finish: (body: string | Buffer) => string | Uint8Array
}

export type ApiAnswer = ApiResponse | HeldResponse

/** The files in a body, or that there was too much of them. */
export type GivenFiles = readonly Uint8Array[] | 'too_large'

/** What admission works with. */
export interface AdmitContext {
  readonly router: Router
  readonly services: Services
  readonly limiter: RateLimiter
  readonly limits: RateLimits
  /** Told of failures that are the server's own. */
  onBug(error: unknown): void
  /** Told of every failed request, by tests that hold the table against what happens. */
  observe?: ((operation: Operation, outcome: 'success' | ApiError['errorName']) => void) | undefined
}

const NOTHING: readonly string[] = []
const NO_FILES: readonly Uint8Array[] = []
const NONE_ARRIVED: ArrivedFiles = { count: 0, first: undefined }

/** What is known of a request so far. */
interface Admission {
  operation: Operation | undefined
  /** With the variable segments of the path. */
  fields: ReadonlyMap<string, string>
  rate: RateStatus | undefined
}

/**
 * Answers one request, in this turn where its operation does; never throws or rejects. The path is the one under
 * `/api/v1`, with a leading slash; the fields are from the query and the body, the body's winning.
 */
export function admit(
  request: ApiRequest,
  path: string,
  fields: ReadonlyMap<string, string>,
  context: AdmitContext,
  files: GivenFiles = NO_FILES,
  arrived: ArrivedFiles = NONE_ARRIVED,
): ApiAnswer | Promise<ApiAnswer> {
  const admission: Admission = { operation: undefined, fields, rate: undefined }
  try {
    const reply = run(request, path, admission, context, files, arrived)
    if (!(reply instanceof Promise)) return answer(reply, admission, context)
    return reply
      .then((later) => answer(later, admission, context))
      .catch((error: unknown) => refuse(error, admission, context))
  } catch (error) {
    return refuse(error, admission, context)
  }
}

function run(
  request: ApiRequest,
  path: string,
  admission: Admission,
  context: AdmitContext,
  files: GivenFiles,
  arrived: ArrivedFiles,
): Reply | Promise<Reply> {
  const route = context.router.find(path)
  if (!route) throw fail('ENDPOINT_UNKNOWN')
  const operation = route.operations.get(request.method)
  if (!operation) throw fail('METHOD_NOT_ALLOWED', { allowed: [...route.operations.keys()] })
  admission.operation = operation
  const user = identify(operation, request, context, admission)
  const taken = operation.file ? checkFiles(operation.file, files) : NO_FILES
  const fields = withPathParams(admission.fields, route.pathParams)
  admission.fields = fields
  const params =
    fields instanceof QueryFields ? fields.paramsOf(operation) : decodeParams(operation.params, fields)
  return operation.run(new AdmittedCall(user as User, params, taken, arrived, request, context.services))
}

/**
 * How many bytes of files a request may bring; undefined where it leads to no operation that takes some, or its caller
 * may not call it: of those no more is held than of anybody.
 */
export function findFileBytesMax(
  { method, authorization }: Pick<ApiRequest, 'method' | 'authorization'>,
  path: string,
  { router, services }: AdmitContext,
): number | undefined {
  const file = router.find(path)?.operations.get(method)?.file
  if (!file || file.mibMax === 'streamed') return undefined
  return isAuthentic(authorization, services.state) ? file.mibMax * BYTES_PER_MIB : undefined
}

/** Who brings a file that goes to the file store as it comes; undefined where the request may not do so. */
export function findUploader(
  { method, authorization }: Pick<ApiRequest, 'method' | 'authorization'>,
  path: string,
  { router, services }: AdmitContext,
): User | undefined {
  if (router.find(path)?.operations.get(method)?.file?.mibMax !== 'streamed') return undefined
  return isAuthentic(authorization, services.state) ? authenticate(authorization, services.state) : undefined
}

function checkFiles({ mibMax }: FileRule, files: GivenFiles): readonly Uint8Array[] {
  if (mibMax === 'streamed') return NO_FILES
  const isTooLarge = files === 'too_large' || files.some(({ length }) => length > mibMax * BYTES_PER_MIB)
  if (isTooLarge) throw fail('FILE_TOO_LARGE', { mibMax })
  return files
}

/** What an operation is given. It is a class because an object with getters of its own takes a microsecond to make. */
class AdmittedCall implements Call<Params, ErrorName> {
  /** Operations that anyone may call do not read it. */
  readonly user: User
  readonly client: string
  readonly params: ValuesOf<Params>
  readonly files: readonly Uint8Array[]
  readonly arrived: ArrivedFiles
  readonly services: Services
  readonly fail = fail
  readonly #request: ApiRequest

  constructor(
    user: User,
    params: ValuesOf<Params>,
    files: readonly Uint8Array[],
    arrived: ArrivedFiles,
    request: ApiRequest,
    services: Services,
  ) {
    this.user = user
    this.client = clientName(request.userAgent)
    this.params = params
    this.files = files
    this.arrived = arrived
    this.services = services
    this.#request = request
  }

  get keyHash(): string {
    return keyHashOf(this.#request.authorization)
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}

function answer(reply: Reply, { operation, fields, rate }: Admission, { observe }: AdmitContext): ApiAnswer {
  observe?.(operation as Operation, 'success')
  const ignored = findIgnored(operation as Operation, fields)
  if (reply instanceof HeldReply) return { held: reply, rate, finish: (body) => tellIgnored(body, ignored) }
  if (reply instanceof EncodedReply) return { status: 200, body: tellIgnored(reply.body, ignored), rate }
  return { status: 200, body: encodeReply(reply, ignored), rate }
}

function refuse(error: unknown, { operation, rate }: Admission, context: AdmitContext): ApiResponse {
  const failure = toApiError(error, context)
  if (operation) context.observe?.(operation, failure.errorName)
  return toResponse(failure, rate)
}

/** An error as an answer. */
export function toResponse({ status, body }: ApiError, rate?: RateStatus): ApiResponse {
  return { status, body: JSON.stringify(body), rate }
}

function withPathParams(
  fields: ReadonlyMap<string, string>,
  pathParams: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (pathParams.size === 0) return fields
  return fields.size === 0 ? pathParams : new Map([...fields, ...pathParams])
}

/** Authenticates where the operation asks for it, and counts against the user's or the address's limit. */
function identify(
  { access, isUncounted, isLogin, isForWebhooks, passwordParam }: Operation,
  request: ApiRequest,
  { services, limiter, limits }: AdmitContext,
  admission: Admission,
): User | undefined {
  if (isLogin) count(admission, limiter.take(`login:${request.address}`, limits.logins))
  if (access === 'anyone') {
    if (!isLogin) count(admission, limiter.take(`address:${request.address}`, limits.perAddress))
    if (!services.state.organization) throw fail('ORGANIZATION_MISSING')
    return undefined
  }
  try {
    const user = authenticate(request.authorization, services.state, isForWebhooks)
    services.seenUsers.note(user.id)
    if (!isUncounted) count(admission, limiter.take(`user:${user.id}`, limits.perUser))
    if (passwordParam !== undefined && admission.fields.has(passwordParam))
      count(admission, limiter.take(`password:${user.id}`, limits.logins))
    return user
  } catch (error) {
    // Guessing keys counts against the address; a valid user's limit is left alone.
    if (error instanceof ApiError && error.status === 401)
      count(admission, limiter.take(`address:${request.address}`, limits.perAddress))
    throw error
  }
}

function count(admission: Admission, status: RateStatus): void {
  admission.rate = status
  if (status.retryAfterSeconds !== undefined)
    throw fail('RATE_LIMIT_HIT', { retryAfterSeconds: status.retryAfterSeconds })
}

/** What is long and told to many stays in pieces, which are compressed already where the client takes that. */
function encodeReply(
  reply: Record<string, unknown>,
  ignored: readonly string[],
): string | Uint8Array | PiecedText {
  const pieces: JsonPiece[] = ['{"result":"success","msg":""']
  for (const name in reply) {
    const value = reply[name]
    const encoded = value instanceof EncodedField ? value.pieces : [JSON.stringify(value)]
    if (encoded[0] === undefined) continue // JSON has no form of it.
    pieces.push(`,"${name}":`) // Names that operations declare need no escaping.
    for (const piece of encoded) pieces.push(piece)
  }
  if (ignored.length > 0) pieces.push(ignoredField(ignored))
  pieces.push('}')
  const isKept = pieces.some((piece) => piece instanceof KeptPiece)
  return isKept ? new PiecedText(pieces) : joinPieces(pieces)
}

/** The fields that the operation does not know. */
function findIgnored({ params }: Operation, fields: ReadonlyMap<string, string>): readonly string[] {
  if (fields.size === 0) return NOTHING
  return [...fields.keys()].filter((name) => !isKnown(name, params))
}

function tellIgnored(body: string | Uint8Array, ignored: readonly string[]): string | Uint8Array {
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

function toApiError(error: unknown, context: AdmitContext): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OverloadError || isTimedOut(error)) return fail('OVERLOADED')
  context.onBug(error)
  return fail('INTERNAL')
}

/** The calling program's name: what stands before the slash of its User-Agent. */
function clientName(userAgent: string): string {
  const end = userAgent.search(/[/ ;(]/)
  const name = (end < 0 ? userAgent : userAgent.slice(0, end)).replaceAll('\0', '').toWellFormed()
  return name === '' ? 'API' : name.slice(0, CLIENT_NAME_LENGTH_MAX).toWellFormed()
}
