/** The requests in progress: when each last made progress, and when all are finished. */

import { setTimeout as wait } from 'node:timers/promises'
import type { Span } from '../measures/span.ts'
import type { BodyShare } from './body-budget.ts'
import type { FileRoom } from './large-bodies.ts'
import type { Scheme } from './write-head.ts'
import type { Asked } from './request-figures.ts'
import type { HttpResponse } from './transport/transport.ts'

/** A request that takes longer fails: the longest poll takes 80 s, so a database hangs. */
export const REQUEST_MS_MAX = 120_000
/** The limit while the database is unavailable: the client learns the reason early and may retry. */
export const AWAY_MS_MAX = 3_000
/** A transfer of a file ends after this time, even if it is steady: 100 MiB at 30 kB/s. */
const FILE_MS_MAX = 3_600_000
/** How often a draining server checks for requests in progress. */
const DRAIN_LOOK_MS = 10

/** The part of a request that its answer needs: a parked poll holds no more than this. */
export interface Flight {
  readonly res: HttpResponse
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly acceptsGzip: boolean
  /** The credentials that a 401 asks for. */
  readonly scheme: Scheme
  /** Its operation or kind, once that is known. */
  asked: Asked
  /** Undefined unless spans are exported. */
  span: Span | undefined
  /** In milliseconds of the process's clock, like the next. */
  readonly startedMs: number
  /** The last progress; for most requests, their start. */
  activeMs: number
  /** The part of the body that is not read: `long` is too much to skip, so that the connection ends. */
  rest: 'none' | 'short' | 'long' | 'ambiguous'
  /** Whether something reads the body. */
  isBodyRead: boolean
  /** Whether the connection is paused, so that the next request waits for the answer. */
  isPaused: boolean
  /** The client's address in the header of a trusted proxy; empty without one. */
  readonly forwardedAddress: string
  /** Whether a file is being written as the answer. */
  isWriting: boolean
  /** Whether it waits for the client's body or, as a poll, for events. */
  isWaiting: boolean
  /** Whether the transport's call of the handler still runs. */
  isInHandler: boolean
  isAnswered: boolean
  isAborted: boolean
  /** Called once when the client disconnects. */
  onAbort: (() => void) | undefined
  fileRoom: FileRoom
  /** Bytes that have arrived of a body with a place. */
  bodyBytes: number
  /** Frees the place. */
  leavePlace: (() => void) | undefined
  /** The share of the memory that the body takes, until it is whole. */
  share: BodyShare | undefined
}

/** The requests in progress, the least recently active first. */
export class Flights {
  readonly #flights = new Set<Flight>()

  get size(): number {
    return this.#flights.size
  }

  add(flight: Flight): void {
    this.#flights.add(flight)
  }

  remove(flight: Flight): void {
    this.#flights.delete(flight)
  }

  /** All requests in progress. */
  all(): Flight[] {
    return [...this.#flights]
  }

  /** Records progress of a request, up to the longest time that it may take. */
  touch(flight: Flight): void {
    const nowMs = performance.now()
    if (nowMs - flight.startedMs > FILE_MS_MAX || !this.#flights.delete(flight)) return
    flight.activeMs = nowMs
    this.#flights.add(flight)
  }

  /** Requests without progress for this long; waiting requests get the longest limit. */
  *overdue(nowMs: number, msMax: number): Generator<Flight> {
    for (const flight of this.#flights) {
      if (nowMs - flight.activeMs < msMax) return // They are sorted by that time.
      const isOthers = flight.isWaiting || flight.isWriting
      if (!isOthers || nowMs - flight.activeMs >= REQUEST_MS_MAX) yield flight
    }
  }
}

/** Resolves when no request is in progress or the time is over; the result says whether none is. */
export async function waitUntilNone(flights: { readonly size: number }, msMax: number): Promise<boolean> {
  const deadline = performance.now() + msMax
  while (flights.size > 0 && performance.now() < deadline) await wait(DRAIN_LOOK_MS)
  return flights.size === 0
}
