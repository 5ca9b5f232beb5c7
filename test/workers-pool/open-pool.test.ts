/** Pools of threads: an answer may cross the end of its thread. */

import t, { type Test } from 'tap'
import { openPool, type Pool } from '../../workers/pool/open-pool.ts'
import { TaskThread } from '../../workers/pool/task-thread.ts'

/** Attempts to let them cross; nearly each one succeeds. */
const ATTEMPTS_MAX = 200

const blocker = new Int32Array(new SharedArrayBuffer(4))
/** Lets this thread take no messages for some time, so that an answer waits for it. */
const block = (ms: number): unknown => Atomics.wait(blocker, 0, 0, ms)

/** Ends the threads of pools by `end` until an answer has crossed it. */
async function cross(
  t: Test,
  end: (pool: Pool<readonly object[], object[]>, abort: () => void) => Promise<void>,
): Promise<void> {
  let isCrossed = false
  for (let attempt = 1; !isCrossed && attempt <= ATTEMPTS_MAX; attempt++) {
    const pool = openPool<readonly object[], object[]>('diff/diff-task.ts', {})
    const emit = pool.emit.bind(pool)
    pool.emit = (name, ...values) => {
      isCrossed ||= name === 'error'
      return emit(name, ...values)
    }
    await pool.run([])
    const controller = new AbortController()
    const outcome = pool.run([], { signal: controller.signal }).catch((error: unknown) => error)
    block(attempt)
    await end(pool, () => controller.abort())
    await pool.destroy()
    t.ok((await outcome) instanceof Error, 'its caller gets the failure')
  }
  t.ok(isCrossed)
}

t.test('[POOL1] an answer that arrives after its task was aborted does no harm', (t) =>
  cross(t, async (pool, abort) => {
    abort()
    t.same(await pool.run([]), [], 'another thread does the next task')
  }),
)

t.test('[POOL2] an answer that arrives after its pool was closed does no harm', (t) =>
  cross(t, (pool) => pool.destroy()),
)

t.test('[POOL3] a thread that is closed while it loads its program ends after that', async (t) => {
  const thread = new TaskThread('images/image-task.ts', undefined)
  const ended: unknown[] = []
  const loading = thread.load().catch((error: Error) => ended.push(error.message))
  const closing = thread.close().then(() => ended.push('closed'))
  await Promise.all([loading, closing])
  t.same(ended, ['the thread is closed', 'closed'], 'what it loaded was not cut off')
  await t.rejects(thread.run(undefined, 1_000), { message: 'the thread is closed' })
})
