/**
 * Resumable uploads: `/api/v1/tus` by the tus protocol 1.0, with the credentials of any other operation.
 *
 * Bytes up to a reported offset are on disk and survive crashes. Over all processes, one request at a time writes to an
 * upload; a newer request ends the older one with the bytes that have arrived. The request that completes an upload
 * gets the answer of `POST /user_uploads`: `url` and `filename`.
 */

import { TusUploadLocks } from '../../db/files/tus-uploads.ts'
import type { Door } from '../api/door/door.ts'
import type { Exchange } from '../api/door/exchange.ts'
import { DESCRIPTION_POLICY } from '../api/door/policies.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import type { Services } from '../api/services.ts'
import { toApiError } from '../api/to-api-error.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { readTusPath, TUS_BASE } from '../files/tus-address.ts'
import { BodyPlaces } from './body-places.ts'
import { AWAY_MS_MAX, waitUntilNone } from './flights.ts'
import type { RequestRecord } from './answers.ts'
import { loggedPath } from './logged-path.ts'
import { isBeyondPassing, WireRequest } from './request.ts'
import type { After } from './reply.ts'
import { RequestBody } from './request-body.ts'
import type { RequestFigures } from './request-figures.ts'
import { originOf } from './request-origin.ts'
import type { TusAnswer } from './tus/messages.ts'
import { SyncedSizes } from './tus/synced-sizes.ts'
import { UploadTurns } from './tus/upload-turns.ts'
import { writeTusAnswer, writeTusError } from './tus/write-answer.ts'
import type { App, HttpRequest, HttpResponse } from './transport/transport.ts'

/** The dependencies of resumable uploads. */
export interface TusContext {
  readonly services: Services
  readonly door: Door
  readonly isProxyTrusted: boolean
  /** The operator's setting; undefined if the client's address counts. */
  readonly publicUrl: string | undefined
  readonly nextRequestId: () => string
  readonly requests: RequestFigures
  readonly onRequest: ((record: RequestRecord) => void) | undefined
  onBug(error: unknown, requestId?: string): void
  onError(error: unknown, requestId?: string): void
}

/** Concurrent requests with a body: each may hold 8 MiB that are not on disk yet. */
const BODIES_MAX = 32
/** Per user: clients send a handful of files at a time. */
const BODIES_PER_USER_MAX = 8
/** A request with at least these bytes is not counted: a large file takes many requests, each with its time. */
const UNCOUNTED_BYTES_MIN = 1024 * 1024
/** The headers of the protocol; the library gets no others. */
const HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-concat',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
]

/** A request in progress. */
interface Flight {
  readonly res: HttpResponse
  readonly request: WireRequest
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: RequestBody | undefined
  /** The address under which the client reached the server. */
  readonly origin: string
  readonly requestId: string
  readonly startedMs: number
  readonly exchange: Exchange
  /** When the body last made progress. */
  activeMs: number
  /** The bytes that had arrived then. */
  activeBytes: number
  /** The client no longer waits for the answer: it disconnected, or was refused with a retry. */
  isAborted: boolean
}

/** Serves uploads and tracks the requests in progress. */
export class TusUploads {
  readonly #context: TusContext
  readonly #turns: UploadTurns
  readonly #sizes: SyncedSizes
  readonly #owners = new Map<string, UserId>()
  readonly #flights = new Set<Flight>()
  readonly bodies = new BodyPlaces(BODIES_MAX, BODIES_PER_USER_MAX)
  #isLeaving = false
  #isDraining = false

  constructor(context: TusContext) {
    const { sql, fileStore, onError } = context.services
    this.#context = context
    this.#turns = new UploadTurns(new TusUploadLocks(sql), onError)
    this.#sizes = new SyncedSizes(fileStore)
  }

  /** The approximate bytes of what it has cached. */
  get bytes(): number {
    return 2 * this.#sizes.bytes // The owners take as many.
  }

