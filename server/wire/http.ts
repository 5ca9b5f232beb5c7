/** The HTTP side of the server: from bytes to an admitted request, and back. */

import { setTimeout as wait } from 'node:timers/promises'
import { admit, type AdmitContext, type ApiResponse, type HeldResponse } from '../api/admit.ts'
import { ApiError, fail } from '../api/errors.ts'
import { decodeForm, decodeMultipart, isMultipart } from './decode-body.ts'
import { writeApiResponse, writePage, type Page } from './reply.ts'
import { BODY_BYTES_MAX, BodyTooLargeError, readBody, WireRequest } from './request.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'

/** Where the API is. */
export const API_BASE = '/api/v1'
/** A request that takes longer is answered as failed: the longest poll takes 80 s, else a database hangs. */
const REQUEST_MS_MAX = 120_000
const NO_FIELDS: ReadonlyMap<string, string> = new Map()
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

/** A request under way, as far as its answer needs it: a parked poll keeps no more of it than this. */
interface Flight {
  readonly res: HttpResponse
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly startedMs: number
  isAnswered: boolean
  isAborted: boolean
  /** Called once when the client is gone. */
  onAbort: (() => void) | undefined
}

/** Serves requests, and knows which are under way. */
export class HttpServer {
  readonly #context: HttpContext
  readonly #flights = new Set<Flight>()
  #count = 0
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
    const flight: Flight = {
      res,
      requestId: this.nextRequestId(),
      method: request.method,
      path: request.path,
      startedMs: performance.now(),
      isAnswered: false,
      isAborted: false,
      onAbort: undefined,
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
      if (nowMs - flight.startedMs < REQUEST_MS_MAX) return // They are in the order of their start.
      this.#answer(flight, toResponse(fail('OVERLOADED')))
      this.#abort(flight) // Only then: an aborted request cannot be answered.
    }
  }

  #abort(flight: Flight): void {
    flight.isAborted = true
    this.#flights.delete(flight) // Its body may never end.
    flight.onAbort?.()
  }

  async #serve(flight: Flight, request: WireRequest): Promise<void> {
    try {
      // Bodies are read in this turn at the latest: uWebSockets.js does not keep them.
      const body = request.hasBody ? readBody(flight.res, request) : undefined
      body?.catch(() => undefined) // It may be refused after the answer, when nobody waits for it.
      const found = this.#context.findPage(request.path)
      if (found) return await this.#servePage(flight, found)
      if (!request.path.startsWith(`${API_BASE}/`)) throw fail('ENDPOINT_UNKNOWN')
      let fields = NO_FIELDS
      if (body || request.query !== '') {
        const given = new Map<string, string>()
        decodeForm(request.query, given)
        if (body) await decodeBody(request.contentType, await body, given)
        fields = given
      }
      const path = request.path.slice(API_BASE.length)
      const answer = admit(request, path, fields, this.#context.admission)
      const response = answer instanceof Promise ? await answer : answer
      if ('held' in response) this.#hold(flight, response)
      else this.#answer(flight, response)
    } catch (error) {
      if (error instanceof BodyTooLargeError) {
        this.#answer(flight, toResponse(fail('BODY_TOO_LARGE', { bytesMax: BODY_BYTES_MAX })))
      } else if (error instanceof ApiError) this.#answer(flight, toResponse(error))
      else {
        this.#context.admission.onBug(error)
        this.#answer(flight, toResponse(fail('INTERNAL')))
      }
    }
  }

  async #servePage(flight: Flight, page: Page | Promise<Page>): Promise<void> {
    const { method } = flight
    if (method !== 'GET' && method !== 'HEAD') throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD'] })
    this.#answerPage(flight, await page)
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

  #answered({ method, requestId }: Flight) {
    return { requestId, method, isLast: this.#isDraining }
  }

  /** Whether the answer can still be written. */
  #finish(flight: Flight, status: number): boolean {
    const { requestId, method, path } = flight
    if (flight.isAnswered) return false
    flight.isAnswered = true
    this.#flights.delete(flight)
    this.#context.onRequest({
      requestId,
      method,
      path,
      status,
      durationMs: performance.now() - flight.startedMs,
    })
    return !flight.isAborted
  }
}

async function decodeBody(contentType: string, body: Buffer, fields: Map<string, string>): Promise<void> {
  if (!isMultipart(contentType)) {
    decodeForm(body.toString('utf8'), fields)
    return
  }
  try {
    await decodeMultipart(contentType, body, fields)
  } catch (error) {
    throw error instanceof ApiError ? error : fail('BODY_MALFORMED') // What the parser found is the client's.
  }
}

function toResponse(error: ApiError): ApiResponse {
  return { status: error.status, body: JSON.stringify(error.body), rate: undefined }
}
