/** Records when log-in sessions and named keys were last used: with a coarse precision, and for many sessions at once. */

import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/connection/connect.ts'
import { storeSessionsSeen } from '../../db/accounts/login-sessions.ts'
import { type Clock, nowSeconds } from '../domain/clock.ts'
import { SESSION_SEEN_SECONDS } from '../domain/accounts/login-sessions.ts'

/** The longest delay of a record; a shorter one would only write more often. */
const RECORD_PERIOD_MS = 60_000
/** Sessions whose last record is cached; others are recorded once more than needed. */
const CACHED_MAX = 20_000

/** The dependencies of a recorder. */
export interface SeenSessionsRecorderOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  /** Writes the notes of a time, in UNIX seconds; those of sessions by default. */
  readonly store?: (sql: Sql, ids: readonly string[], nowSeconds: number) => Promise<void>
}

/** Records each session once in some minutes. */
export class SeenSessionsRecorder {
  readonly #options: SeenSessionsRecorderOptions
  readonly #timer: { stop(): void }
  /** UNIX seconds of the last record, by session. */
  readonly #recordedAt = new LRUCache<string, number>({ max: CACHED_MAX })
  #unrecorded = new Set<string>()

  constructor(options: SeenSessionsRecorderOptions) {
    this.#options = options
    this.#timer = options.clock.every(RECORD_PERIOD_MS, () => void this.record())
  }

  /** Notes that a session is in use; every request with its cookie or key calls this. */
  note(sessionId: string): void {
    const now = nowSeconds(this.#options.clock)
    const recordedAt = this.#recordedAt.get(sessionId)
    if (recordedAt !== undefined && now - recordedAt < SESSION_SEEN_SECONDS) return
    this.#recordedAt.set(sessionId, now)
    this.#unrecorded.add(sessionId)
  }

  /** Writes the notes; those that fail are written with the next ones. */
  async record(): Promise<void> {
    const seen = this.#unrecorded
    if (seen.size === 0) return
    this.#unrecorded = new Set()
    const { sql, clock, onError, store = storeSessionsSeen } = this.#options
    try {
      await store(sql, [...seen], nowSeconds(clock))
    } catch (error) {
      for (const id of seen) this.#recordedAt.delete(id)
      onError(error)
    }
  }

  stop(): void {
    this.#timer.stop()
  }
}
