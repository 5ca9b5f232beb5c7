/** The state of the server, live: registered once, changed by events, registered again if the queue is gone. */

import { type ReadonlySignal, signal } from '@preact/signals-core'
import { ApiError } from '../../packages/client/src/errors.ts'
import type { ConnectionPhase, EventOptions, Update } from '../../packages/client/src/event-stream.ts'
import type { Event, Presence } from '../../packages/client/src/wire-types.ts'
import { REGISTRATION } from './registration.ts'
import { apply, type State, UnknownEventError, UnknownObjectError } from './apply.ts'
import { WakeableWait } from './wakeable-wait.ts'

/** The connection to the server, as people see it. Times are milliseconds of the clock. */
export type ConnectionStatus =
  | { readonly phase: 'connecting'; readonly sinceMs: number }
  | { readonly phase: 'connected' }
  /** An attempt failed; others follow. */
  | { readonly phase: 'offline'; readonly sinceMs: number }
  /** The server refused for good, for example because the session has ended. */
  | { readonly phase: 'refused'; readonly error: unknown }

/** Hears of each registration and event after the state has it. */
export type LiveListener = (update: Update, state: State) => void

/** The parts that differ between a browser and a test. */
export interface LiveOptions {
  readonly updates: (options: EventOptions) => AsyncGenerator<Update, void, void>
  readonly nowMs: () => number
  readonly register?: EventOptions['register']
  readonly transports?: EventOptions['transports']
  /** Takes the state of a visitor, who has no session. */
  readonly isForVisitor?: boolean
}

/** The wait before a second registration because an event does not fit the state; it doubles, to spare the server. */
const MISFIT_WAIT_MS = 500
const MISFIT_WAIT_MS_MAX = 60_000
/** After this time without such an event, the wait is short again. */
const MISFIT_FORGET_MS = 300_000

/** Stands for changes that came without an event. */
const NO_EVENT = -1

/** Follows the server; `state` is undefined until the first registration. */
export class Live {
  readonly state: ReadonlySignal<State | undefined>
  readonly status: ReadonlySignal<ConnectionStatus>
  /** While the state is a copy from before this page: the time at which it held, in milliseconds. */
  readonly copyMs: ReadonlySignal<number | undefined>
  readonly #state = signal<State | undefined>(undefined)
  readonly #copyMs = signal<number | undefined>(undefined)
  readonly #status
  readonly #options: LiveOptions
  readonly #listeners = new Set<LiveListener>()
  readonly #wait = new WakeableWait()
  #misfits = { count: 0, atMs: Number.NEGATIVE_INFINITY }

  constructor(options: LiveOptions) {
    this.#options = options
    this.#status = signal<ConnectionStatus>({ phase: 'connecting', sinceMs: options.nowMs() })
    this.state = this.#state
    this.status = this.#status
    this.copyMs = this.#copyMs
  }

  /** Shows a copy of the state until the first registration. */
  begin(copy: State, atMs: number): void {
    this.#state.value = copy
    this.#copyMs.value = atMs
    this.#status.value = { phase: 'offline', sinceMs: atMs }
  }

  /** Adds a listener; returns the function that removes it. */
  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes presences that came with a reply: large organizations send no events of them. */
  takePresences(presences: Readonly<Record<string, Presence>>): void {
    const state = this.#state.peek()
    if (!state || Object.keys(presences).length === 0) return
    this.#state.value = apply(state, { id: NO_EVENT, type: 'presence', presences })
  }

  /** Ends a wait between two attempts, also of a better transport, for example because the network is back. */
  retryNow(): void {
    this.#wait.wake()
  }

  /** Follows until the signal aborts or the server refuses for good. */
  async run(stop: AbortSignal): Promise<void> {
    try {
      while (!stop.aborted && (await this.#follow(stop)) === 'misfit') await this.#waitAfterMisfit(stop)
    } catch (error) {
      if (!stop.aborted) this.#status.value = { phase: 'refused', error }
    }
  }

  /** Follows one registration after the other, until an event does not fit the state. */
  async #follow(stop: AbortSignal): Promise<'ended' | 'misfit'> {
    const { updates, register = REGISTRATION, transports, isForVisitor = false } = this.#options
    const options: EventOptions = {
      register,
      signal: stop,
      onPhase: (phase) => this.#notePhase(phase),
      wait: (ms, signal) => this.#wait.wait(ms, signal),
      ...(transports ? { transports } : {}),
    }
    for await (const update of updates(options)) {
      if (update.kind === 'registered') {
        // The session is gone, and the organization answers visitors instead.
        if (update.state.queue_id === null && !isForVisitor) throw new ApiError(401, {})
        this.#copyMs.value = undefined
        this.#take(update, update.state)
      } else {
        const next = this.#fold(update.event)
        if (next === 'misfit') return next
        this.#take(update, next)
      }
    }
    return 'ended'
  }

  /** The next state. Events of types that this client does not know have no effect. */
  #fold(event: Event): State | 'misfit' {
    const state = this.#state.peek()
    if (!state) return 'misfit'
    try {
      return apply(state, event)
    } catch (error) {
      if (error instanceof UnknownEventError) return state
      if (error instanceof UnknownObjectError) return 'misfit'
      throw error
    }
  }

  #take(update: Update, state: State): void {
    this.#state.value = state
    for (const listener of this.#listeners) listener(update, state)
  }

  #notePhase(phase: ConnectionPhase): void {
    const former = this.#status.peek()
    if (phase === 'connected') {
      if (former.phase !== 'connected') this.#status.value = { phase }
      return
    }
    const sinceMs = 'sinceMs' in former ? former.sinceMs : this.#options.nowMs()
    if (phase === 'waiting') this.#status.value = { phase: 'offline', sinceMs }
    else if (former.phase !== 'offline') this.#status.value = { phase, sinceMs }
  }

  #waitAfterMisfit(stop: AbortSignal): Promise<void> {
    const nowMs = this.#options.nowMs()
    const isRecent = nowMs - this.#misfits.atMs < MISFIT_FORGET_MS
    this.#misfits = { count: isRecent ? this.#misfits.count + 1 : 0, atMs: nowMs }
    if (this.#misfits.count === 0) return Promise.resolve()
    return this.#wait.wait(Math.min(MISFIT_WAIT_MS_MAX, MISFIT_WAIT_MS * 2 ** this.#misfits.count), stop)
  }
}
