/** Searches: on connections of their own, which users share by turns, so that they hold nothing else up. */

import { makeCancellable } from '../../db/cancellable-sql.ts'
import { isTimedOut, type Sql, STATEMENT_MS_MAX } from '../../db/connect.ts'
import { OverloadError } from './overload-error.ts'

/** Searches that wait, of all users: at some tens of milliseconds each, the last waits for a few seconds. */
const WAITING_MAX = 200
/** The same of one user: a client asks for one at a time, or for a few tabs. */
const WAITING_OF_USER_MAX = 8

/** Milliseconds of searching, of late, from which on a user's searches leave a connection to those who search little. */
const HEAVY_MS = 200
/** What a user spent counts half after so long. */
const HALF_LIFE_MS = 10_000
/** Users whose searching is remembered. */
const SPENT_MAX = 10_000

interface Waiting {
  readonly userId: number
  /** Runs it on a connection; resolves when the connection is free again, whatever came of it. */
  readonly start: (sql: Sql) => Promise<void>
}

/** The searches of one process. */
export class Searches {
  /** Pools of one connection each. */
  readonly #idle: Sql[]
  /** By user whose search runs or is next: the others of that user. */
  readonly #lines = new Map<number, Waiting[]>()
  /** The next search of each user who has none running, in the order of their turns. */
  readonly #next: Waiting[] = []
  /** What each user's searches took, as of a time. */
  readonly #spent = new Map<number, { readonly ms: number; readonly atMs: number }>()
  readonly #heavyMax: number
  #heavyCount = 0
  #waitingCount = 0

  constructor(connections: readonly Sql[]) {
    this.#idle = [...connections]
    this.#heavyMax = Math.max(1, connections.length - 1)
  }

  /**
   * Runs a search of a user, one at a time for each. Rejects with an `OverloadError` where too many wait, or once the
   * client is gone: what the database does for it ends then.
   */
  run<Result>(userId: number, signal: AbortSignal, search: (sql: Sql) => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(userId)
    if (this.#waitingCount >= WAITING_MAX || (line?.length ?? 0) >= WAITING_OF_USER_MAX)
      throw new OverloadError('too many searches wait')
    return new Promise<Result>((resolve, reject) => {
      const waiting: Waiting = {
        userId,
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
      // Searches that take all they can get leave a processor to everything else, and a connection to short ones.
      const mayBeHeavy = this.#heavyCount < this.#heavyMax
      const index = this.#next.findIndex(({ userId }) => mayBeHeavy || this.#spentOf(userId) < HEAVY_MS)
      const [waiting] = index < 0 ? [] : this.#next.splice(index, 1)
      if (!waiting) return
      this.#waitingCount--
      const { userId } = waiting
      const isHeavy = this.#spentOf(userId) >= HEAVY_MS
      if (isHeavy) this.#heavyCount++
      const sql = this.#idle.pop() as Sql
      const startMs = performance.now()
      void waiting.start(sql).finally(() => {
        this.#idle.push(sql)
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
    // Who has not searched for longest is first.
    const [oldest] = this.#spent.keys()
    if (this.#spent.size > SPENT_MAX && oldest !== undefined) this.#spent.delete(oldest)
  }

  #endTurn(userId: number): void {
    const waiting = this.#lines.get(userId)?.shift()
    if (waiting) this.#next.push(waiting)
    else this.#lines.delete(userId)
  }
}

/** Runs a search until it ends or nobody waits for it; settles once the connection is free for another. */
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
      // The search before this one was cancelled just as it ended: PostgreSQL ends whatever statement runs then.
      if (isTimedOut(error) && isInTime && !signal.aborted) return search(cancellable.sql)
      throw error
    })
  } catch (error) {
    throw signal.aborted ? new OverloadError('the client is gone', { cause: error }) : error
  } finally {
    signal.removeEventListener('abort', onAbort)
    await cancelled // A request to cancel that comes late would hit the next one's statement.
  }
}