  /** Adds the routes. */
  serve(app: App): void {
    for (const path of [TUS_BASE, `${TUS_BASE}/*`]) app.any(path, (res, req) => this.#handle(res, req))
  }

  /** From now on each answer closes its connection. */
  beginDrain(): void {
    this.#isLeaving = true
  }

  /** Ends the requests in progress with the bytes that have arrived, and waits for them up to a limit. */
  async drain(msMax: number): Promise<void> {
    this.#isDraining = true
    for (const { body } of this.#flights) body?.stop()
    await waitUntilNone(this.#flights, msMax)
    await this.#turns.close()
  }

  /** Refuses requests that have waited this long for an unavailable database; arrived bytes are stored. */
  refuseOverdue(waitedMsMin = AWAY_MS_MAX): void {
    const nowMs = performance.now()
    for (const flight of this.#flights) {
      const bytes = flight.body?.takenBytes ?? 0
      if (bytes !== flight.activeBytes) flight.activeMs = nowMs
      flight.activeBytes = bytes
      if (flight.isAborted || nowMs - flight.activeMs < waitedMsMin) continue
      const { res, request, requestId, exchange } = flight
      const { isTlsOnly } = this.#context.door
      const answered = {
        requestId,
        method: request.method,
        rate: exchange.limits.rate,
        after: 'drop' as const,
        isTlsOnly,
      }
      writeTusError(res, answered, fail('DATABASE_UNAVAILABLE'))
      abort(flight)
    }
  }

  #handle(res: HttpResponse, req: HttpRequest): void {
    const { isProxyTrusted, publicUrl, services } = this.#context
    const request = new WireRequest(res, req, this.#context)
    const headers = HEADERS.map((name) => [name, req.getHeader(name)] as const).filter(
      ([, value]) => value !== '',
    )
    // For clients behind a proxy that passes only common methods.
    const method = req.getHeader('x-http-method-override').toUpperCase() || request.method
    const flight: Flight = {
      res,
      request,
      method,
      headers,
      body: request.hasBody ? new RequestBody(res) : undefined,
      origin: publicUrl ?? originOf(req, isProxyTrusted, services.publicUrl),
      requestId: request.requestId,
      startedMs: performance.now(),
      exchange: this.#context.door.receive(request),
      activeMs: performance.now(),
      activeBytes: 0,
      isAborted: false,
    }
    this.#flights.add(flight)
    res.onAborted(() => abort(flight))
    if (this.#isDraining || request.isAmbiguous) flight.body?.stop()
    void this.#serve(flight)
  }

  async #serve(flight: Flight): Promise<void> {
    let outcome: TusAnswer | ApiError
    try {
      outcome = await this.#answer(flight)
    } catch (error) {
      outcome = toApiError(error, this.#context, flight.requestId)
    }
    this.#countBrought(flight)
    const after = await this.#endBody(flight, outcome)
    const { res, request, requestId, exchange, isAborted } = flight
    const isSent = !isAborted
    if (isSent) {
      const { rate } = exchange.limits
      const { isTlsOnly } = this.#context.door
      const answered = { requestId, method: request.method, rate, after, isTlsOnly }
      if (outcome instanceof ApiError) writeTusError(res, answered, outcome)
      else writeTusAnswer(res, answered, outcome)
    }
    if (!(outcome instanceof ApiError)) await outcome.onEnd?.(isSent)
    this.#flights.delete(flight)
    const { status } = outcome
    const durationMs = performance.now() - flight.startedMs
    this.#context.requests.note('tus', status, durationMs)
    const path = loggedPath(request.path)
    this.#context.onRequest?.({ requestId, method: flight.method, path, status, durationMs })
  }

  /** Ends the body; resolves to what follows the answer. */
  async #endBody({ body, request }: Flight, outcome: TusAnswer | ApiError): Promise<After> {
    const next = this.#isLeaving ? 'close' : 'next'
    const isOver = body?.drop()
    if (request.isAmbiguous) return 'cut'
    if (!body) return next
    // A request that is refused by its head is answered before its body arrives.
    if (outcome instanceof ApiError && body.takenBytes === 0 && !body.isWhole)
      return this.#isLeaving || isBeyondPassing(request) ? 'drop' : 'next'
    return (await isOver) ? next : 'drop' // Few clients read an answer before they have sent everything.
  }

  async #answer(flight: Flight): Promise<TusAnswer> {
    const { method, body, origin, request, exchange } = flight
    if (request.isAmbiguous) throw fail('BODY_AMBIGUOUS')
    const { services } = this.#context
    const place = readTusPath(request.path)
    if (!place) throw fail('RESUMABLE_UPLOAD_UNKNOWN')
    if (method === 'OPTIONS') {
      exchange.enter(DESCRIPTION_POLICY)
      return (await load()).describeUploads(services)
    }
    exchange.enter({
      method,
      path: '/tus',
      access: 'user',
      // Pages of other sites cannot send this header: the server answers no such request beforehand.
      needsNoToken: flight.headers.some(([name]) => name === 'tus-resumable'),
      isCountedLater: method === 'PATCH' && request.bodyBytes >= UNCOUNTED_BYTES_MIN,
    })
    const user = exchange.user as User
    const headers = toHeaders(flight.headers)
    const leave =
      body && this.bodies.take(user.id, { bytes: () => body.arrivedBytes, onLost: () => body.stop() })
    try {
      return await (await load()).answerUpload(
        { user, method, key: place.key, headers, body, origin },
        { services, turns: this.#turns, sizes: this.#sizes, owners: this.#owners },
      )
    } finally {
      leave?.()
    }
  }

  /** Counts a request that announced many bytes but brought few. */
  #countBrought({ exchange, body }: Flight): void {
    if (!body || body.takenBytes < UNCOUNTED_BYTES_MIN) exchange.countLater()
  }
}

function abort(flight: Flight): void {
  flight.isAborted = true
  flight.request.abort()
  flight.body?.onGone()
}

function toHeaders(given: Flight['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of given) {
    if (/[^\t\x20-\x7e]/.test(value))
      throw fail('PARAMETER_INVALID', { message: `The header ${name} is malformed` })
    headers.set(name, value)
  }
  return headers
}

/** The library takes several MiB of memory, so it loads at the first upload. */
function load() {
  return import('./tus/answer-upload.ts')
}
