/** The HTTP side of the server: from bytes to an admitted request, and back. */

import { setTimeout as wait } from 'node:timers/promises'
import {
  admit,
  type AdmitContext,
  type ApiResponse,
  findFileBytesMax,
  findUploader,
  type GivenFiles,
  type HeldResponse,
} from '../api/admit.ts'
import { ApiError, fail } from '../api/errors.ts'
import type { ArrivedFiles } from '../api/operation.ts'
import { discardArrival, receiveUpload } from '../api/receive-upload.ts'
import { admitFile, isFilePath } from '../api/served-file.ts'
import { BYTES_PER_MIB } from '../api/uploads.ts'
import type { User } from '../domain/entities.ts'
import { KnownQueries } from '../api/known-queries.ts'
import { readPicturePath } from '../domain/pictures.ts'
import { decodeMultipart, isMultipart } from './decode-body.ts'
import { decodeForm } from './decode-form.ts'
import { findForm, loggedPath, type ServeForm } from './forms.ts'
import { writeApiResponse, writePage, type Page } from './reply.ts'
import { ClientGoneError, receiveFiles } from './receive-files.ts'
import { BODY_BYTES_MAX, BodyTooLargeError, readBody, WireRequest } from './request.ts'
import { RequestBody } from './tus/request-body.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'
import { chooseAnswer, writeFile } from './write-file.ts'

/** Where the API is. */
export const API_BASE = '/api/v1'
/** A request that takes longer is answered as failed: the longest poll takes 80 s, else a database hangs. */
const REQUEST_MS_MAX = 120_000
const NO_FIELDS: ReadonlyMap<string, string> = new Map()
/** Bodies with files that are under way at once: of some MiB each. */
const LARGE_BODIES_MAX = 16
/** Bytes of such a body beside the file: other fields, and what parts them. */
const BYTES_BESIDE_FILE = 64 * 1024
/** Uploads that arrive at once: each holds a MiB or two, and a file of the disk. */
const UPLOADS_MAX = 64
/** Those of one user: some more than a browser has connections. */
const UPLOADS_PER_USER_MAX = 8
/** A file that takes longer is given up, however steadily it comes or goes: 100 MiB at 30 kB/s. */
const FILE_MS_MAX = 3_600_000
/** How often a draining server looks whether it is done. */
const DRAIN_LOOK_MS = 10

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

/** Whether a request may bring files: none, as many bytes as any body, or as many as its operation takes. */
type FileRoom = 'none' | 'small' | 'large'

/** A request under way, as far as its answer needs it: a parked poll keeps no more of it than this. */
interface Flight {
  readonly res: HttpResponse
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly acceptsGzip: boolean
  readonly startedMs: number
  /** When it last got on; of most requests, when it started. */
  activeMs: number
  /** Whether what is left of its body would be read as the next request. */
  isBodyLeft: boolean
  /** Whether its answer is being written, and is a file. */
  isWriting: boolean
  isAnswered: boolean
  isAborted: boolean
  /** Called once when the client is gone. */
  onAbort: (() => void) | undefined
  fileRoom: FileRoom
}

/** Serves requests, and knows which are under way. */
export class HttpServer {
  readonly #context: HttpContext
  readonly #flights = new Set<Flight>()
  readonly #queries = new KnownQueries()
  #count = 0
  #largeBodies = 0
  /** Uploads that arrive, by user; nobody of whom there is none. */
  readonly #uploadCounts = new Map<User['id'], number>()
  #uploadCount = 0
  #isDraining = false
  /** Request ids are unique in the process by their count, and beyond it by this. */
  readonly #idPrefix = `${process.pid.toString(36)}${Date.now().toString(36)}`

  constructor(context: HttpContext) {
    this.#context = context
  }

  /** From here on each connection is closed by its next answer: its client goes elsewhere, rather than come again. */
  beginDrain(): void {
    this.#isDraining = true
  }

  /** Resolves when no request is under way, or the time is over; to whether none is. */
  async drained(msMax: number): Promise<boolean> {
    const deadline = performance.now() + msMax
    while (this.#flights.size > 0 && performance.now() < deadline) await wait(DRAIN_LOOK_MS)
    return this.#flights.size === 0
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
    for (const flight of this.#flights) {
      if (nowMs - flight.activeMs < REQUEST_MS_MAX) return // They are in that order.
      if (flight.isWriting) flight.res.close()
      else this.#answer(flight, toResponse(fail('OVERLOADED')))
      this.#abort(flight) // Only then: an aborted request cannot be answered.
    }
  }

  #abort(flight: Flight): void {
    flight.isAborted = true
    this.#flights.delete(flight) // Its body may never end.
    this.#giveRoomBack(flight)
    flight.onAbort?.()
  }

