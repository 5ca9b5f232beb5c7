/** The choice among transports: the next one if a proxy blocks one, and a better one again as soon as it opens. */

import { ConnectionError } from './errors.ts'
import type { Connection } from './http.ts'
import { RunningTransport } from './running-transport.ts'
import { followByWebSocket } from './transports/web-socket.ts'
import { sleep } from './sleep.ts'
import type { Position, Transport } from './transports/transport.ts'
import type { Event } from './wire-types.ts'

const TRANSPORTS = {
  websocket: followByWebSocket,
  // Their code comes with their first use: most networks need neither.
  sse: late(async () => (await import('./transports/server-sent-events.ts')).followByServerSentEvents),
  poll: late(async () => (await import('./transports/long-poll.ts')).followByPolling),
} as const satisfies Readonly<Record<string, Transport>>
/** A transport for events. */
export type TransportName = keyof typeof TRANSPORTS

/** Failed attempts of a transport before the next one is used. */
const FRUITLESS_TRIES_MAX = 2
/** The time before a better transport is tried again. It doubles each time: most proxies stay as they are. */
const RETURN_MS = 30_000
const RETURN_MS_MAX = 1_800_000
/** The least time between two such tries, however often the wait is ended: each costs the server a ticket. */
const RETURN_PAUSE_MS = 30_000
/** The time after which a better transport counts as blocked; events may wait for it. */
const RETURN_OPEN_MS_MAX = 3_000

/** Ends with the time, with the signal, or early if the network may have changed. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

export interface ChoiceOptions {
  readonly connection: Connection
  /** The best one first. */
  readonly transports: readonly TransportName[]
  readonly wait: Wait
  readonly signal: AbortSignal | undefined
}

export class TransportChoice {
  readonly #options: ChoiceOptions
  #index = 0
  #fruitless = 0
  #returnMs = RETURN_MS
  #triedAtMs = Number.NEGATIVE_INFINITY
  /** The try of better transports that runs now. */
  #trying: Promise<RunningTransport | undefined> | undefined

  constructor(options: ChoiceOptions) {
    this.#options = options
  }

  /** After a connection that brought no event, although the server can be reached. */
  noteFruitless(): void {
    this.#fruitless++
    if (this.#fruitless < FRUITLESS_TRIES_MAX || this.#index >= this.#options.transports.length - 1) return
    this.#index++
    this.#fruitless = 0
  }

  /** After events. */
  noteBatch(): void {
    this.#fruitless = 0
    if (this.#index === 0) this.#returnMs = RETURN_MS
  }

  /** Like a `Transport`; around a change to a better one, events may come twice. */
  async *follow(
    position: Readonly<Position>,
    onOpen: () => void,
  ): AsyncGenerator<readonly Event[], void, void> {
    const stop = new AbortController()
    let isOpen = false
    let running = this.#start(this.#index, position, () => {
      isOpen = true
      onOpen()
      seek()
    })
    const seek = () => void this.#seekBetter(position, stop.signal, () => running.end())
    try {
      for (;;) {
        const batch = await running.next().catch((error: unknown) => ({ done: true as const, error }))
        if (!batch.done) yield batch.value
        // While another connection opens this one may not go on: the server ends it when the other one takes the queue,
        // and the next poll would acknowledge events that the other one asks for.
        const better = await this.#trying
        if (better) {
          this.#trying = undefined
          running = better
          seek()
        } else if ('error' in batch) {
          // The network may be another one when it is back.
          if (!isOpen) this.#returnMs = RETURN_MS
          throw batch.error
        } else if (batch.done) return
      }
    } finally {
      stop.abort()
      running.end()
      void this.#trying?.then((better) => better?.end())
      this.#trying = undefined
    }
  }

  #start(index: number, position: Readonly<Position>, onOpen?: () => void): RunningTransport {
    const { connection, transports, signal } = this.#options
    const transport = TRANSPORTS[transports[index] as TransportName]
    return new RunningTransport((open, stop) => transport(connection, position, open, stop), signal, onOpen)
  }

  /** Tries better transports from time to time; calls `onFound` when one has opened, and ends. */
  async #seekBetter(position: Readonly<Position>, stop: AbortSignal, onFound: () => void): Promise<void> {
    while (this.#index > 0) {
      await this.#waitForTry(stop)
      if (stop.aborted) return
      this.#trying = this.#tryBetter(position)
      if (await this.#trying) return onFound()
      if (!stop.aborted) this.#trying = undefined
    }
  }

  async #waitForTry(stop: AbortSignal): Promise<void> {
    await this.#options.wait(this.#returnMs, stop)
    const pauseMs = this.#triedAtMs + RETURN_PAUSE_MS - performance.now()
    if (pauseMs > 0) await sleep(pauseMs, stop)
    this.#returnMs = Math.min(RETURN_MS_MAX, this.#returnMs * 2)
    this.#triedAtMs = performance.now()
  }

  /** The best of the better transports that opens; undefined without one. */
  async #tryBetter(position: Readonly<Position>): Promise<RunningTransport | undefined> {
    for (let index = 0; index < this.#index; index++) {
      const tried = this.#start(index, { ...position })
      if (await tried.opens(RETURN_OPEN_MS_MAX)) {
        this.#index = index
        // A connection that opens but brings nothing is left at once.
        this.#fruitless = FRUITLESS_TRIES_MAX - 1
        return tried
      }
      tried.end()
    }
    return undefined
  }
}

/** If its code does not come, a later attempt asks for it again, like for a connection. */
function late(load: () => Promise<Transport>): Transport {
  return async function* (...options) {
    const transport = await load().catch((error: unknown) => {
      throw new ConnectionError('the code of the transport did not come', { cause: error })
    })
    yield* transport(...options)
  }
}
