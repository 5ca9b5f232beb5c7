/** The HTTP side of the server: from bytes to an admitted request, and back. */

import {
  type Admission,
  admit,
  findOperation,
  type AdmitContext,
  answer,
  type ApiAnswer,
  type ApiResponse,
  type HeldResponse,
  toResponse,
} from '../api/admit.ts'
import { PICTURE_POLICY, type Visit } from '../api/door.ts'
import { type ApiError, fail } from '../errors/api-error.ts'
import { toApiError } from '../api/to-api-error.ts'
import { filePolicy, findServedFile, isFilePath } from '../api/served-file.ts'
import { CachedQueries } from '../api/cached-queries.ts'
import { isDrawnPath } from '../domain/drawn-pictures.ts'
import { readPicturePath } from '../domain/pictures.ts'
import { FileMissingError, FilesUnavailableError } from '../files/file-store.ts'
import { admitUpload } from './admit-upload.ts'
import { ANONYMOUS_BODY_BYTES_MAX, BodyBudget, type BodyShare } from './body-budget.ts'
import { BodyPlaces } from './body-places.ts'
import { decodeQuery } from './decode-form.ts'
import { AWAY_MS_MAX, type Flight, Flights, REQUEST_MS_MAX, waitUntilNone } from './flights.ts'
import { checkSubmitted, failurePage, findForm, formPolicy } from './forms.ts'
import type { ServeForm } from './forms/serve-form.ts'
import { drawPage, type PeoplesPage } from './html.ts'
import type { PageRequest } from './pages.ts'
import { redirectTo, writeApiResponse, writePage, type Page } from './reply.ts'
import { LargeBodies } from './large-bodies.ts'
import { loggedPath } from './logged-path.ts'
import { isMultipart } from './multipart-head.ts'
import { readFields } from './read-fields.ts'
import { ClientGoneError } from './receive-files.ts'
import {
  ADDRESS_LENGTH_MAX,
  BodyTooLargeError,
  isBeyondPassing,
  readBody,
  type HeadReading,
  WireRequest,
} from './request.ts'
import { RequestBody } from './request-body.ts'
import { labelOf, RequestFigures } from './request-figures.ts'
import {
  HEAD_BYTES_MAX,
  type HttpRequest,
  type HttpResponse,
  type Unreadable,
} from './transport/transport.ts'
import { chooseAnswer, writeFile } from './write-file.ts'

/** The base path of the API. */
export const API_BASE = '/api/v1'
/** Documents about the API that are not operations. */
const API_DOCUMENTS: readonly string[] = ['/openapi.json']
const NO_FIELDS: ReadonlyMap<string, string> = new Map()
/** Concurrent uploads: each may hold 8 MiB that are not on disk yet, and an open file. */
const UPLOADS_MAX = 32
/** Per user: a few more than a browser has connections. */
const UPLOADS_PER_USER_MAX = 8

/** Bytes of a whole body: never slow. */
const WHOLE = Number.MAX_SAFE_INTEGER

/** A finished request, for the log. */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** The dependencies of the HTTP side. */
export interface HttpContext {
  readonly admission: AdmitContext
  readonly isProxyTrusted: boolean
  /** The page at a path, if any; pages under the API's base are documents about it. */
  findPage(path: string, request: PageRequest): Page | Promise<Page> | undefined
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
  readonly #flights = new Flights()
  readonly #largeBodies = new LargeBodies()
  readonly #budget = new BodyBudget()
  readonly #uploads = new BodyPlaces(UPLOADS_MAX, UPLOADS_PER_USER_MAX)
  readonly #queries = new CachedQueries()
  readonly requests = new RequestFigures()
  #count = 0
  #isDraining = false
  /** Makes request ids unique beyond the process; their count does so within it. */
  readonly #idPrefix = `${process.pid.toString(36)}${Date.now().toString(36)}`
  readonly #reading: HeadReading

