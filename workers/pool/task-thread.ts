/** A thread for the tasks of one file: it loads the program before its first task, outside the time of that task. */

import { type Counted, TaskLimit } from './task-limit.ts'
import { openPool, type Pool, type PoolOptions } from './open-pool.ts'

/** One thread, which starts with its first task; tasks come one after another. */
export class TaskThread<Task, Result> {
  readonly #file: string
  readonly #emptyTask: Task
  readonly #options: PoolOptions
  readonly #counted: Counted
  #pool: Pool<Task, Result> | undefined
  /** The last start of the thread with its program. */
  #loading: Promise<unknown> | undefined
  #isClosed = false

  /** The name of the file is relative to this folder; its empty task takes no time. `counted` is the time of its tasks. */
  constructor(file: string, emptyTask: Task, options: PoolOptions = {}, counted: Counted = 'thread') {
    this.#file = file
    this.#emptyTask = emptyTask
    this.#options = options
    this.#counted = counted
  }

  /**
   * The result of a task. Rejects past `msMax` milliseconds of the processor, and some times as many by the clock, after
   * the program is loaded, when another thread takes over, and when the thread is closed.
   */
  async run(task: Task, msMax: number): Promise<Result> {
    const pool = await this.load()
    const limit = new TaskLimit(pool.threads[0], msMax, this.#counted)
    try {
      return await pool.run(task, { signal: limit.signal })
    } catch (error) {
      this.#loading = undefined
      if (this.#options.minThreads && !this.#isClosed) void this.load().catch(() => undefined)
      throw error
    } finally {
      limit.end()
    }
  }

  /** Starts the thread and loads its program, unless that is done. */
  async load(): Promise<Pool<Task, Result>> {
    this.#requireOpen()
    this.#pool ??= openPool(this.#file, this.#options)
    // After some time without work the thread is gone, and must load its program again.
    if (!this.#loading || this.#pool.threads.length === 0) this.#loading = this.#pool.run(this.#emptyTask)
    try {
      await this.#loading
    } catch (error) {
      this.#loading = undefined
      throw error
    }
    this.#requireOpen()
    return this.#pool
  }

  /** Ends the thread; its task rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    // Node may wait for ever, or crash, when it ends a thread that loads modules.
    await this.#loading?.catch(() => undefined)
    await this.#pool?.destroy()
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error('the thread is closed')
  }
}
