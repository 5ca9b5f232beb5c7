/**
 * Records refused log-ins, codes, permissions and keys: the first of a kind, account, network and operation in the process log
 * at once, and once a minute the counts of all in the log of events; once an hour for keys. So guessing never waits for the
 * log's lock.
 */

import { done } from '../decisions/decision.ts'
import type { Clock } from '../domain/clock.ts'
import type { AccessRefused, Refusal } from '../domain/users/refusals.ts'
import { dayOf } from '../domain/messages/weekly-traffic.ts'
import type { Committer } from './committer.ts'

/** The longest delay of a record; a shorter one would only commit more often. */
const RECORD_PERIOD_MS = 60_000
/**
 * Minutes between the records of refused keys: a program with an old key sends it for ever, and an entry for each minute of
 * it would leave no room in a day's entries for an attacker.
 */
const MINUTES_PER_KEY_RECORD = 60
/** Groups in memory and lines in the process log between two records: an attacker with many addresses makes more. */
const GROUPS_MAX = 1_000
/** Groups with an entry of their own in a record, of a process: the others share one of each kind. */
const ENTRIES_PER_RECORD_MAX = 20
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

/** The refusals since a record. */
class Noted {
  readonly groups = new Map<string, AccessRefused>()
  /** Refusals beyond the groups in memory. */
  readonly others = new Map<Refusal, number>()
}

/** The refusals of one process. */
export class RefusalsRecorder {
  readonly #options: RefusalsRecorderOptions
  readonly #timer: { stop(): void }
  #keys = new Noted()
  #attempts = new Noted()
  #minutes = 0
  #day = 0
  #entriesToday = 0

  constructor(options: RefusalsRecorderOptions) {
    this.#options = options
    this.#timer = options.clock.every(RECORD_PERIOD_MS, () => void this.#recordMinute())
  }

  note({ refusal, userId, network, operation }: NotedRefusal): void {
    const key = JSON.stringify([refusal, userId, network, operation])
    const { groups, others } = refusal === 'key' ? this.#keys : this.#attempts
    const group = groups.get(key)
    if (!group && groups.size >= GROUPS_MAX) return count(others, refusal, 1)
    groups.set(key, {
      type: 'access_refused',
      refusal,
      userId,
      network,
      operation,
      count: (group?.count ?? 0) + 1,
    })
    if (!group) this.#options.logger.warn({ refusal, userId, network, operation }, 'access refused')
  }

  /** Records what is left, and stops. */
  async close(): Promise<void> {
    this.#timer.stop()
    await this.#record([...this.#takeAttempts(), ...this.#takeKeys()])
  }

  #recordMinute(): Promise<void> {
    this.#minutes++
    const keys = this.#minutes % MINUTES_PER_KEY_RECORD === 0 ? this.#takeKeys() : []
    return this.#record([...this.#takeAttempts(), ...keys])
  }

  /** Commits the counts. Those that fail are lost: the process log has them. */
  async #record(facts: readonly AccessRefused[]): Promise<void> {
    const { committer, onError } = this.#options
    const commit = (fact: AccessRefused) => {
      // A refused log-in was by nobody who is known.
      const actorId = fact.refusal === 'permission' ? (fact.userId ?? undefined) : undefined
      return committer.submit({ kind: 'structure', actorId, decide: () => done([fact]) })
    }
    const outcomes = await Promise.allSettled(facts.map(commit))
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason)
  }

  #takeAttempts(): AccessRefused[] {
    const noted = this.#attempts
    this.#attempts = new Noted()
    return this.#factsOf(noted)
  }

  #takeKeys(): AccessRefused[] {
    const noted = this.#keys
    this.#keys = new Noted()
    return this.#factsOf(noted)
  }

  /** The facts of a record: those about accounts first, then the most frequent ones. */
  #factsOf({ groups: noted, others }: Noted): AccessRefused[] {
    const groups = [...noted.values()].sort(
      (a, b) => Number(a.userId === null) - Number(b.userId === null) || b.count - a.count,
    )
    const today = dayOf(this.#options.clock.nowMs() / 1000)
    if (today !== this.#day) this.#entriesToday = 0
    this.#day = today
    const room = Math.min(ENTRIES_PER_RECORD_MAX, ENTRIES_PER_DAY_MAX - this.#entriesToday)
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
