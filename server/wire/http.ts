/** The HTTP side of the server: from bytes to an admitted request, and back. */

import {
  type Admission,
  admit,
  type AdmitContext,
  answer,
  type ApiAnswer,
  findOperation,
  toRefusal,
  toResponse,
} from '../api/admit.ts'
import { CachedQueries } from '../api/cached-queries.ts'
import { SAFE_METHODS } from '../api/door/cross-site.ts'
import type { Exchange } from '../api/door/exchange.ts'
import { AGENT_POLICY, isScimPath } from '../api/door/policies.ts'
import { fail } from '../errors/api-error.ts'
import { RESOURCE_PATH } from './agent-paths.ts'
import { Answers, type RequestRecord } from './answers.ts'
import { Bodies } from './bodies.ts'
import { decodeQuery } from './decode-form.ts'
import { AWAY_MS_MAX, type Flight, REQUEST_MS_MAX } from './flights.ts'
import { type FindPage, OtherPaths } from './other-paths.ts'
import { writeApiResponse } from './reply.ts'
import { ClientGoneError } from './receive-files.ts'
import { ADDRESS_LENGTH_MAX, type HeadReading, isBeyondPassing, WireRequest } from './request.ts'
import { toAnswerError, toUnreadableError } from './to-answer-error.ts'
import type { HttpRequest, HttpResponse, Unreadable } from './transport/transport.ts'

/** The base path of the API. */
export const API_BASE = '/api/v1'
/** Pictures of users, which clients ask for without the base. */
const AVATARS_BASE = '/avatar/'
/** Documents about the API that are not operations. */
const API_DOCUMENTS: readonly string[] = ['/openapi.json']
const NO_FIELDS: ReadonlyMap<string, string> = new Map()

/** The dependencies of the HTTP side. */
export interface HttpContext {
  readonly admission: AdmitContext
  readonly isProxyTrusted: boolean
  readonly findPage: FindPage
  /** Logs it; undefined if requests are not logged. */
  readonly onRequest: ((record: RequestRecord) => void) | undefined
  /** Serves a request so that log lines and spans follow it; undefined if none do. Sets its span, if it has one. */
  readonly follow?: Follow | undefined
}

/** Runs a request in a context of its own. */
export type Follow = (
  flight: Pick<Flight, 'requestId' | 'span'>,
  head: Pick<HttpRequest, 'getHeader'>,
  serve: () => Promise<void>,
) => void

/** Serves requests and tracks those in progress. */
export class HttpServer {
  readonly #context: HttpContext
  readonly #answers: Answers
  readonly #bodies: Bodies
  readonly #others: OtherPaths
  readonly #queries = new CachedQueries()
  #count = 0
  /** Makes request ids unique beyond the process; their count does so within it. */
  readonly #idPrefix = `${process.pid.toString(36)}${Date.now().toString(36)}`
  readonly #reading: HeadReading

