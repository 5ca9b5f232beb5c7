/** The time limit of tasks: the processor's time counts, and the clock ends only what hangs. */

import t from 'tap'
import { TaskThread } from '../../workers/pool/task-thread.ts'

const FILE = '../../test/workers-pool/wait-task.ts'
const MS_MAX = 200

t.test('[LIMIT1] a task that got little of the processor goes on past its limit', async (t) => {
  for (const counted of ['thread', 'process'] as const) {
    const thread = new TaskThread<number, number>(FILE, 0, {}, counted)
    t.teardown(() => thread.close())
    t.equal(await thread.run(3 * MS_MAX, MS_MAX), 3 * MS_MAX, counted)
  }
})

t.test('[LIMIT2] a task that hangs is ended, and the next one is done by another thread', async (t) => {
  for (const counted of ['thread', 'process'] as const) {
    const thread = new TaskThread<number, number>(FILE, 0, {}, counted)
    t.teardown(() => thread.close())
    await t.rejects(thread.run(Number.POSITIVE_INFINITY, MS_MAX), counted)
    t.equal(await thread.run(1, MS_MAX), 1)
  }
})
