/** The HTTP side of the server: from bytes to an admitted request, and back. */

import {
  admit,
  type AdmitContext,
  type ApiResponse,
  findUploader,
  type GivenFiles,
  type HeldResponse,
  toResponse,
} from '../api/admit.ts'
import { ApiError, fail } from '../api/errors.ts'
import { admitFile, isFilePath } from '../api/uploads/served-file.ts'
import type { User } from '../domain/entities.ts'
import { KnownQueries } from '../api/known-queries.ts'
import { readPicturePath } from '../domain/pictures.ts'
import { FileMissingError, FilesUnavailableError } from '../files/file-store.ts'
import { admitUpload } from './admit-upload.ts'
import { BodyPlaces } from './body-places.ts'
import { isMultipart } from './decode-body.ts'
import { decodeForm } from './decode-form.ts'
import { type Flight, Flights, waitUntilNone } from './flights.ts'
import { findForm, loggedPath } from './forms.ts'
import type { ServeForm } from './forms/serve-form.ts'
import { writeApiResponse, writePage, type Page } from './reply.ts'
import { LargeBodies } from './large-bodies.ts'
import { readFields } from './read-fields.ts'
import { ClientGoneError } from './receive-files.ts'
import { BodyTooLargeError, readBody, WireRequest } from './request.ts'
import { RequestBody } from './request-body.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'
import { chooseAnswer, writeFile } from './write-file.ts'

/** Where the API is. */
export const API_BASE = '/api/v1'
const NO_FIELDS: ReadonlyMap<string, string> = new Map()
/** Uploads that arrive at once: each may hold some 8 MiB that are not on the disk yet, and a file of the disk. */
const UPLOADS_MAX = 32
/** Those of one user: some more than a browser has connections. */
const UPLOADS_PER_USER_MAX = 8

/** What a finished request was. */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** What the HTTP side works with. */
export interface HttpContext {
  readonly admission: AdmitContext
  readonly isProxyTrusted: boolean
  /** The page at a path, if there is one; those under the API's base are documents about it. */
  findPage(path: string): Page | Promise<Page> | undefined
  onRequest(record: RequestRecord): void
}

/** Who brings a file, and to which path of the API. */
interface Uploader {
  readonly user: User
  readonly path: string
}

/** Serves requests, and knows which are under way. */
export class HttpServer {
  readonly #context: HttpContext
  readonly #flights = new Flights()
  readonly #largeBodies: LargeBodies
  readonly #uploads = new BodyPlaces(UPLOADS_MAX, UPLOADS_PER_USER_MAX)
  readonly #queries = new KnownQueries()
  #count = 0
  #isDraining = false
  /** Request ids are unique in the process by their count, and beyond it by this. */
  readonly #idPrefix = `${process.pid.toString(36)}${Date.now().toString(36)}`

  constructor(context: HttpContext) {
    this.#context = context
    this.#largeBodies = new LargeBodies(context.admission)
  }

  /** From here on each connection is closed by its next answer: its client goes elsewhere, rather than come again. */
  beginDrain(): void {
    this.#isDraining = true
  }

