/**
 * Resumable uploads: `/api/v1/tus` by the tus protocol 1.0, with the credentials of any other operation.
 *
 * An offset that is told is on the disk, whatever happens next. An upload is written to by one request at a time,
 * over all processes; a newer request has the older one end with what it has brought so far. The request that
 * makes an upload whole is answered with what `POST /user_uploads` would answer of it: `url` and `filename`.
 */

import { TusUploadLocks } from '../../db/tus-uploads.ts'
import { DESCRIPTION_POLICY, type Door, type Visit } from '../api/door.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import type { Services } from '../api/services.ts'
import { toApiError } from '../api/to-api-error.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { BodyPlaces } from './body-places.ts'
import { AWAY_MS_MAX, waitUntilNone } from './flights.ts'
import type { RequestRecord } from './http.ts'
import { isBeyondPassing, WireRequest } from './request.ts'
import { RequestBody } from './request-body.ts'
import { originOf } from './request-origin.ts'
import type { TusAnswer } from './tus/messages.ts'
import { SyncedSizes } from './tus/synced-sizes.ts'
import { readUploadPath, TUS_BASE } from './tus/upload-address.ts'
import { UploadTurns } from './tus/upload-turns.ts'
import { writeTusAnswer, writeTusError } from './tus/write-answer.ts'
import type { HttpRequest, HttpResponse, TemplatedApp } from './uws.ts'

/** What resumable uploads work with. */
export interface TusContext {
  readonly services: Services
  readonly door: Door
  readonly isProxyTrusted: boolean
  /** As the operator set it; undefined where clients' own word counts. */
  readonly publicUrl: string | undefined
  nextRequestId(): string
  onRequest(record: RequestRecord): void
  onBug(error: unknown): void
  onError(error: unknown): void
}

/** Requests with a body that are under way at once: each may hold some 8 MiB of what has come and is not on the disk yet. */
const BODIES_MAX = 32
/** The same of one user: clients send a handful of files at a time. */
const BODIES_PER_USER_MAX = 8
/** Bytes that a request brings so as not to be counted: a large file takes many requests, and each of them its time. */
const UNCOUNTED_BYTES_MIN = 1024 * 1024
/** The headers of the protocol; no other reaches the library. */
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

/** A request under way. */
interface Flight {
  readonly res: HttpResponse
  readonly request: WireRequest
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: RequestBody | undefined
  /** Where the client reached the server. */
  readonly origin: string
  readonly requestId: string
  readonly startedMs: number
  readonly visit: Visit
  /** When its body last got on. */
  activeMs: number
  /** How much of its body had come then. */
  activeBytes: number
  /** Nobody waits for its answer: the client is gone, or was told to try again. */
  isAborted: boolean
}

/** Serves uploads, and knows which requests are under way. */
export class TusUploads {
  readonly #context: TusContext
  readonly #turns: UploadTurns
  readonly #sizes: SyncedSizes
  readonly #owners = new Map<string, UserId>()
  readonly #flights = new Set<Flight>()
  readonly #bodies = new BodyPlaces(BODIES_MAX, BODIES_PER_USER_MAX)
  #isLeaving = false
  #isDraining = false

  constructor(context: TusContext) {
    const { sql, fileStore, onError } = context.services
    this.#context = context
    this.#turns = new UploadTurns(new TusUploadLocks(sql), onError)
    this.#sizes = new SyncedSizes(fileStore)
  }

