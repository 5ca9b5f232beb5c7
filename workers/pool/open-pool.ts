/** Opens pools of threads whose failures reach the callers of their tasks only. */

import { extname, join } from 'node:path'
import { Piscina } from 'piscina'

export type Pool<Task, Result> = Piscina<Task, Result>

/** Settings of a pool. */
export interface PoolOptions {
  /** Threads that stay without work; 0 unless given. */
  readonly minThreads?: number
  /** Milliseconds without work until a thread ends. */
  readonly idleTimeout?: number
  readonly resourceLimits?: { readonly maxYoungGenerationSizeMb: number }
}

/** A pool of one thread for the tasks of a file, whose name is relative to this folder. */
export function openPool<Task, Result>(file: string, options: PoolOptions): Pool<Task, Result> {
  const pool = new Piscina<Task, Result>({
    // In a packed release the modules are JavaScript.
    filename: join(import.meta.dirname, file.replace(/\.ts$/, extname(import.meta.filename))),
    minThreads: 0,
    ...options,
    maxThreads: 1,
  })
  // Without a listener these errors would end the process. Both concern no task: an answer that was on its way when its
  // thread was ended, after its caller had got the failure; and a thread that failed without work, which is replaced.
  pool.on('error', () => undefined)
  return pool
}