  /** Resolves when no request is under way, or the time is over; to whether none is. */
  drained(msMax: number): Promise<boolean> {
    return waitUntilNone(this.#flights, msMax)
  }

  /** A fresh id for a request. */
  nextRequestId(): string {
    return `${this.#idPrefix}-${(this.#count++).toString(36)}`
  }

  /** The handler of every route. */
  handle(res: HttpResponse, req: HttpRequest): void {
    const request = new WireRequest(res, req, this.#context.isProxyTrusted)
    const nowMs = performance.now()
    const flight: Flight = {
      res,
      requestId: this.nextRequestId(),
      method: request.method,
      path: request.path,
      acceptsGzip: request.acceptsGzip,
      startedMs: nowMs,
      activeMs: nowMs,
      isBodyLeft: false,
      isWriting: false,
      isAnswered: false,
      isAborted: false,
      onAbort: undefined,
      fileRoom: 'none',
    }
    void this.#serve(flight, request)
    if (flight.isAnswered) return // In this turn, as most reads are: nobody has gone meanwhile.
    flight.onAbort ??= () => request.abort()
    this.#flights.add(flight)
    res.onAborted(() => this.#abort(flight))
  }

  /** Answers what has been under way for too long. */
  endOverdue(nowMs = performance.now()): void {
    for (const flight of this.#flights.overdue(nowMs)) {
      if (flight.isWriting) flight.res.close()
      else this.#answer(flight, toResponse(fail('OVERLOADED')))
      this.#abort(flight) // Only then: an aborted request cannot be answered.
    }
  }

  #abort(flight: Flight): void {
    flight.isAborted = true
    this.#flights.remove(flight) // Its body may never end.
    this.#giveRoomBack(flight)
    flight.onAbort?.()
  }

  async #serve(flight: Flight, request: WireRequest): Promise<void> {
    try {
      const uploader = this.#findUploader(request)
      if (uploader) return await this.#receive(flight, request, uploader)
      // Bodies are read in this turn at the latest: uWebSockets.js does not keep them.
      const { fileRoom, bytesMax } = this.#largeBodies.makeRoom(request, apiPath(request.path))
      flight.fileRoom = fileRoom
      const body = request.hasBody ? readBody(flight.res, request, bytesMax) : undefined
      body?.catch(() => undefined) // It may be refused after the answer, when nobody waits for it.
      if (readPicturePath(request.path)) return await this.#servePicture(flight, request)
      if (isFilePath(request.path)) return await this.#serveFile(flight, request)
      const form = findForm(request.path)
      if (form) return await this.#serveForm(flight, request, body, form)
      const found = this.#context.findPage(request.path)
      if (found) return await this.#servePage(flight, found, request.ifNoneMatch)
      const path = apiPath(request.path)
      if (path === undefined) throw fail('ENDPOINT_UNKNOWN')
      let fields = NO_FIELDS
      let files: GivenFiles | undefined
      if (body) {
        const given = new Map<string, string>()
        decodeForm(request.query, given)
        files = await readFields(request.contentType, body, given, flight.fileRoom)
        fields = given
      } else if (request.query !== '') fields = this.#queries.fieldsOf(request.query, decodeForm)
      const answer = admit(request, path, fields, this.#context.admission, files)
      const response = answer instanceof Promise ? await answer : answer
      if ('held' in response) this.#hold(flight, response)
      else this.#answer(flight, response)
    } catch (error) {
      if (error instanceof BodyTooLargeError) {
        // What is left of it would be read as the next request, unless the connection is closed.
        const isCrowded = flight.fileRoom === 'small' && error.isWhole
        this.#answer(flight, toResponse(isCrowded ? fail('OVERLOADED') : fail('BODY_TOO_LARGE', error)))
      } else if (error instanceof ApiError) this.#answer(flight, toResponse(error))
      else if (error instanceof ClientGoneError) return
      else {
        this.#context.admission.onBug(error)
        this.#answer(flight, toResponse(fail('INTERNAL')))
      }
    }
  }

  /** Whose file it is that comes, where it goes to the file store rather than to memory. */
  #findUploader(request: WireRequest): Uploader | undefined {
    const path = apiPath(request.path)
    if (path === undefined || !request.hasBody || !isMultipart(request.contentType)) return undefined
    const user = findUploader(request, path, this.#context.admission)
    return user && { user, path }
  }

  /** Brings a file to the store while it comes, and admits the request once it is whole. */
  async #receive(flight: Flight, request: WireRequest, uploader: Uploader): Promise<void> {
    const body = new RequestBody(flight.res)
    flight.isBodyLeft = true
    flight.onAbort = () => {
      request.abort()
      body.onGone()
    }
    const chunks = this.#follow(flight, body)
    const isGone = () => flight.isAborted
    const upload = { request, ...uploader, body: chunks, isGone }
    const response = await admitUpload(upload, this.#uploads, this.#context.admission)
    flight.isBodyLeft = !(await body.drop())
    this.#answer(flight, response)
  }

  /** Copies of the chunks, which are only lent, while the parser keeps them. Each shows that the request gets on. */
  async *#follow(flight: Flight, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#flights.touch(flight)
      yield Buffer.from(chunk)
    }
  }

