/**
 * Wakes the sending of what is scheduled. A delayed job rings at the next second at which something falls due; which
 * one that is, PostgreSQL knows. The sweep finds what no job has rung for: jobs may be lost with the Redis that has them.
 */

import type { Sql } from '../../../db/connect.ts'
import { readNextDue, SCHEDULED_NOTICE } from '../../../db/scheduled-messages.ts'
import type { Clock } from '../../../server/domain/clock.ts'

/** How often what was missed is looked for, and the next job made sure of. */
const SWEEP_PERIOD_MS = 5_000
/** How late something is before the sweep sends it: until then a job is likely at it, in this process or another. */
const SWEEP_AFTER_MS = 2_000
/** Jobs are made for what is due within a day: the sweep makes the others as the time comes. */
const AHEAD_SECONDS_MAX = 86_400
/** A job that comes earlier than this by the own clock waits for the sweep. */
const EARLY_MS_MAX = 1_000

/** Times that one call sends what fell due during the last; then the sweep goes on. */
const SENDINGS_MAX = 100

/** What the alarm works with. */
export interface AlarmOptions {
  readonly sql: Sql
  readonly clock: Clock
  /** Sends all that is due at that time. */
  readonly send: (now: Date) => Promise<unknown>
  /** Makes a job that rings at a UNIX second; nothing where there is one already, or nobody to make it. */
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

  /** Hears of what is scheduled from now on, and sends what fell due while nobody was there. */
  async start(): Promise<void> {
    const { sql, clock } = this.#options
    const set = () => void this.#attempt(() => this.#set())
    await sql.listen(SCHEDULED_NOTICE, set, set)
    this.#timer = clock.every(SWEEP_PERIOD_MS, () => void this.#attempt(() => this.#sweep(SWEEP_AFTER_MS)))
    await this.#attempt(() => this.#sweep(0))
  }

  /** Called by a job at its time; sends what is due, and sets the next. */
  async ring(atSeconds: number): Promise<void> {
    const earlyMs = atSeconds * 1_000 - this.#options.clock.nowMs()
    if (earlyMs > 0 && earlyMs <= EARLY_MS_MAX)
      await new Promise<void>((resolve) => setTimeout(resolve, earlyMs))
    if (!this.#isStopped) await this.#send()
  }

  /** Resolves when nothing is being sent any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.stop()
    while (this.#sending) await this.#sending.catch(() => undefined) // Its own callers are told.
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

  /** One at a time; calls during one share the one that follows. */
  #send(): Promise<void> {
    if (!this.#sending) {
      this.#sending = this.#sendNow().finally(() => {
        this.#sending = undefined
      })
      return this.#sending
    }
    this.#nextSending ??= this.#sending
      .catch(() => undefined) // Its own callers are told.
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
      if (next === undefined || next * 1_000 > clock.nowMs()) break // Else it fell due meanwhile.
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
