/** The waits of the outbox between attempts, by a clock of the test. */

import { mock } from 'node:test'
import t from 'tap'
import { Outbox } from '../../../client/store/outbox/outbox.ts'
import { ConnectionError } from '../../../packages/client/src/index.ts'

const SECOND_MS = 1_000

/** Lets everything run that waits for no timer. */
const settle = () => new Promise(setImmediate)

t.test(
  '[STORE110] the wait after a failed attempt doubles up to a minute, and news of the connection make it short',
  async (t) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    let attempts = 0
    const outbox = new Outbox({
      storage: { load: async () => [], put: async () => undefined, remove: async () => undefined },
      send: async () => {
        attempts++
        throw new ConnectionError('there is no connection')
      },
      queueId: () => 'queue',
      nowMs: () => 1,
      newId: () => 'id',
    })
    const stop = new AbortController()
    const ended = outbox.run(stop.signal)
    t.teardown(async () => {
      stop.abort()
      await ended
    })
    await settle()
    await outbox.add({ to: { type: 'direct', userIds: [1] }, content: 'text' })
    await settle()
    t.equal(attempts, 1)
    /** The next attempt comes at the end of the wait, and not before. */
    const expectWait = async (ms: number) => {
      const before = attempts
      mock.timers.tick(ms - 1)
      await settle()
      t.equal(attempts, before, `${ms} ms are not over`)
      mock.timers.tick(1)
      await settle()
      t.equal(attempts, before + 1, `${ms} ms are over`)
    }
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) await expectWait(seconds * SECOND_MS)
    const before = attempts
    outbox.retryNow()
    await settle()
    t.equal(attempts, before + 1, 'at once')
    for (const seconds of [1, 2, 4]) await expectWait(seconds * SECOND_MS)
  },
)
