/** Searches: on connections of their own, which users share in turns, so that other requests do not wait for them. */

import { makeCancellable } from '../../db/connection/cancellable-sql.ts'
import { isTimedOut, type Sql, STATEMENT_MS_MAX } from '../../db/connection/connect.ts'
import { Histogram } from '../measures/histogram.ts'
import { OverloadError } from './overload-error.ts'

/** Searches of all users that may wait: at tens of milliseconds each, the last waits for a few seconds. */
const WAITING_MAX = 200
/** Per user: a client sends one at a time, or a few tabs do. */
const WAITING_OF_USER_MAX = 8

/** Recent milliseconds of searching from which a user's searches leave a connection to light users. */
const HEAVY_MS = 200
/** The half-life of a user's search time. */
const HALF_LIFE_MS = 10_000
/** Users whose search time is tracked. */
const SPENT_MAX = 10_000

interface Waiting {
  readonly userId: number
  readonly sinceMs: number
  /** Runs it on a connection; resolves when the connection is free again, even after a failure. */
  readonly start: (sql: Sql) => Promise<void>
}

/** The searches of one process. */
export class Searches {
  /** Pools of one connection each. */
  readonly #idle: Sql[]
  /** The waiting searches of each user who has one running or next. */
  readonly #lines = new Map<number, Waiting[]>()
  /** The next search of each user without a running one, in the order of their turns. */
  readonly #next: Waiting[] = []
  /** The recent search time of each user, as of a time. */
  readonly #spent = new Map<number, { readonly ms: number; readonly atMs: number }>()
  readonly #heavyMax: number
  #heavyCount = 0
  #waitingCount = 0
  #runningCount = 0
  #refused = 0
  readonly #waitSeconds = new Histogram()
  readonly #runSeconds = new Histogram()

  constructor(connections: readonly Sql[]) {
    this.#idle = [...connections]
    this.#heavyMax = Math.max(1, connections.length - 1)
  }

  /** The searches now and since the start. */
  get figures() {
    return {
      waiting: this.#waitingCount,
      running: this.#runningCount,
      refused: this.#refused,
      waitSeconds: this.#waitSeconds,
      runSeconds: this.#runSeconds,
    }
  }

  /**
   * Runs a user's search, one at a time per user. Rejects with an `OverloadError` if too many wait, or when the client
   * disconnects; the database then cancels the statement.
   */
  run<Result>(userId: number, signal: AbortSignal, search: (sql: Sql) => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(userId)
    if (this.#waitingCount >= WAITING_MAX || (line?.length ?? 0) >= WAITING_OF_USER_MAX) {
      this.#refused++
      throw new OverloadError('too many searches wait')
    }
    return new Promise<Result>((resolve, reject) => {
      const waiting: Waiting = {
        userId,
        sinceMs: performance.now(),
        start: (sql) => runCancellable(sql, signal, search).then(resolve, reject),
      }
      this.#waitingCount++
      if (line) line.push(waiting)
      else {
        this.#lines.set(userId, [])
        this.#next.push(waiting)
      }
      this.#startNext()
    })
  }

  #startNext(): void {
    while (this.#idle.length > 0) {
      // Heavy searches leave a processor to all other work, and a connection to light searches.
      const mayBeHeavy = this.#heavyCount < this.#heavyMax
      const index = this.#next.findIndex(({ userId }) => mayBeHeavy || this.#spentOf(userId) < HEAVY_MS)
      const [waiting] = index < 0 ? [] : this.#next.splice(index, 1)
      if (!waiting) return
      this.#waitingCount--
      this.#runningCount++
      this.#waitSeconds.observeSince(waiting.sinceMs)
      const { userId } = waiting
      const isHeavy = this.#spentOf(userId) >= HEAVY_MS
      if (isHeavy) this.#heavyCount++
      const sql = this.#idle.pop() as Sql
      const startMs = performance.now()
      void waiting.start(sql).finally(() => {
        this.#idle.push(sql)
        this.#runningCount--
        this.#runSeconds.observeSince(startMs)
        if (isHeavy) this.#heavyCount--
        this.#noteSpent(userId, performance.now() - startMs)
        this.#endTurn(userId)
        this.#startNext()
      })
    }
  }

  #spentOf(userId: number): number {
    const spent = this.#spent.get(userId)
    return spent ? spent.ms * 0.5 ** ((performance.now() - spent.atMs) / HALF_LIFE_MS) : 0
  }

  #noteSpent(userId: number, ms: number): void {
    const total = this.#spentOf(userId) + ms
    this.#spent.delete(userId)
    this.#spent.set(userId, { ms: total, atMs: performance.now() })
    // The user with the oldest search comes first.
    const [oldest] = this.#spent.keys()
    if (this.#spent.size > SPENT_MAX && oldest !== undefined) this.#spent.delete(oldest)
  }

  #endTurn(userId: number): void {
    const waiting = this.#lines.get(userId)?.shift()
    if (waiting) this.#next.push(waiting)
    else this.#lines.delete(userId)
  }
}

/** Runs a search until it ends or its client disconnects; settles once the connection is free. */
async function runCancellable<Result>(
  connection: Sql,
  signal: AbortSignal,
  search: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw new OverloadError('the client is gone')
  const cancellable = makeCancellable(connection)
  let cancelled: Promise<void> | undefined
  const onAbort = () => {
    cancelled = cancellable.cancel()
  }
  signal.addEventListener('abort', onAbort)
  const startMs = performance.now()
  try {
    return await search(cancellable.sql).catch((error: unknown) => {
      const isInTime = performance.now() - startMs < STATEMENT_MS_MAX.searches
      // The previous search was cancelled just as it ended: PostgreSQL then cancels the next statement.
      if (isTimedOut(error) && isInTime && !signal.aborted) return search(cancellable.sql)
      throw error
    })
  } catch (error) {
    throw signal.aborted ? new OverloadError('the client is gone', { cause: error }) : error
  } finally {
    signal.removeEventListener('abort', onAbort)
    await cancelled // A late cancel request would hit the next statement.
  }
}
