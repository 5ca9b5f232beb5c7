/**
 * Test notifications under way: a worker sends each, and says in the database what came of it. Who asked for one is
 * answered within a bounded time, whatever becomes of the worker, of Redis or of a notice.
 */

import {
  PUSH_TEST_NOTICE,
  type PushTestTarget,
  readPushTestOutcomes,
  storePushTest,
} from '../../db/push-tests.ts'
import type { Sql } from '../../db/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import type { PushTestOutcome } from '../domain/push-devices.ts'

/** How long an outcome may stay unheard of when the notice of it was lost. */
const LOOK_PERIOD_MS = 1_000

/** What the tests work with. */
export interface PushTestsOptions {
  readonly sql: Sql
  readonly clock: Clock
  /** Milliseconds that somebody waits. */
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

  /** Sends a test; `unreachable` where nothing came of it in time, undefined where its user has too many under way. */
  async send(userId: UserId, target: PushTestTarget): Promise<PushTestOutcome | undefined> {
    const { sql, waitMsMax } = this.#options
    await this.#listen()
    const id = await storePushTest(sql, userId, target, waitMsMax)
    return id === undefined ? undefined : this.#wait(id)
  }

  /** Lets nobody wait any more. */
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

  /** Listens from the first test on; most servers never see one. */
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
