/** Admits requests: finds the operation, counts, authenticates, decodes, runs, and words the answer. */

import { OverloadError } from '../actors/committer.ts'
import { CLIENT_NAME_LENGTH_MAX } from '../domain/limits.ts'
import { authenticate } from './authenticate.ts'
import { ApiError, fail } from './errors.ts'
import { HeldReply } from '../actors/held-reply.ts'
import { EncodedField, EncodedReply, type Operation, type Reply, type Services } from './operation.ts'
import { decodeParams } from './params.ts'
import type { RateLimiter, RateLimits, RateStatus } from './rate-limit.ts'
import type { Router } from './router.ts'

/** A request with its body decoded, whatever carried it. */
export interface ApiRequest {
  /** In capitals. */
  readonly method: string
  /** Under `/api/v1`, with a leading slash. */
  readonly path: string
  /** From the query and the body, the body's winning. */
  readonly fields: ReadonlyMap<string, string>
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
  readonly body: string | Uint8Array
  readonly rate: RateStatus | undefined
}

/** An answer that comes later. */
export interface HeldResponse {
  readonly held: HeldReply
  readonly rate: RateStatus | undefined
  /** Makes the reply's text the body of the answer. */
  readonly finish: (body: string) => string | Uint8Array
}

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

/** Answers one request; never rejects. */
export async function admit(request: ApiRequest, context: AdmitContext): Promise<ApiResponse | HeldResponse> {
  let rate: RateStatus | undefined
  let operation: Operation | undefined
  try {
    const route = context.router.find(request.path)
    if (!route) throw fail('ENDPOINT_UNKNOWN')
    operation = route.operations.get(request.method)
    if (!operation) throw fail('METHOD_NOT_ALLOWED', { allowed: [...route.operations.keys()] })
    const count = (status: RateStatus) => {
      rate = status
      if (status.retryAfterSeconds !== undefined) {
        throw fail('RATE_LIMIT_HIT', { retryAfterSeconds: status.retryAfterSeconds })
      }
    }
    const user = identify(operation, request, context, count)
    const fields =
      route.pathParams.size === 0 ? request.fields : new Map([...request.fields, ...route.pathParams])
    const reply = await operation.run({
      user: user as never, // Operations that anyone may call do not read it.
      client: clientName(request.userAgent),
      params: decodeParams(operation.params, fields),
      services: context.services,
      fail,
      get signal() {
        return request.signal // Made only where it is asked for.
      },
    } as Parameters<Operation['run']>[0])
    context.observe?.(operation, 'success')
    const ignored = findIgnored(operation, fields)
    if (reply instanceof HeldReply) return { held: reply, rate, finish: (body) => tellIgnored(body, ignored) }
    return { status: 200, body: tellIgnored(encodeReply(reply), ignored), rate }
  } catch (error) {
    const failure = toApiError(error, context)
    if (operation) context.observe?.(operation, failure.errorName)
    return { status: failure.status, body: JSON.stringify(failure.body), rate }
  }
}

/** Authenticates where the operation asks for it, and counts against the user's or the address's limit. */
function identify(
  { access, isUncounted, isLogin }: Operation,
  request: ApiRequest,
  { services, limiter, limits }: AdmitContext,
  count: (status: RateStatus) => void,
) {
  if (isLogin) count(limiter.take(`login:${request.address}`, limits.logins))
  if (access === 'anyone') {
    if (!isLogin) count(limiter.take(`address:${request.address}`, limits.perAddress))
    if (!services.state.organization) throw fail('ORGANIZATION_MISSING')
    return undefined
  }
  try {
    const user = authenticate(request.authorization, services.state)
    services.seenUsers.note(user.id)
    if (!isUncounted) count(limiter.take(`user:${user.id}`, limits.perUser))
    return user
  } catch (error) {
    // Guessing keys counts against the address; a valid user's limit is left alone.
    if (error instanceof ApiError && error.status === 401)
      count(limiter.take(`address:${request.address}`, limits.perAddress))
    throw error
  }
}

function encodeReply(reply: Exclude<Reply, HeldReply>): string | Uint8Array {
  if (reply instanceof EncodedReply) return reply.body
  const plain: Record<string, unknown> = { result: 'success', msg: '' }
  let encoded = ''
  for (const [name, value] of Object.entries(reply)) {
    if (value instanceof EncodedField) encoded += `,${JSON.stringify(name)}:${value.text}`
    else plain[name] = value
  }
  return `${JSON.stringify(plain).slice(0, -1)}${encoded}}`
}

/** The fields that the operation does not know. */
function findIgnored({ params }: Operation, fields: ReadonlyMap<string, string>): readonly string[] {
  return [...fields.keys()].filter((name) => !isKnown(name, params))
}

function tellIgnored(body: string | Uint8Array, ignored: readonly string[]): string | Uint8Array {
  if (ignored.length === 0) return body
  return `${body.toString().slice(0, -1)},"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`
}

function isKnown(name: string, params: Operation['params']): boolean {
  if (Object.hasOwn(params, name)) return true
  for (const param in params) if (params[param]?.aliases.includes(name)) return true
  return false
}

function toApiError(error: unknown, context: AdmitContext): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OverloadError) return fail('OVERLOADED')
  context.onBug(error)
  return fail('INTERNAL')
}

/** The calling program's name: what stands before the slash of its User-Agent. */
function clientName(userAgent: string): string {
  const end = userAgent.search(/[/ ;(]/)
  const name = (end < 0 ? userAgent : userAgent.slice(0, end)).replaceAll('\0', '').toWellFormed()
  return name === '' ? 'API' : name.slice(0, CLIENT_NAME_LENGTH_MAX).toWellFormed()
}
