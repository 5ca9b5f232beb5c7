/**
 * Triggers deliveries of scheduled messages and reminders. PostgreSQL has the next due second, and a delayed job runs
 * at it. The sweep finds deliveries without a job: jobs may be lost together with their Redis.
 */

import type { Sql } from '../../../db/connection/connect.ts'
import { WORKER_GONE_NOTICE } from '../../../db/living-workers.ts'
import { readNextDue, SCHEDULED_NOTICE } from '../../../db/messages/scheduled-messages.ts'
import type { Clock } from '../../../server/domain/clock.ts'

/** Milliseconds between sweeps for missed deliveries, which also ensure the next job. */
const SWEEP_PERIOD_MS = 5_000
/** Milliseconds after which the sweep sends an item: until then a job is probably sending it, in some process. */
const SWEEP_AFTER_MS = 2_000
/** Seconds ahead for which jobs are created: the sweep creates later ones in time. */
const AHEAD_SECONDS_MAX = 86_400
/** A job that runs earlier than this, by the worker's own clock, leaves the work to the sweep. */
const EARLY_MS_MAX = 1_000

/** Repeats in one call, for items that fell due meanwhile; then the sweep continues. */
const SENDINGS_MAX = 100

/** Dependencies of the alarm. */
export interface AlarmOptions {
  readonly sql: Sql
  readonly clock: Clock
  /** Sends all items that are due at that time. */
  readonly send: (now: Date) => Promise<unknown>
  /** Creates a job that runs at a UNIX second; does nothing if it exists already or cannot be created. */
  readonly setJob: (atSeconds: number) => void
  readonly onError: (error: unknown) => void
}

/** The alarm of one worker. */
export class ScheduledAlarm {
  readonly #options: AlarmOptions
  #sending: Promise<void> | undefined
  #nextSending: Promise<void> | undefined
  #timer: { stop(): void } | undefined
  #isStopped = false

  constructor(options: AlarmOptions) {
    this.#options = options
  }

  /** Listens for new items, and sends what fell due while no worker ran. */
  async start(): Promise<void> {
    const { sql, clock } = this.#options
    const set = () => void this.#attempt(() => this.#set())
    await sql.listen(SCHEDULED_NOTICE, set, set)
    await sql.listen(WORKER_GONE_NOTICE, () => void this.#attempt(() => this.#sweep(0)))
    this.#timer = clock.every(SWEEP_PERIOD_MS, () => void this.#attempt(() => this.#sweep(SWEEP_AFTER_MS)))
    await this.#attempt(() => this.#sweep(0))
  }

  /** Runs in a job at its time; sends what is due, and sets the next job. */
  async ring(atSeconds: number): Promise<void> {
    const earlyMs = atSeconds * 1_000 - this.#options.clock.nowMs()
    if (earlyMs > 0 && earlyMs <= EARLY_MS_MAX)
      await new Promise<void>((resolve) => setTimeout(resolve, earlyMs))
    if (!this.#isStopped) await this.#send()
  }

  /** Resolves when no sending is in progress any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.stop()
    while (this.#sending) await this.#sending.catch(() => undefined) // Its own callers handle the failure.
  }

  async #sweep(afterMs: number): Promise<void> {
    const next = await readNextDue(this.#options.sql)
    if (next === undefined) return
    if (next * 1_000 + afterMs <= this.#options.clock.nowMs()) await this.#send()
    else this.#setFor(next)
  }

  async #set(): Promise<void> {
    const next = await readNextDue(this.#options.sql)
    if (next !== undefined) this.#setFor(next)
  }

  #setFor(atSeconds: number): void {
    if (atSeconds - this.#options.clock.nowMs() / 1_000 > AHEAD_SECONDS_MAX || this.#isStopped) return
    this.#options.setJob(atSeconds)
  }

  /** One at a time; calls during a sending share the next one. */
  #send(): Promise<void> {
    if (!this.#sending) {
      this.#sending = this.#sendNow().finally(() => {
        this.#sending = undefined
      })
      return this.#sending
    }
    this.#nextSending ??= this.#sending
      .catch(() => undefined) // Its own callers handle the failure.
      .then(() => {
        this.#nextSending = undefined
        return this.#isStopped ? undefined : this.#send()
      })
    return this.#nextSending
  }

  async #sendNow(): Promise<void> {
    const { sql, clock, send } = this.#options
    let next: number | undefined
    for (let sendings = 0; sendings < SENDINGS_MAX; sendings++) {
      await send(new Date(clock.nowMs()))
      next = await readNextDue(sql)
      if (next === undefined || next * 1_000 > clock.nowMs()) break // Otherwise it fell due meanwhile.
    }
    if (next !== undefined) this.#setFor(next)
  }

  async #attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task()
    } catch (error) {
      if (!this.#isStopped) this.#options.onError(error)
    }
  }
}
