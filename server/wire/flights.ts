/** The requests under way: which they are, when each last got on, and when there are none any more. */

import { setTimeout as wait } from 'node:timers/promises'
import type { BodyShare } from './body-budget.ts'
import type { FileRoom } from './large-bodies.ts'
import type { HttpResponse } from './uws.ts'

/** A request that takes longer is answered as failed: the longest poll takes 80 s, else a database hangs. */
export const REQUEST_MS_MAX = 120_000
/** The same while the database does not serve: the client knows then what is wrong, and that it may try again. */
export const AWAY_MS_MAX = 3_000
/** A file that takes longer is given up, however steadily it comes or goes: 100 MiB at 30 kB/s. */
const FILE_MS_MAX = 3_600_000
/** How often a draining server looks whether it is done. */
const DRAIN_LOOK_MS = 10

/** A request under way, as far as its answer needs it: a parked poll keeps no more of it than this. */
export interface Flight {
  readonly res: HttpResponse
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly acceptsGzip: boolean
  /** Milliseconds of the process's own clock, as is the next. */
  readonly startedMs: number
  /** When it last got on; of most requests, when it started. */
  activeMs: number
  /** Whether what is left of its body would be read as the next request. */
  isBodyLeft: boolean
  /** Whether its answer is being written, and is a file. */
  isWriting: boolean
  /** Whether it waits for something else than the server: its body, or as a poll for what happens. */
  isWaiting: boolean
  isAnswered: boolean
  isAborted: boolean
  /** Called once when the client is gone. */
  onAbort: (() => void) | undefined
  fileRoom: FileRoom
  /** How much of a body with a place of its own has come. */
  bodyBytes: number
  /** Gives that place back. */
  leavePlace: (() => void) | undefined
  /** What its body takes of the memory, while it comes. */
  share: BodyShare | undefined
}

/** Those under way, the one that got on longest ago first. */
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

  /** Notes that a request gets on, as long as it may take at all. */
  touch(flight: Flight): void {
    const nowMs = performance.now()
    if (nowMs - flight.startedMs > FILE_MS_MAX || !this.#flights.delete(flight)) return
    flight.activeMs = nowMs
    this.#flights.add(flight)
  }

  /** Those that have not got on for so long; those that wait for something else may wait as long as any. */
  *overdue(nowMs: number, msMax: number): Generator<Flight> {
    for (const flight of this.#flights) {
      if (nowMs - flight.activeMs < msMax) return // They are in that order.
      const isOthers = flight.isWaiting || flight.isWriting
      if (!isOthers || nowMs - flight.activeMs >= REQUEST_MS_MAX) yield flight
    }
  }
}

/** Resolves when no request is under way, or the time is over; to whether none is. */
export async function waitUntilNone(flights: { readonly size: number }, msMax: number): Promise<boolean> {
  const deadline = performance.now() + msMax
  while (flights.size > 0 && performance.now() < deadline) await wait(DRAIN_LOOK_MS)
  return flights.size === 0
}
