/**
 * Test notifications in progress: a worker sends each and stores the outcome in the database. The caller gets an answer
 * within a bounded time, even if the worker, Redis or a notice fails.
 */

import {
  PUSH_TEST_NOTICE,
  type PushTestTarget,
  readPushTestOutcomes,
  storePushTest,
} from '../../db/personal/push-tests.ts'
import type { Sql } from '../../db/connection/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import type { PushTestOutcome } from '../domain/personal/push-devices.ts'

/** How often the outcome is checked, in case its notice was lost. */
const LOOK_PERIOD_MS = 1_000

/** The dependencies of the tests. */
export interface PushTestsOptions {
  readonly sql: Sql
  readonly clock: Clock
  /** Milliseconds that a caller waits. */
  readonly waitMsMax: number
  readonly onError: (error: unknown) => void
}

/** The tests that clients of this process wait for. */
export class PushTests {
  readonly #options: PushTestsOptions
  readonly #waiting = new Map<string, (outcome: PushTestOutcome) => void>()
  #listening: Promise<unknown> | undefined
  #looking: { stop(): void } | undefined

  constructor(options: PushTestsOptions) {
    this.#options = options
  }

  /**
   * Sends a test. Resolves to `unreachable` if there is no outcome in time; undefined if its user has too many in
   * progress.
   */
  async send(
    userId: UserId,
    target: PushTestTarget,
    requestId?: string,
  ): Promise<PushTestOutcome | undefined> {
    const { sql, waitMsMax } = this.#options
    await this.#listen()
    const id = await storePushTest(sql, userId, target, { msMax: waitMsMax, requestId })
    return id === undefined ? undefined : this.#wait(id)
  }

  /** Ends all waits. */
  stop(): void {
    for (const end of this.#waiting.values()) end('unreachable')
  }

  async #wait(id: string): Promise<PushTestOutcome> {
    const { clock, waitMsMax } = this.#options
    let timer: NodeJS.Timeout | undefined
    const outcome = new Promise<PushTestOutcome>((resolve) => {
      this.#waiting.set(id, resolve)
      timer = setTimeout(resolve, waitMsMax, 'unreachable' as const)
    })
    this.#looking ??= clock.every(LOOK_PERIOD_MS, () => this.#look())
    this.#look() // It may have ended already.
    try {
      return await outcome
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) {
        this.#looking?.stop()
        this.#looking = undefined
      }
    }
  }

  /** Starts listening at the first test; most servers never have one. */
  async #listen(): Promise<void> {
    this.#listening ??= this.#options.sql.listen(
      PUSH_TEST_NOTICE,
      (id) => {
        if (this.#waiting.has(id)) this.#look()
      },
      () => this.#look(),
    )
    try {
      await this.#listening
    } catch (error) {
      this.#listening = undefined
      throw error
    }
  }

  #look(): void {
    if (this.#waiting.size === 0) return
    readPushTestOutcomes(this.#options.sql, [...this.#waiting.keys()]).then((ended) => {
      for (const { id, outcome } of ended) this.#waiting.get(id)?.(outcome)
    }, this.#options.onError)
  }
}
