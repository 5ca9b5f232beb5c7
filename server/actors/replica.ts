/** Reads of old messages at a replica of the database, as long as it has all that this process has. */

import { makeCancellable } from '../../db/connection/cancellable-sql.ts'
import { isCollision } from '../../db/connection/collisions.ts'
import type { Sql } from '../../db/connection/connect.ts'
import { isUnavailable } from '../../db/connection/unavailable.ts'
import { readReplicaPosition } from '../../db/log/replica-position.ts'

/** Reads at once; more go to the primary. */
const READS_MAX = 4
/** A replica that takes longer to say where it is counts as away. */
const POSITION_MS_MAX = 250
/** A read that takes longer is done again at the primary. */
const READ_MS_MAX = 2_000
/** One that is away is left alone for so long. */
const REST_MS = 5_000

/** The results of reads: answered by the replica, or by the primary for a reason. */
type Result = 'replica' | 'behind' | 'away' | 'busy' | 'failed'

/** No read of any result. */
export const noReads = (): Record<Result, number> => ({ replica: 0, behind: 0, away: 0, busy: 0, failed: 0 })

/** The database of this process, as the replica must have it. */
export interface ReplicaOptions {
  /** Opens a pool of one connection to the replica. */
  readonly open: () => Sql
  /** The newest entry of the log that this process has, and so the newest that its readers may know. */
  readonly appliedId: () => number
  /** The history of that log. */
  readonly epoch: string
}

/** The replica did not answer in time. */
class LateError extends Error {
  override readonly name = 'LateError'
}

/** The replica of one process. */
export class Replica {
  /** Reads by result since the start. */
  readonly results = noReads()
  readonly #options: ReplicaOptions
  readonly #idle: Sql[]
  readonly #all = new Set<Sql>()
  #restsUntilMs = 0

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#idle = Array.from({ length: READS_MAX }, () => this.#open())
  }

  /** Reads at the replica, or else at the primary; the client's end cancels the replica's statement. */
  async read<Found>(
    signal: AbortSignal,
    atReplica: (sql: Sql) => Promise<Found>,
    atPrimary: () => Promise<Found>,
  ): Promise<Found> {
    const result = await this.#readHere(signal, atReplica)
    const [reason] = result
    this.results[reason]++
    return reason === 'replica' ? result[1] : atPrimary()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((sql) => sql.end({ timeout: 1 })))
  }

  #open(): Sql {
    const sql = this.#options.open()
    this.#all.add(sql)
    return sql
  }

  async #readHere<Found>(
    signal: AbortSignal,
    read: (sql: Sql) => Promise<Found>,
  ): Promise<['replica', Found] | [Exclude<Result, 'replica'>]> {
    if (performance.now() < this.#restsUntilMs) return ['away']
    const sql = this.#idle.pop()
    if (!sql) return ['busy']
    let isLate = false
    try {
      if (!(await this.#hasAll(sql))) return ['behind']
      return ['replica', await readUntil(signal, sql, read)]
    } catch (error) {
      isLate = error instanceof LateError
      // A standby cancels what keeps it from following (40001).
      if (isLate || isUnavailable(error) || isCollision(error)) return [this.#isResting ? 'away' : 'failed']
      throw error
    } finally {
      this.#idle.push(isLate ? this.#replace(sql) : sql)
    }
  }

  get #isResting(): boolean {
    return performance.now() < this.#restsUntilMs
  }

  /** Whether the replica has all that readers of this process may know; what it learns later is right, too. */
  async #hasAll(sql: Sql): Promise<boolean> {
    const { epoch, appliedId } = this.#options
    const neededId = appliedId()
    try {
      const position = await within(POSITION_MS_MAX, readReplicaPosition(sql))
      // Once promoted, it is the primary of DATABASE_URL, or one that goes its own way.
      return position.isStandby && position.epoch === epoch && position.lastId >= neededId
    } catch (error) {
      this.#restsUntilMs = performance.now() + REST_MS
      throw error
    }
  }

  /** A connection that hangs may hang for ever. */
  #replace(sql: Sql): Sql {
    this.#all.delete(sql)
    void sql.end({ timeout: 0 })
    return this.#open()
  }
}

async function readUntil<Found>(
  signal: AbortSignal,
  sql: Sql,
  read: (sql: Sql) => Promise<Found>,
): Promise<Found> {
  const cancellable = makeCancellable(sql)
  let cancelled: Promise<void> | undefined
  const onAbort = () => {
    cancelled = cancellable.cancel()
  }
  signal.addEventListener('abort', onAbort)
  try {
    return await within(READ_MS_MAX, read(cancellable.sql))
  } finally {
    signal.removeEventListener('abort', onAbort)
    await cancelled // A late cancel request would hit the next statement.
  }
}

async function within<Found>(ms: number, found: Promise<Found>): Promise<Found> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new LateError(`the replica took more than ${ms} ms`)), ms)
  found.catch(() => undefined) // Once it is late, nobody waits for it.
  try {
    return await Promise.race([found, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