  constructor(context: HttpContext) {
    const { admission, findPage, onRequest } = context
    this.#context = context
    this.#answers = new Answers(onRequest, admission.door.isTlsOnly)
    this.#bodies = new Bodies(admission, this.#answers)
    this.#others = new OtherPaths(admission, this.#answers, this.#bodies, findPage)
    this.#reading = {
      isProxyTrusted: context.isProxyTrusted,
      nextRequestId: () => this.nextRequestId(),
    }
  }

  /** From now on each answer closes its connection, so that clients reconnect elsewhere. */
  beginDrain(): void {
    this.#answers.beginDrain()
  }

  /** The answered requests. */
  get requests() {
    return this.#answers.requests
  }

  /** Requests and bodies in progress, and the bytes of cached queries and paths. */
  get figures() {
    return {
      inProgress: this.#answers.flights.size,
      ...this.#bodies.places,
      queriesBytes: this.#queries.bytes,
      pathsBytes: this.#context.admission.router.bytes,
    }
  }

  /** Resolves when no request is in progress or the time is over; the result says whether none is. */
  drained(msMax: number): Promise<boolean> {
    return this.#answers.drained(msMax)
  }

  /** A new request id. */
  nextRequestId(): string {
    return `${this.#idPrefix}-${(this.#count++).toString(36)}`
  }

  /** The handler of every route. */
  handle(res: HttpResponse, req: HttpRequest): void {
    const request = new WireRequest(res, req, this.#reading)
    const nowMs = performance.now()
    const flight: Flight = {
      res,
      requestId: request.requestId,
      method: request.method,
      path: request.path,
      acceptsGzip: request.acceptsGzip,
      scheme: schemeOf(request, this.#context.admission.services),
      asked: 'unknown',
      span: undefined,
      startedMs: nowMs,
      activeMs: nowMs,
      rest: restOf(request),
      isBodyRead: false,
      isPaused: false,
      forwardedAddress: request.forwardedAddress,
      isWriting: false,
      isWaiting: false,
      isInHandler: true,
      isAnswered: false,
      isAborted: false,
      onAbort: undefined,
      fileRoom: 'none',
      bodyBytes: 0,
      leavePlace: undefined,
      share: undefined,
    }
    const exchange = this.#context.admission.door.receive(request)
    const { follow } = this.#context
    if (follow) follow(flight, req, () => this.#serve(flight, request, exchange))
    else void this.#serve(flight, request, exchange)
    flight.isInHandler = false
    if (flight.isAnswered) return // In the same turn, as for most reads: the client cannot have disconnected meanwhile.
    flight.onAbort ??= () => request.abort()
    this.#answers.flights.add(flight)
    res.onAborted(() => this.#answers.abort(flight))
  }

  /** Answers a request that the transport cannot read; its connection is closed. */
  refuse(res: HttpResponse, reason: Unreadable): void {
    const answered = {
      requestId: this.nextRequestId(),
      method: 'GET',
      after: 'drop' as const,
      isUnread: true,
      isTlsOnly: this.#answers.isTlsOnly,
    }
    writeApiResponse(res, answered, toResponse(toUnreadableError(reason)))
  }

  /** Answers requests that are overdue, committed or not; earlier while the database is unavailable. */
  endOverdue(nowMs = performance.now(), isServed = true): void {
    for (const flight of this.#answers.flights.overdue(nowMs, isServed ? REQUEST_MS_MAX : AWAY_MS_MAX))
      this.#end(flight, isServed ? 'OVERLOADED' : 'DATABASE_UNAVAILABLE')
  }

  /** Answers all requests in progress, whose database is another by now: their clients repeat them. */
  endAll(): void {
    for (const flight of this.#answers.flights.all()) this.#end(flight, 'DATABASE_UNAVAILABLE')
  }

  #end(flight: Flight, reason: 'OVERLOADED' | 'DATABASE_UNAVAILABLE'): void {
    if (flight.isWriting) flight.res.close()
    else this.#answers.answer(flight, toResponse(fail(reason)))
    this.#answers.abort(flight) // Only then: an aborted request cannot be answered.
  }

  /** Refuses by the head, if it can, in the same turn, before any of the body is stored. */
  async #serve(flight: Flight, request: WireRequest, exchange: Exchange): Promise<void> {
    let admission: Admission | undefined
    try {
      if (request.isAmbiguous) throw fail('BODY_AMBIGUOUS')
      if (request.path.length + request.query.length > ADDRESS_LENGTH_MAX)
        throw fail('ADDRESS_TOO_LONG', { lengthMax: ADDRESS_LENGTH_MAX })
      if (this.#answers.turn.isFull() && !request.hasBody) {
        await this.#answers.turn.next()
        if (flight.isAborted) return
      }
      const path = this.#apiPath(request.path)
      if (path === undefined || API_DOCUMENTS.includes(path))
        return await this.#others.serve(flight, request, exchange)
      admission = findOperation(request, path, exchange, this.#context.admission)
      flight.asked = admission.operation
      admit(admission, this.#context.admission)
      const answered = request.hasBody
        ? this.#bodies.answer(flight, request, admission)
        : SAFE_METHODS.includes(request.method)
          ? answer(request, admission, this.#contentOf(request), this.#context.admission)
          : this.#change(flight, request, admission)
      const response = answered instanceof Promise ? await answered : answered
      if ('held' in response) this.#answers.hold(flight, response)
      else this.#answers.answer(flight, response)
    } catch (error) {
      if (error instanceof ClientGoneError) return
      const failure = toAnswerError(error, flight, exchange, this.#context.admission)
      const { setCookies } = exchange.cookies
      const response = admission
        ? toRefusal(failure, admission, setCookies)
        : toResponse(failure, exchange.limits.rate, setCookies)
      this.#answers.answer(flight, response)
    }
  }

  /** Answers a change without a body. */
  async #change(flight: Flight, request: WireRequest, admission: Admission): Promise<ApiAnswer> {
    await this.#answers.turn.next()
    this.#answers.beginChange(flight)
    return answer(request, admission, this.#contentOf(request), this.#context.admission)
  }

  /** The path under a base of the API, with a leading slash; undefined for other paths. */
  #apiPath(path: string): string | undefined {
    if (path.startsWith(`${API_BASE}/`)) return path.slice(API_BASE.length)
    if (path.startsWith(AVATARS_BASE)) return path
    const { sessionApiBase } = this.#context.admission.services.names
    if (sessionApiBase === undefined || !path.startsWith(`${sessionApiBase}/`)) return undefined
    const under = path.slice(sessionApiBase.length)
    return API_DOCUMENTS.includes(under) ? undefined : under
  }

  #contentOf({ query }: WireRequest) {
    return { fields: query === '' ? NO_FIELDS : this.#queries.fieldsOf(query, decodeQuery) }
  }
}

/** The credentials that a request without any should have had. */
function schemeOf({ path, cookie }: WireRequest, services: AdmitContext['services']): Flight['scheme'] {
  if (path === AGENT_POLICY.path)
    return services.agentClients
      ? `Bearer resource_metadata="${services.publicUrl}${RESOURCE_PATH}",`
      : 'Bearer'
  if (isScimPath(path)) return 'Bearer'
  return cookie !== '' || !path.startsWith(API_BASE) ? 'Session' : 'Basic'
}

function restOf(request: WireRequest): Flight['rest'] {
  if (request.isAmbiguous) return 'ambiguous'
  if (!request.hasBody) return 'none'
  return isBeyondPassing(request) ? 'long' : 'short'
}