  /** Adds the routes. */
  serve(app: TemplatedApp): void {
    for (const path of [TUS_BASE, `${TUS_BASE}/*`]) app.any(path, (res, req) => this.#handle(res, req))
  }

  /** From here on each connection is closed by its next answer. */
  beginDrain(): void {
    this.#isLeaving = true
  }

  /** Ends what is under way, with what has come so far, and waits for it for so long at most. */
  async drain(msMax: number): Promise<void> {
    this.#isDraining = true
    for (const { body } of this.#flights) body?.stop()
    await waitUntilNone(this.#flights, msMax)
    await this.#turns.close()
  }

  /** Answers what a database that does not serve has kept waiting for too long; what has come of a body is kept. */
  endKeptWaiting(): void {
    const nowMs = performance.now()
    for (const flight of this.#flights) {
      const bytes = flight.body?.takenBytes ?? 0
      if (bytes !== flight.activeBytes) flight.activeMs = nowMs
      flight.activeBytes = bytes
      if (flight.isAborted || nowMs - flight.activeMs < AWAY_MS_MAX) continue
      const { res, request, requestId, visit } = flight
      const answered = { requestId, method: request.method, rate: visit.rate, isLast: true }
      writeTusError(res, answered, fail('DATABASE_UNAVAILABLE'))
      abort(flight)
    }
  }

  #handle(res: HttpResponse, req: HttpRequest): void {
    const { isProxyTrusted, publicUrl, services } = this.#context
    const request = new WireRequest(res, req, isProxyTrusted)
    const headers = HEADERS.map((name) => [name, req.getHeader(name)] as const).filter(
      ([, value]) => value !== '',
    )
    // For clients behind something that lets only the usual methods through.
    const method = req.getHeader('x-http-method-override').toUpperCase() || request.method
    const flight: Flight = {
      res,
      request,
      method,
      headers,
      body: request.hasBody ? new RequestBody(res) : undefined,
      origin: publicUrl ?? originOf(req, isProxyTrusted, services.publicUrl),
      requestId: this.#context.nextRequestId(),
      startedMs: performance.now(),
      visit: this.#context.door.receive(request),
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
      outcome = toApiError(error, this.#context)
    }
    this.#countBrought(flight)
    const isReusable = await this.#endBody(flight, outcome)
    const { res, request, requestId, visit, isAborted } = flight
    const isSent = !isAborted
    if (isSent) {
      const { rate } = visit
      const answered = { requestId, method: request.method, rate, isLast: this.#isLeaving || !isReusable }
      if (outcome instanceof ApiError) writeTusError(res, answered, outcome)
      else writeTusAnswer(res, answered, outcome)
    }
    if (!(outcome instanceof ApiError)) await outcome.onEnd?.(isSent)
    this.#flights.delete(flight)
    this.#context.onRequest({
      requestId,
      method: flight.method,
      path: request.path,
      status: outcome.status,
      durationMs: performance.now() - flight.startedMs,
    })
  }

  /** Ends the body; resolves to whether the connection can be used on. */
  async #endBody({ body, request }: Flight, outcome: TusAnswer | ApiError): Promise<boolean> {
    if (!body) return !request.isAmbiguous
    const isOver = body.drop()
    // A request that is refused by its head alone is answered before its body has come.
    if (outcome instanceof ApiError && body.takenBytes === 0)
      return !request.isAmbiguous && !isBeyondPassing(request)
    return isOver // Few clients read an answer before they have sent all of what they send.
  }

  async #answer(flight: Flight): Promise<TusAnswer> {
    const { method, body, origin, request, visit } = flight
    if (request.isAmbiguous) throw fail('BODY_AMBIGUOUS')
    const { services } = this.#context
    const place = readUploadPath(request.path)
    if (!place) throw fail('RESUMABLE_UPLOAD_UNKNOWN')
    if (method === 'OPTIONS') {
      visit.enter(DESCRIPTION_POLICY)
      return (await load()).describeUploads(services)
    }
    visit.enter({
      access: 'user',
      isCountedLater: method === 'PATCH' && request.bodyBytes >= UNCOUNTED_BYTES_MIN,
    })
    const user = visit.user as User
    const headers = toHeaders(flight.headers)
    const leave =
      body && this.#bodies.take(user.id, { bytes: () => body.arrivedBytes, onLost: () => body.stop() })
    try {
      return await (await load()).answerUpload(
        { user, method, key: place.key, headers, body, origin },
        { services, turns: this.#turns, sizes: this.#sizes, owners: this.#owners },
      )
    } finally {
      leave?.()
    }
  }

  /** Counts a request that was to bring much and did not. */
  #countBrought({ visit, body }: Flight): void {
    if (!body || body.takenBytes < UNCOUNTED_BYTES_MIN) visit.countLater()
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

/** The library takes some MiB of memory: whoever uploads nothing by it need not have it. */
function load() {
  return import('./tus/answer-upload.ts')
}