  async #serve(flight: Flight, request: WireRequest): Promise<void> {
    try {
      const uploader = this.#findUploader(request)
      if (uploader) return await this.#receive(flight, request, uploader)
      // Bodies are read in this turn at the latest: uWebSockets.js does not keep them.
      const bytesMax = this.#makeRoom(flight, request)
      const body = request.hasBody ? readBody(flight.res, request, bytesMax) : undefined
      body?.catch(() => undefined) // It may be refused after the answer, when nobody waits for it.
      if (readPicturePath(request.path)) return await this.#servePicture(flight, request)
      if (isFilePath(request.path)) return await this.#serveFile(flight, request)
      const form = findForm(request.path)
      if (form) return await this.#serveForm(flight, request, body, form)
      const found = this.#context.findPage(request.path)
      if (found) return await this.#servePage(flight, found, request.ifNoneMatch)
      if (!request.path.startsWith(`${API_BASE}/`)) throw fail('ENDPOINT_UNKNOWN')
      let fields = NO_FIELDS
      let files: GivenFiles | undefined
      if (body) {
        const given = new Map<string, string>()
        decodeForm(request.query, given)
        files = await decodeBody(request.contentType, body, given, flight.fileRoom)
        fields = given
      } else if (request.query !== '') fields = this.#queries.fieldsOf(request.query, decodeForm)
      const path = request.path.slice(API_BASE.length)
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
  #findUploader(request: WireRequest): User | undefined {
    const { path, hasBody, contentType } = request
    if (!hasBody || !isMultipart(contentType) || !path.startsWith(`${API_BASE}/`)) return undefined
    return findUploader(request, path.slice(API_BASE.length), this.#context.admission)
  }

  /** Brings a file to the store while it comes, and admits the request once it is whole. */
  async #receive(flight: Flight, request: WireRequest, user: User): Promise<void> {
    const { admission } = this.#context
    const { services } = admission
    const body = new RequestBody(flight.res)
    flight.isBodyLeft = true
    flight.onAbort = () => {
      request.abort()
      body.onGone()
    }
    const fields = new Map<string, string>()
    const bytesMax = services.uploads.mibMax * BYTES_PER_MIB
    const ofUser = this.#uploadCounts.get(user.id) ?? 0
    let response: ApiResponse
    let arrived: ArrivedFiles = { count: 1, first: 'too_large' }
    this.#uploadCount++
    this.#uploadCounts.set(user.id, ofUser + 1)
    try {
      if (this.#uploadCount > UPLOADS_MAX || ofUser >= UPLOADS_PER_USER_MAX) throw fail('OVERLOADED')
      decodeForm(request.query, fields)
      if (!(request.bodyBytes > bytesMax + BYTES_BESIDE_FILE)) {
        arrived = await receiveFiles({
          contentType: request.contentType,
          body: this.#follow(flight, body),
          isGone: () => flight.isAborted,
          fields,
          bytesMax,
          receive: (name, chunks) => receiveUpload(services, user, name, chunks),
          discard: (file) => discardArrival(services, file),
        })
      }
      const path = request.path.slice(API_BASE.length)
      const answer = await admit(request, path, fields, admission, undefined, arrived)
      if ('held' in answer) throw new Error(`${path} takes a file, and answers later`)
      response = answer
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      response = toResponse(error)
    } finally {
      this.#uploadCount--
      const left = (this.#uploadCounts.get(user.id) ?? 1) - 1
      if (left > 0) this.#uploadCounts.set(user.id, left)
      else this.#uploadCounts.delete(user.id)
    }
    const { first } = arrived
    if (response.status !== 200 && first && first !== 'too_large') await discardArrival(services, first)
    flight.isBodyLeft = !(await body.drop())
    this.#answer(flight, response)
  }

  /** Copies of the chunks, which are only lent, while the parser keeps them. Each shows that the request gets on. */
  async *#follow(flight: Flight, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#touch(flight)
      yield Buffer.from(chunk)
    }
  }

  /** Notes that a request gets on, as long as it may take at all. */
  #touch(flight: Flight): void {
    const nowMs = performance.now()
    if (nowMs - flight.startedMs > FILE_MS_MAX || !this.#flights.delete(flight)) return
    flight.activeMs = nowMs
    this.#flights.add(flight)
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
    const writing = writeFile(flight.res, file, asked, answer, () => this.#touch(flight))
    flight.onAbort = () => writing.abort()
    try {
      await writing.done
    } catch (error) {
      flight.isAborted = true
      throw error
    } finally {
      this.#finish(flight, answer.status)
    }
  }

  /** How many bytes the body may have. Who may not bring a file does not make the server hold more than anybody. */
  #makeRoom(flight: Flight, request: WireRequest): number {
    const { path } = request
    if (!request.hasBody || !isMultipart(request.contentType) || !path.startsWith(`${API_BASE}/`))
      return BODY_BYTES_MAX
    const bytesMax = findFileBytesMax(request, path.slice(API_BASE.length), this.#context.admission)
    if (bytesMax === undefined) return BODY_BYTES_MAX
    if (this.#largeBodies >= LARGE_BODIES_MAX) {
      flight.fileRoom = 'small'
      return BODY_BYTES_MAX
    }
    this.#largeBodies++
    flight.fileRoom = 'large'
    return bytesMax + BYTES_BESIDE_FILE
  }

  #giveRoomBack(flight: Flight): void {
    if (flight.fileRoom === 'large') this.#largeBodies--
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
    if (body) await decodeBody(contentType, body, fields, 'none')
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
    this.#flights.delete(flight)
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

/** Puts the fields of a body to the others; answers its files, where they are wanted. */
async function decodeBody(
  contentType: string,
  coming: Promise<Buffer>,
  fields: Map<string, string>,
  fileRoom: FileRoom,
): Promise<GivenFiles | undefined> {
  let body: Buffer
  try {
    body = await coming
  } catch (error) {
    if (fileRoom === 'large' && error instanceof BodyTooLargeError && error.isWhole) return 'too_large'
    throw error
  }
  if (!isMultipart(contentType)) {
    decodeForm(body.toString('utf8'), fields)
    return undefined
  }
  const files: Uint8Array[] | undefined = fileRoom === 'none' ? undefined : []
  try {
    await decodeMultipart(contentType, body, fields, files)
    return files
  } catch (error) {
    throw error instanceof ApiError ? error : fail('BODY_MALFORMED') // What the parser found is the client's.
  }
}

function toResponse(error: ApiError): ApiResponse {
  return { status: error.status, body: JSON.stringify(error.body), rate: undefined }
}