  async #serveFile(flight: Flight, request: WireRequest): Promise<void> {
    const { method } = flight
    if (method !== 'GET' && method !== 'HEAD') throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD'] })
    const file = await admitFile(request, this.#context.admission)
    if (flight.isAnswered || flight.isAborted) return
    const { range, ifRange, ifNoneMatch } = request
    const asked = { requestId: flight.requestId, method, range, ifRange, ifNoneMatch }
    const answer = chooseAnswer(file, asked)
    flight.isWriting = true
    const writing = writeFile(flight.res, file, asked, answer, () => this.#flights.touch(flight))
    flight.onAbort = () => writing.abort()
    try {
      await writing.done
    } catch (error) {
      if (
        !flight.isAborted &&
        (error instanceof FileMissingError || error instanceof FilesUnavailableError)
      ) {
        flight.isWriting = false
        this.#context.admission.services.onError(error)
        throw fail(error instanceof FileMissingError ? 'UPLOAD_UNKNOWN' : 'UPLOADS_UNAVAILABLE')
      }
      flight.isAborted = true
      this.#finish(flight, answer.status)
      throw error
    }
    this.#finish(flight, answer.status)
  }

  #giveRoomBack(flight: Flight): void {
    this.#largeBodies.giveBack(flight.fileRoom)
    flight.fileRoom = 'none'
  }

  /** Anybody may ask for a picture, and each look is a query: those in vain are counted against the address. */
  async #servePicture(flight: Flight, { path, address, ifNoneMatch }: WireRequest): Promise<void> {
    const { limiter, limits } = this.#context.admission
    const key = `pictures:${address}`
    if (limiter.isSpent(key, limits.perAddress)) {
      const { retryAfterSeconds = 1 } = limiter.take(key, limits.perAddress)
      throw fail('RATE_LIMIT_HIT', { retryAfterSeconds })
    }
    const found = this.#context.findPage(path)
    try {
      if (!found) throw fail('ENDPOINT_UNKNOWN')
      await this.#servePage(flight, found, ifNoneMatch)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) limiter.take(key, limits.perAddress)
      throw error
    }
  }

  async #serveForm(
    flight: Flight,
    { method, path, address, query, contentType }: WireRequest,
    body: Promise<Buffer> | undefined,
    serve: ServeForm,
  ): Promise<void> {
    const fields = new Map<string, string>()
    decodeForm(query, fields)
    if (body) await readFields(contentType, body, fields, 'none')
    this.#answerPage(flight, await serve({ method, path, fields, address }, this.#context.admission))
  }

  async #servePage(flight: Flight, found: Page | Promise<Page>, ifNoneMatch: string): Promise<void> {
    const { method } = flight
    if (method !== 'GET' && method !== 'HEAD') throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD'] })
    const page = await found
    const { ETag: version } = page.headers
    const isKnown = version !== undefined && ifNoneMatch.includes(version)
    this.#answerPage(flight, isKnown ? { ...page, status: 304 } : page)
  }

  /** Answers when the reply is there. */
  #hold(flight: Flight, { held, rate, finish }: HeldResponse): void {
    if (flight.isAborted) {
      held.abort()
      return
    }
    flight.onAbort = held.abort
    held.onEnd((body) => this.#answer(flight, { status: 200, body: finish(body), rate }))
  }

  #answer(flight: Flight, response: ApiResponse): void {
    if (this.#finish(flight, response.status)) writeApiResponse(flight.res, this.#answered(flight), response)
  }

  #answerPage(flight: Flight, page: Page): void {
    if (this.#finish(flight, page.status)) writePage(flight.res, this.#answered(flight), page)
  }

  #answered({ method, requestId, acceptsGzip, isBodyLeft }: Flight) {
    return { requestId, method, acceptsGzip, isLast: this.#isDraining || isBodyLeft }
  }

  /** Whether the answer can still be written. */
  #finish(flight: Flight, status: number): boolean {
    const { requestId, method, path } = flight
    if (flight.isAnswered) return false
    flight.isAnswered = true
    this.#flights.remove(flight)
    this.#giveRoomBack(flight)
    this.#context.onRequest({
      requestId,
      method,
      path: loggedPath(path),
      status,
      durationMs: performance.now() - flight.startedMs,
    })
    return !flight.isAborted
  }
}

/** The path under the API's base, with a leading slash; undefined for one elsewhere. */
function apiPath(path: string): string | undefined {
  return path.startsWith(`${API_BASE}/`) ? path.slice(API_BASE.length) : undefined
}
