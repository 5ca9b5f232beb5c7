/** Writes the answers of requests: each request gets one, unless its client is gone. */

import type { ApiResponse, HeldResponse } from '../api/admit.ts'
import { type Flight, Flights, waitUntilNone } from './flights.ts'
import { loggedPath } from './logged-path.ts'
import { type After, type Answered, type Page, writeApiResponse, writePage } from './reply.ts'
import { ClientGoneError } from './receive-files.ts'
import { peerAddressOf } from './request.ts'
import { labelOf, RequestFigures } from './request-figures.ts'
import { Turn } from './turn.ts'
import { Unsent } from './unsent.ts'

/** A finished request, for the log. */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** The answers of one server, and the requests that wait for theirs. */
export class Answers {
  readonly flights = new Flights()
  readonly requests = new RequestFigures()
  readonly turn = new Turn()
  /** The bytes that wait for clients. */
  readonly unsent = new Unsent()
  readonly #onRequest: ((record: RequestRecord) => void) | undefined
  /** Whether browsers must reach this server by TLS alone. */
  readonly isTlsOnly: boolean
  #isDraining = false

  /** `onRequest` logs each answered request. */
  constructor(onRequest: ((record: RequestRecord) => void) | undefined, isTlsOnly: boolean) {
    this.#onRequest = onRequest
    this.isTlsOnly = isTlsOnly
  }

  /** From now on each answer closes its connection. */
  beginDrain(): void {
    this.#isDraining = true
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Resolves when no request is in progress or the time is over; the result says whether none is. */
  drained(msMax: number): Promise<boolean> {
    return waitUntilNone(this.flights, msMax)
  }

  /**
   * Call it in the turn after the packet (`turn.next()`), before a change begins: nothing else came in its packet, and the
   * next request waits for its answer. Throws if the client is gone.
   */
  beginChange(flight: Flight): void {
    if (flight.isAborted) throw new ClientGoneError()
    if (flight.isAnswered) return
    flight.isPaused = true
    flight.res.pause()
  }

  answer(flight: Flight, response: ApiResponse): void {
    if (this.finish(flight, response.status)) writeApiResponse(flight.res, this.#answered(flight), response)
  }

  answerPage(flight: Flight, page: Page): void {
    if (this.finish(flight, page.status)) writePage(flight.res, this.#answered(flight), page)
  }

  /** Answers when the reply resolves. */
  hold(flight: Flight, { held, rate, finish }: HeldResponse): void {
    if (flight.isAborted) {
      held.abort()
      return
    }
    flight.onAbort = held.abort
    flight.isWaiting = true
    held.onEnd((body) => this.answer(flight, { status: 200, body: finish(body), rate }))
  }

  /** The client is gone, or what it still sends is. */
  abort(flight: Flight): void {
    flight.isAborted = true
    this.flights.remove(flight) // Its body may never end.
    giveRoomBack(flight)
    flight.onAbort?.()
  }

  /** Counts the answer, which the caller writes; returns whether it can still be written. */
  finish(flight: Flight, status: number): boolean {
    const { requestId, method, path, asked } = flight
    if (flight.isAnswered) return false
    flight.isAnswered = true
    this.flights.remove(flight)
    giveRoomBack(flight)
    const durationMs = performance.now() - flight.startedMs
    this.requests.note(asked, status, durationMs)
    flight.span?.end(
      { 'http.request.method': method, 'http.response.status_code': status, 'parley.request_id': requestId },
      status >= 500,
      labelOf(asked),
    )
    this.#onRequest?.({ requestId, method, path: loggedPath(path), status, durationMs })
    if (flight.isAborted) return false
    if (flight.isPaused) flight.res.resume() // Before the answer: the library polls for reading or writing, not for both.
    flight.isPaused = false
    return true
  }

  #answered(flight: Flight): Answered {
    const { method, requestId, acceptsGzip, isInHandler, scheme, isBodyRead } = flight
    return {
      requestId,
      method,
      acceptsGzip,
      scheme,
      isTlsOnly: this.isTlsOnly,
      after: this.#after(flight),
      isUnread: !isBodyRead,
      isCorked: isInHandler,
      onWaiting: (bytes) => this.unsent.take(flight.forwardedAddress || peerAddressOf(flight.res), bytes),
    }
  }

  #after({ rest }: Flight): After {
    if (rest === 'ambiguous') return 'cut'
    if (rest === 'long' || (rest === 'short' && this.#isDraining)) return 'drop'
    return this.#isDraining ? 'close' : 'next'
  }
}

/** Frees the memory and the place that the body takes. */
function giveRoomBack(flight: Flight): void {
  flight.leavePlace?.()
  flight.fileRoom = 'none'
  flight.share?.end()
}
