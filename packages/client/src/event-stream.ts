/** Follows an event queue across lost connections, restarts and expired queues. */

import { ApiError, ConnectionError, UnreachableError } from './errors.ts'
import { type Connection, sendRequest } from './http.ts'
import { sleep } from './sleep.ts'
import { TransportChoice, type TransportName, type Wait } from './transport-choice.ts'
import { type Position, QueueGoneError } from './transports/transport.ts'
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
  /** In order of preference. If a proxy blocks one, the next is used; the better ones are tried again now and then. */
  readonly transports?: readonly TransportName[]
  /** Milliseconds before the second connection attempt; the delay doubles up to 30 s. */
  readonly retryMs?: number
  /** Called when the connection changes. */
  readonly onPhase?: (phase: ConnectionPhase) => void
  /** Replaces the wait before another attempt, also of a better transport: one may end when the network is back. */
  readonly wait?: Wait
}

/** `waiting`: an attempt failed, and another one follows. */
export type ConnectionPhase = 'connecting' | 'connected' | 'waiting'

const DEFAULT_TRANSPORTS: readonly TransportName[] = ['websocket', 'sse', 'poll']
const RETRY_MS = 500
const RETRY_MS_MAX = 30_000

/** Follows a queue; see `ParleyClient.updates`. Visitors, who get none, get the state alone. */
export async function* streamUpdates(
  connection: Connection,
  options: EventOptions,
): AsyncGenerator<Update, void, void> {
  const { register = {}, signal, transports = DEFAULT_TRANSPORTS, wait = sleep } = options
  const { onPhase = () => undefined } = options
  const retries = new Retries(options)
  const onOpen = () => onPhase('connected')
  const choice = new TransportChoice({ connection, transports, wait, signal })
  let position: Position | undefined
  while (!signal?.aborted) {
    try {
      onPhase('connecting')
      if (!position) {
        const state = (await sendRequest(connection, 'POST /register', register, signal)) as InitialState
        const { queue_id: queueId, last_event_id: lastEventId } = state
        if (queueId !== null) position = { queueId, lastEventId }
        yield { kind: 'registered', state }
        if (!position) return // A visitor's state: no events follow.
      }
      for await (const events of choice.follow(position, onOpen)) {
        retries.reset()
        choice.noteBatch()
        for (const event of events) {
          if (event.id <= position.lastEventId) continue // Sent again after a reconnect.
          position.lastEventId = event.id
          if (event.type !== 'heartbeat') yield { kind: 'event', event }
        }
      }
      choice.noteFruitless()
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof QueueGoneError) {
        position = undefined
        continue
      }
      if (!isPassing(error)) throw error
      // While the server restarts no transport works: the best one is tried again.
      if (!(error instanceof UnreachableError)) choice.noteFruitless()
    }
    onPhase('waiting')
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
  readonly #wait: Wait
  #nextMs: number

  constructor({ retryMs = RETRY_MS, signal, wait = sleep }: EventOptions) {
    this.#firstMs = retryMs
    this.#nextMs = retryMs
    this.#signal = signal
    this.#wait = wait
  }

  reset(): void {
    this.#nextMs = this.#firstMs
  }

  async wait(): Promise<void> {
    const ms = this.#nextMs * (0.5 + Math.random() / 2)
    this.#nextMs = Math.min(RETRY_MS_MAX, this.#nextMs * 2)
    if (!this.#signal?.aborted) await this.#wait(ms, this.#signal)
  }
}
