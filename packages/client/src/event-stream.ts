/** Follows an event queue across lost connections, restarts and expired queues. */

import { ApiError, ConnectionError } from './errors.ts'
import { type Connection, sendRequest } from './http.ts'
import { followByPolling } from './transports/long-poll.ts'
import { followByServerSentEvents } from './transports/server-sent-events.ts'
import { followByWebSocket } from './transports/web-socket.ts'
import { type Position, QueueGoneError, type Transport } from './transports/transport.ts'
import type { Event, InitialState, Operations } from './wire-types.ts'

/** An update for the client: the current state, or an event. */
export type Update =
  | { readonly kind: 'registered'; readonly state: InitialState }
  | { readonly kind: 'event'; readonly event: Event }

/** The options of following. */
export interface EventOptions {
  /** The parameters of `POST /register`. */
  readonly register?: Operations['POST /register']['params']
  /** Stops following. */
  readonly signal?: AbortSignal
  /** The transports, in order of preference; if a proxy blocks one, the next is used. */
  readonly transports?: readonly TransportName[]
  /** Milliseconds before the second connection attempt; the delay doubles up to 30 s. */
  readonly retryMs?: number
}

const TRANSPORTS = {
  websocket: followByWebSocket,
  sse: followByServerSentEvents,
  poll: followByPolling,
} as const satisfies Readonly<Record<string, Transport>>
/** A transport for events. */
export type TransportName = keyof typeof TRANSPORTS

const DEFAULT_TRANSPORTS: readonly TransportName[] = ['websocket', 'sse', 'poll']
const RETRY_MS = 500
const RETRY_MS_MAX = 30_000
/** Failed attempts of a transport before the next one is used. */
const FRUITLESS_TRIES_MAX = 2

/** Follows a queue; see `ParleyClient.updates`. */
export async function* streamUpdates(
  connection: Connection,
  { register = {}, signal, transports = DEFAULT_TRANSPORTS, retryMs = RETRY_MS }: EventOptions,
): AsyncGenerator<Update, void, void> {
  const retries = new Retries(retryMs, signal)
  let position: Position | undefined
  let transport = 0
  let fruitless = 0
  while (!signal?.aborted) {
    try {
      if (!position) {
        const state = (await sendRequest(connection, 'POST /register', register, signal)) as InitialState
        position = { queueId: state.queue_id, lastEventId: state.last_event_id }
        yield { kind: 'registered', state }
      }
      const name = transports[transport] as TransportName
      for await (const events of TRANSPORTS[name](connection, position, signal)) {
        retries.reset()
        fruitless = 0
        for (const event of events) {
          if (event.id <= position.lastEventId) continue // Sent again after a reconnect.
          position.lastEventId = event.id
          if (event.type !== 'heartbeat') yield { kind: 'event', event }
        }
      }
      fruitless++
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof QueueGoneError) {
        position = undefined
        continue
      }
      if (!isPassing(error)) throw error
      fruitless++
    }
    if (fruitless >= FRUITLESS_TRIES_MAX && transport < transports.length - 1) {
      transport++
      fruitless = 0
    }
    await retries.wait()
  }
}

/** Whether a retry may succeed. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof ApiError && error.retryAfterSeconds !== undefined
}

/** Waits longer each time, for a random share, so that clients of the same server do not return at once. */
class Retries {
  readonly #firstMs: number
  readonly #signal: AbortSignal | undefined
  #nextMs: number

  constructor(firstMs: number, signal: AbortSignal | undefined) {
    this.#firstMs = firstMs
    this.#nextMs = firstMs
    this.#signal = signal
  }

  reset(): void {
    this.#nextMs = this.#firstMs
  }

  async wait(): Promise<void> {
    const ms = this.#nextMs * (0.5 + Math.random() / 2)
    this.#nextMs = Math.min(RETRY_MS_MAX, this.#nextMs * 2)
    const signal = this.#signal
    if (signal?.aborted) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end)
    })
  }
}
