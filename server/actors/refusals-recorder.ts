/**
 * Records refused log-ins, codes and permissions: the first of a kind, account, network and operation in the process log at
 * once, and once a minute the counts of all in the log of events. So guessing never waits for the log's lock.
 */

import { done } from '../decisions/decision.ts'
import type { Clock } from '../domain/clock.ts'
import type { AccessRefused, Refusal } from '../domain/users/refusals.ts'
import { dayOf } from '../domain/messages/weekly-traffic.ts'
import type { Committer } from './committer.ts'

/** The longest delay of a record; a shorter one would only commit more often. */
const RECORD_PERIOD_MS = 60_000
/** Groups in memory and lines in the process log in a minute: an attacker with many addresses makes more. */
const GROUPS_MAX = 1_000
/** Groups with an entry of their own in a minute, of a process: the others share one of each kind. */
const ENTRIES_PER_MINUTE_MAX = 20
/** The same in a day: with the shared ones a day of attacks takes some MiB of the table. */
const ENTRIES_PER_DAY_MAX = 2_000

/** One refusal. */
export type NotedRefusal = Pick<AccessRefused, 'refusal' | 'userId' | 'network' | 'operation'>

/** The dependencies of a recorder. */
export interface RefusalsRecorderOptions {
  readonly committer: Committer
  readonly clock: Clock
  readonly logger: { readonly warn: (fields: object, text: string) => void }
  readonly onError: (error: unknown) => void
}

/** The refusals of one process. */
export class RefusalsRecorder {
  readonly #options: RefusalsRecorderOptions
  readonly #timer: { stop(): void }
  #groups = new Map<string, AccessRefused>()
  /** Refusals beyond the groups in memory. */
  #others = new Map<Refusal, number>()
  #day = 0
  #entriesToday = 0

  constructor(options: RefusalsRecorderOptions) {
    this.#options = options
    this.#timer = options.clock.every(RECORD_PERIOD_MS, () => void this.record())
  }

  note({ refusal, userId, network, operation }: NotedRefusal): void {
    const key = JSON.stringify([refusal, userId, network, operation])
    const group = this.#groups.get(key)
    if (!group && this.#groups.size >= GROUPS_MAX) return count(this.#others, refusal, 1)
    this.#groups.set(key, {
      type: 'access_refused',
      refusal,
      userId,
      network,
      operation,
      count: (group?.count ?? 0) + 1,
    })
    if (!group) this.#options.logger.warn({ refusal, userId, network, operation }, 'access refused')
  }

  /** Commits the counts. Those that fail are lost: the process log has them. */
  async record(): Promise<void> {
    const { committer, onError } = this.#options
    const commit = (fact: AccessRefused) => {
      // A refused log-in was by nobody who is known.
      const actorId = fact.refusal === 'permission' ? (fact.userId ?? undefined) : undefined
      return committer.submit({ kind: 'structure', actorId, decide: () => done([fact]) })
    }
    const outcomes = await Promise.allSettled(this.#take().map(commit))
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason)
  }

  /** Records what is left, and stops. */
  async close(): Promise<void> {
    this.#timer.stop()
    await this.record()
  }

  /** The facts of the past minute: those about accounts first, then the most frequent ones. */
  #take(): AccessRefused[] {
    const groups = [...this.#groups.values()].sort(
      (a, b) => Number(a.userId === null) - Number(b.userId === null) || b.count - a.count,
    )
    const others = this.#others
    this.#groups = new Map()
    this.#others = new Map()
    const today = dayOf(this.#options.clock.nowMs() / 1000)
    if (today !== this.#day) this.#entriesToday = 0
    this.#day = today
    const room = Math.min(ENTRIES_PER_MINUTE_MAX, ENTRIES_PER_DAY_MAX - this.#entriesToday)
    const own = groups.slice(0, room)
    this.#entriesToday += own.length
    for (const group of groups.slice(room)) count(others, group.refusal, group.count)
    const shared = [...others].map(
      ([refusal, number]): AccessRefused => ({
        type: 'access_refused',
        refusal,
        userId: null,
        network: null,
        operation: null,
        count: number,
      }),
    )
    return [...own, ...shared]
  }
}

function count(counts: Map<Refusal, number>, refusal: Refusal, number: number): void {
  counts.set(refusal, (counts.get(refusal) ?? 0) + number)
}