  constructor(context: HttpContext) {
    this.#context = context
    this.#reading = {
      isProxyTrusted: context.isProxyTrusted,
      nextRequestId: () => this.nextRequestId(),
    }
  }

  /** From now on each answer closes its connection, so that clients reconnect elsewhere. */
  beginDrain(): void {
    this.#isDraining = true
  }

  /** Requests and bodies in progress, and the bytes of cached queries and paths. */
  get figures() {
    return {
      inProgress: this.#flights.size,
      uploads: this.#uploads,
      largeBodies: this.#largeBodies.places,
      queriesBytes: this.#queries.bytes,
      pathsBytes: this.#context.admission.router.bytes,
    }
  }

  /** Resolves when no request is in progress or the time is over; the result says whether none is. */
  drained(msMax: number): Promise<boolean> {
    return waitUntilNone(this.#flights, msMax)
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
      asksForSession: request.cookie !== '' || !request.path.startsWith(API_BASE),
      asked: 'unknown',
      span: undefined,
      startedMs: nowMs,
      activeMs: nowMs,
      isBodyLeft: request.isAmbiguous || isBeyondPassing(request),
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
    const visit = this.#context.admission.door.receive(request)
    const { follow } = this.#context
    if (follow) follow(flight, req, () => this.#serve(flight, request, visit))
    else void this.#serve(flight, request, visit)
    flight.isInHandler = false
    if (flight.isAnswered) return // In the same turn, as for most reads: the client cannot have disconnected meanwhile.
    flight.onAbort ??= () => request.abort()
    this.#flights.add(flight)
    res.onAborted(() => this.#abort(flight))
  }

  /** Answers a request that the transport cannot read; its connection is closed. */
  refuse(res: HttpResponse, reason: Unreadable): void {
    const answered = { requestId: this.nextRequestId(), method: 'GET', isLast: true }
    writeApiResponse(res, answered, toResponse(toUnreadableError(reason)))
  }

  /** Answers requests that are overdue, committed or not; earlier while the database is unavailable. */
  endOverdue(nowMs = performance.now(), isServed = true): void {
    for (const flight of this.#flights.overdue(nowMs, isServed ? REQUEST_MS_MAX : AWAY_MS_MAX)) {
      if (flight.isWriting) flight.res.close()
      else this.#answer(flight, toResponse(fail(isServed ? 'OVERLOADED' : 'DATABASE_UNAVAILABLE')))
      this.#abort(flight) // Only then: an aborted request cannot be answered.
    }
  }

  /** Another body has taken the place of this one: the client may retry on another connection. */
  #lose(flight: Flight): void {
    if (flight.isAnswered || flight.isAborted) return
    flight.isBodyLeft = true
    this.#answer(flight, toResponse(fail('OVERLOADED')))
    this.#abort(flight)
  }

  #abort(flight: Flight): void {
    flight.isAborted = true
    this.#flights.remove(flight) // Its body may never end.
    this.#giveRoomBack(flight)
    flight.onAbort?.()
  }

  /** Refuses by the head, if it can, in the same turn, before any of the body is stored. */
  async #serve(flight: Flight, request: WireRequest, visit: Visit): Promise<void> {
    try {
      if (request.isAmbiguous) throw fail('BODY_AMBIGUOUS')
      if (request.path.length + request.query.length > ADDRESS_LENGTH_MAX)
        throw fail('ADDRESS_TOO_LONG', { lengthMax: ADDRESS_LENGTH_MAX })
      const path = this.#apiPath(request.path)
      if (path === undefined || API_DOCUMENTS.includes(path))
        return await this.#serveElse(flight, request, visit)
      const admission = findOperation(request, path, visit, this.#context.admission)
      flight.asked = admission.operation
      admit(admission, this.#context.admission)
      const answered = request.hasBody
        ? this.#answerBody(flight, request, admission)
        : answer(request, admission, this.#contentOf(request), this.#context.admission)
      const response = answered instanceof Promise ? await answered : answered
      if ('held' in response) this.#hold(flight, response)
      else this.#answer(flight, response)
    } catch (error) {
      if (error instanceof ClientGoneError) return
      this.#answer(flight, toResponse(this.#toApiError(error, flight, visit), visit.rate))
    }
  }

  /** The path under a base of the API, with a leading slash; undefined for other paths. */
  #apiPath(path: string): string | undefined {
    if (path.startsWith(`${API_BASE}/`)) return path.slice(API_BASE.length)
    const { sessionApiBase } = this.#context.admission.services.names
    if (sessionApiBase === undefined || !path.startsWith(`${sessionApiBase}/`)) return undefined
    const under = path.slice(sessionApiBase.length)
    return API_DOCUMENTS.includes(under) ? undefined : under
  }

  /** Serves requests that are not operations: pictures, files, forms, pages. */
  async #serveElse(flight: Flight, request: WireRequest, visit: Visit): Promise<void> {
    const { path } = request
    if (isFilePath(path)) return this.#serveFile(flight, request, visit)
    const form = findForm(path)
    if (form) return this.#serveForm(flight, request, visit, form)
    return this.#servePage(flight, request, visit)
  }

  #toApiError(error: unknown, flight: Flight, visit: Visit): ApiError {
    if (!(error instanceof BodyTooLargeError))
      return visit.countMiss(toApiError(error, this.#context.admission, flight.requestId))
    return flight.fileRoom === 'small' ? fail('OVERLOADED') : fail('BODY_TOO_LARGE', error)
  }

  #contentOf({ query }: WireRequest) {
    return { fields: query === '' ? NO_FIELDS : this.#queries.fieldsOf(query, decodeQuery) }
  }

  /** Answers an admitted request once its body has arrived; the body's reader must start in this turn. */
  async #answerBody(flight: Flight, request: WireRequest, admission: Admission): Promise<ApiAnswer> {
    const { operation, visit } = admission
    if (operation.file?.mibMax === 'streamed' && visit.user && isMultipart(request.contentType))
      return this.#receive(flight, request, admission)
    const { fileRoom, bytesMax, leave } = this.#largeBodies.makeRoom(request, admission, {
      bytes: () => (flight.isWaiting ? flight.bodyBytes : WHOLE),
      onLost: () => this.#lose(flight),
    })
    flight.fileRoom = fileRoom
    flight.leavePlace = leave
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    const files = await this.#readFields(flight, request, visit, { bytesMax, fields })
    return answer(request, admission, { fields, files }, this.#context.admission)
  }

  /** Adds the fields of a body to the others, within its share of the memory; returns its files. */
  async #readFields(
    flight: Flight,
    request: WireRequest,
    { user }: Visit,
    { bytesMax, fields }: { readonly bytesMax: number; readonly fields: Map<string, string> },
  ) {
    const { fileRoom } = flight
    flight.share =
      fileRoom === 'large'
        ? noteBytes(flight) // It has a place instead of a share.
        : user
          ? this.#budget.ofUser(user.id)
          : this.#budget.ofAddress(request.address)
    const body = readBody(flight.res, request, bytesMax, flight.share)
    flight.isWaiting = true
    try {
      return await readFields(request.contentType, body, fields, fileRoom)
    } finally {
      flight.share.end()
      flight.isWaiting = false // From now on the server's own time counts.
      this.#flights.touch(flight)
    }
  }

  /** Stores a file while it arrives, and answers once it is whole. */
  async #receive(flight: Flight, request: WireRequest, admission: Admission): Promise<ApiResponse> {
    const body = new RequestBody(flight.res)
    flight.isBodyLeft = true
    flight.onAbort = () => {
      request.abort()
      body.onGone()
    }
    const chunks = this.#follow(flight, body)
    const upload = {
      request,
      admission,
      body: chunks,
      isGone: () => flight.isAborted,
      coming: { bytes: () => body.arrivedBytes, onLost: () => this.#lose(flight) },
    }
    const response = await admitUpload(upload, this.#uploads, this.#context.admission)
    flight.isBodyLeft = !(await body.drop())
    return response
  }

  /** Copies each chunk, since chunks are only lent and the parser holds them. Each chunk counts as progress. */
  async *#follow(flight: Flight, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#flights.touch(flight)
      yield Buffer.from(chunk)
    }
  }

  async #serveFile(flight: Flight, request: WireRequest, visit: Visit): Promise<void> {
    const { method } = flight
    flight.asked = 'file'
    checkReadOnly(method)
    const { services } = this.#context.admission
    visit.enter(filePolicy(request.path))
    const file = await findServedFile(request.path, visit.user, services)
    if (isOver(flight)) return
    const { range, ifRange, ifNoneMatch } = request
    const { requestId } = flight
    const isLast = this.#isDraining
    const asked = { requestId, method, rate: visit.rate, range, ifRange, ifNoneMatch, isLast }
    const answer = chooseAnswer(file, asked)
    const elsewhere = method === 'GET' && 'range' in answer ? await file.findElsewhere() : undefined
    if (isOver(flight)) return
    if (elsewhere !== undefined)
      return this.#answerPage(flight, { ...redirectTo(elsewhere), rate: visit.rate })
    flight.isWriting = true
    const writing = writeFile(flight.res, { file, request: asked, answer }, (bytes) => {
      this.requests.fileBytesSent += bytes
      this.#flights.touch(flight)
    })
    flight.onAbort = () => writing.abort()
    try {
      await writing.done
    } catch (error) {
      const isMissing = error instanceof FileMissingError
      if (!flight.isAborted && (isMissing || error instanceof FilesUnavailableError)) {
        flight.isWriting = false
        if (!isMissing) throw error
        services.onError(error)
        throw fail('UPLOAD_UNKNOWN')
      }
      flight.isAborted = true
      this.#finish(flight, answer.status)
      throw error
    }
    this.#finish(flight, answer.status)
  }

  #giveRoomBack(flight: Flight): void {
    flight.leavePlace?.()
    flight.fileRoom = 'none'
    flight.share?.end()
  }

  async #serveForm(flight: Flight, request: WireRequest, visit: Visit, serve: ServeForm): Promise<void> {
    const { method, path, query } = request
    flight.asked = 'form'
    try {
      visit.enter(formPolicy(method, path))
      const fields = new Map<string, string>()
      decodeQuery(query, fields)
      if (request.hasBody)
        await this.#readFields(flight, request, visit, { bytesMax: ANONYMOUS_BODY_BYTES_MAX, fields })
      if (method === 'POST') checkSubmitted(fields)
      const page = await serve(
        { method, path, fields, visit, userAgent: request.userAgent },
        this.#context.admission.services,
      )
      const drawn = 'content' in page ? this.#draw(page) : page
      this.#answerPage(flight, { ...drawn, rate: visit.rate, cookies: visit.cookies })
    } catch (error) {
      const page = this.#draw(failurePage(this.#toApiError(error, flight, visit)))
      this.#answerPage(flight, { ...page, rate: visit.rate })
    }
  }

  #draw(page: PeoplesPage): Page {
    return drawPage(page, this.#context.admission.services.state.organization?.name)
  }

  /** Serves a page or a picture: both are public, and each lookup is a query. */
  async #servePage(flight: Flight, request: WireRequest, visit: Visit): Promise<void> {
    const { method, path, ifNoneMatch } = request
    const isPicture = isDrawnPath(path) || readPicturePath(path) !== undefined
    if (isPicture) {
      flight.asked = 'picture'
      checkReadOnly(method)
      visit.enter(PICTURE_POLICY)
    }
    const found = this.#context.findPage(path, request)
    if (!found) throw fail('ENDPOINT_UNKNOWN')
    if (!isPicture) {
      flight.asked = 'page'
      checkReadOnly(method)
    }
    const page = await found
    const { ETag: version } = page.headers
    const isKnown = version !== undefined && ifNoneMatch.includes(version)
    this.#answerPage(flight, isKnown ? { ...page, status: 304 } : page)
  }

  /** Answers when the reply resolves. */
  #hold(flight: Flight, { held, rate, finish }: HeldResponse): void {
    if (flight.isAborted) {
      held.abort()
      return
    }
    flight.onAbort = held.abort
    flight.isWaiting = true
    held.onEnd((body) => this.#answer(flight, { status: 200, body: finish(body), rate }))
  }

  #answer(flight: Flight, response: ApiResponse): void {
    if (this.#finish(flight, response.status)) writeApiResponse(flight.res, this.#answered(flight), response)
  }

  #answerPage(flight: Flight, page: Page): void {
    if (this.#finish(flight, page.status)) writePage(flight.res, this.#answered(flight), page)
  }

  #answered({ method, requestId, acceptsGzip, isBodyLeft, isInHandler, asksForSession }: Flight) {
    const isLast = this.#isDraining || isBodyLeft
    return { requestId, method, acceptsGzip, asksForSession, isLast, isCorked: isInHandler }
  }

  /** Whether the answer can still be written. */
  #finish(flight: Flight, status: number): boolean {
    const { requestId, method, path, asked } = flight
    if (flight.isAnswered) return false
    flight.isAnswered = true
    this.#flights.remove(flight)
    this.#giveRoomBack(flight)
    const durationMs = performance.now() - flight.startedMs
    this.requests.note(asked, status, durationMs)
    flight.span?.end(
      { 'http.request.method': method, 'http.response.status_code': status, 'parley.request_id': requestId },
      status >= 500,
      labelOf(asked),
    )
    this.#context.onRequest?.({ requestId, method, path: loggedPath(path), status, durationMs })
    return !flight.isAborted
  }
}

/** Whether nothing can be written any more: it may end during any wait. */
function isOver({ isAnswered, isAborted }: Flight): boolean {
  return isAnswered || isAborted
}

function toUnreadableError(reason: Unreadable): ApiError {
  switch (reason) {
    case 'malformed':
      return fail('REQUEST_MALFORMED')
    case 'ambiguous':
      return fail('BODY_AMBIGUOUS')
    case 'head_too_long':
      return fail('HEADERS_TOO_LONG', { bytesMax: HEAD_BYTES_MAX })
    case 'too_slow':
      return fail('REQUEST_TOO_SLOW')
  }
}

function checkReadOnly(method: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD'] })
}

/** A share that counts only progress, not memory. */
function noteBytes(flight: Flight): BodyShare {
  return {
    grow(bytes) {
      flight.bodyBytes = bytes
      return undefined
    },
    end() {},
  }
}
