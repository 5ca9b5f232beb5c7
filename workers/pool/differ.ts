/** Compares versions of messages in a separate thread, so that no other request waits for it. */

import { diffWhole } from './diff/diff-html.ts'
import { encodeDiff, type VersionPair } from './diff/diff-task.ts'
import { FairQueue } from './fair-queue.ts'
import { TaskFigures } from './task-figures.ts'
import { TaskThread } from './task-thread.ts'
import { UNWATCHED, type WatchTask } from './watch-task.ts'

/** Pairs in one hand-over: other users get their turn in between. */
const BATCH_LENGTH_MAX = 8
/** Waiting hand-overs; beyond it the server is overloaded. */
const WAITING_MAX = 200
/** The same for one user: they look at one history at a time. */
const WAITING_PER_USER_MAX = 20
/** Milliseconds without work until the thread ends: users rarely look at edits. */
const IDLE_MS = 60_000
/**
 * MiB of the young generation: with less, collections take longer than the comparison, as nothing is garbage before its
 * end.
 */
const YOUNG_GENERATION_MIB = 64

/** Too many comparisons are waiting. */
export class DiffOverloadError extends Error {
  override readonly name = 'DiffOverloadError'
}

/** The difference between two versions. */
export interface Diff {
  /** Its HTML as a JSON string in UTF-8. */
  readonly encoded: Uint8Array
  /** Whether the versions were compared; otherwise time ran out, and another attempt may succeed. */
  readonly isCompared: boolean
}

interface Waiting {
  readonly sinceMs: number
  readonly pairs: readonly VersionPair[]
  readonly resolve: (diffs: Diff[]) => void
  readonly reject: (error: unknown) => void
}

/** The comparisons of one process, in which users take turns; its thread starts with the first versions. */
export class Differ {
  readonly #msMax: number
  readonly #watch: WatchTask
  readonly #thread = new TaskThread<readonly VersionPair[], Uint8Array[]>('diff/diff-task.ts', [], {
    idleTimeout: IDLE_MS,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
  })
  readonly #waiting = new FairQueue<Waiting>()
  readonly figures = new TaskFigures()
  #isBusy = false

  /** `msMax` limits each hand-over. */
  constructor(msMax: number, watch = UNWATCHED) {
    this.#watch = watch
    this.#msMax = msMax
  }

  /**
   * The differences of a user's pairs, in order. A pair that takes too long gets both whole versions, one after the
   * other. Rejects with a `DiffOverloadError` if too many are waiting, in total or for the user.
   */
  diff(pairs: readonly VersionPair[], userId: number): Promise<Diff[]> {
    return this.#watch('diff', this.#diffAll(pairs, userId))
  }

  async #diffAll(pairs: readonly VersionPair[], userId: number): Promise<Diff[]> {
    const diffs: Diff[] = []
    for (let start = 0; start < pairs.length; start += BATCH_LENGTH_MAX) {
      diffs.push(...(await this.#inTurn(pairs.slice(start, start + BATCH_LENGTH_MAX), userId)))
    }
    return diffs
  }

  /** Hand-overs that wait. */
  get waitingCount(): number {
    return this.#waiting.size
  }

  /** Ends the thread; waiting pairs are not compared. */
  async close(): Promise<void> {
    await this.#thread.close()
  }

  /** Batches wait here instead of in the pool, so that users take turns and waiting does not count as work. */
  #inTurn(pairs: readonly VersionPair[], userId: number): Promise<Diff[]> {
    if (this.#waiting.size >= WAITING_MAX || this.#waiting.countOf(userId) >= WAITING_PER_USER_MAX) {
      this.figures.refused++
      throw new DiffOverloadError('too many comparisons wait')
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(userId, { sinceMs: performance.now(), pairs, resolve, reject })
      if (!this.#isBusy) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.figures.waitSeconds.observeSince(next.sinceMs)
      await this.#diffBatch(next.pairs).then(next.resolve, next.reject)
    }
    this.#isBusy = false
  }

  async #diffBatch(pairs: readonly VersionPair[]): Promise<Diff[]> {
    try {
      return (await this.#run(pairs)).map((encoded) => ({ encoded, isCompared: true }))
    } catch {
      // One slow pair must not fail the others: each gets its own time limit.
      if (pairs.length === 1) return pairs.map(toWhole)
      const diffs: Diff[] = []
      for (const pair of pairs) diffs.push(...(await this.#diffBatch([pair])))
      return diffs
    }
  }

  /** Past the time limit the thread ends, the call rejects, and a new thread replaces it. */
  async #run(pairs: readonly VersionPair[]): Promise<Uint8Array[]> {
    await this.#thread.load()
    const startMs = performance.now()
    try {
      const diffs = await this.#thread.run(pairs, this.#msMax)
      this.figures.done++
      this.figures.runSeconds.observeSince(startMs)
      return diffs
    } catch (error) {
      this.figures.killed++
      throw error
    }
  }
}

function toWhole({ previous, now }: VersionPair): Diff {
  return { encoded: encodeDiff(diffWhole(previous, now)), isCompared: false }
}
