/** The feed: every entry once and in order, whatever the broadcast does. */

import t from 'tap'
import { readLog } from '../../db/log/event-log.ts'
import type { LogEntry } from '../../server/domain/events.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { Feed } from '../../server/log/feed.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { makeEntry } from './make-entry.ts'

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A feed over an array as its log; `applied` has the applied entries. */
function startFeed(log: LogEntry[] = []) {
  const applied: number[] = []
  const errors: unknown[] = []
  const reads: number[] = []
  const control = {
    log,
    applied,
    errors,
    reads,
    isBroken: false,
    hold: undefined as Promise<void> | undefined,
  }
  const feed = new Feed({
    appliedId: 0 as EventId,
    async readLog(afterId, countMax) {
      reads.push(afterId)
      if (control.isBroken) throw new Error('the database is away')
      const page = log.filter(({ id }) => id > afterId).slice(0, countMax)
      await control.hold
      return page
    },
    onEntry: ({ id }) => applied.push(id),
    onError: (error) => errors.push(error),
  })
  return { feed, ...control, control }
}

const batch = (from: number, to: number) => numbers(from, to).map((id) => makeEntry(id))

t.test('[FEED1] consecutive entries are applied at once', async (t) => {
  const { feed, applied, reads } = startFeed()
  feed.offer(batch(1, 3))
  feed.offer(batch(4, 4))
  feed.offer([])
  t.same(applied, [1, 2, 3, 4])
  t.equal(feed.appliedId, 4)
  t.same(reads, [])
})

t.test('[FEED2] duplicate, late and overlapping batches count once', async (t) => {
  const { feed, applied } = startFeed()
  feed.offer(batch(1, 3))
  feed.offer(batch(1, 3))
  feed.offer(batch(2, 5))
  feed.offer(batch(1, 2))
  feed.offer(batch(5, 6))
  t.same(applied, [1, 2, 3, 4, 5, 6])
})

t.test('[FEED3] batches out of order are reordered without reading the log', async (t) => {
  const { feed, applied, reads } = startFeed()
  feed.offer(batch(7, 8))
  feed.offer(batch(3, 5))
  feed.offer(batch(4, 6))
  t.same(applied, [])
  feed.offer(batch(1, 2))
  t.same(applied, numbers(1, 8))
  t.same(reads, [])
})

t.test('[FEED4] entries lost by the broadcast are read from the log', async (t) => {
  const log = batch(1, 20)
  const { feed, applied } = startFeed(log)
  feed.offer(log.slice(9, 12))
  await feed.reached(12 as EventId)
  t.same(applied.slice(0, 12), numbers(1, 12))
  feed.offer(log.slice(19))
  await feed.reached(20 as EventId)
  t.same(applied, numbers(1, 20))
})

t.test('[FEED13] a caller that waits for an entry waits until it is applied', async (t) => {
  const { feed, applied } = startFeed()
  const reached = feed.reached(2 as EventId).then(() => [...applied])
  feed.offer(batch(1, 1))
  await new Promise<void>((resolve) => void setImmediate(resolve))
  feed.offer(batch(2, 3))
  t.same(await reached, [1, 2, 3])
})

t.test('[FEED5] of two waiting batches with the same start the longer one counts', async (t) => {
  const { feed, applied, reads } = startFeed()
  feed.offer(batch(2, 5))
  feed.offer(batch(2, 2))
  feed.offer(batch(2, 6))
  feed.offer(batch(1, 1))
  t.same(applied, numbers(1, 6))
  t.same(reads, [])
})

t.test('[FEED6] batches beyond the bound are dropped, and read from the log', async (t) => {
  const log = batch(1, 3_000)
  const { feed, applied } = startFeed(log)
  for (const entry of log.slice(1)) feed.offer([entry])
  t.same(applied, [])
  await feed.reached(3_000 as EventId)
  t.same(applied, numbers(1, 3_000))
})

t.test(
  '[FEED7] catching up reads page by page to the end, including entries logged before the call',
  async (t) => {
    const log = batch(1, 1_234)
    const { feed, applied, control } = startFeed(log)
    let release = () => {}
    control.hold = new Promise((resolve) => {
      release = resolve
    })
    const first = feed.catchUp() // It has read its first page, and waits with it.
    log.push(...batch(1_235, 1_300))
    const second = feed.catchUp()
    const third = feed.catchUp()
    t.equal(second, third, 'callers during a reading share the next one')
    control.hold = undefined
    release()
    await Promise.all([first, second])
    t.same(applied, numbers(1, 1_300))
    control.hold = new Promise((resolve) => {
      release = resolve
    })
    const last = feed.catchUp() // It has read an empty page, which ends it.
    log.push(...batch(1_301, 1_301))
    const next = feed.catchUp()
    control.hold = undefined
    release()
    await Promise.all([last, next])
    t.equal(applied.at(-1), 1_301)
  },
)

t.test('[FEED8] entries that arrive while the log is read are not applied twice', async (t) => {
  const log = batch(1, 10)
  const { feed, applied, control } = startFeed(log)
  let release = () => {}
  control.hold = new Promise((resolve) => {
    release = resolve
  })
  const reading = feed.catchUp()
  feed.offer(batch(1, 12))
  release()
  await reading
  t.same(applied, numbers(1, 12))
})

t.test('[FEED9] a log that cannot be read is reported, and read again later', async (t) => {
  const log = batch(1, 5)
  const { feed, applied, errors, control } = startFeed(log)
  control.isBroken = true
  await t.rejects(feed.catchUp(), { message: 'the database is away' })
  feed.offer(log.slice(3))
  await pollUntil('the failure is reported', () => errors.length > 0)
  control.isBroken = false
  await feed.reached(5 as EventId)
  t.same(applied, numbers(1, 5))
})

t.test('[FEED10] a hole in the log is never skipped', async (t) => {
  const log = [...batch(1, 2), ...batch(4, 5)]
  const { feed, applied } = startFeed(log)
  await t.rejects(feed.catchUp(), { message: 'the log has no event 3' })
  t.same(applied, [1, 2])
})

t.test('[FEED11] closing rejects all waiting callers, now and later, and applies nothing more', async (t) => {
  const log = batch(1, 5)
  const { feed, applied } = startFeed(log)
  const waiting = feed.reached(9 as EventId)
  feed.close()
  await t.rejects(waiting, { message: 'the feed was closed' })
  await t.rejects(feed.reached(1 as EventId), { message: 'the feed was closed' })
  await t.rejects(feed.catchUp(), { message: 'the feed was closed' })
  feed.offer(log)
  t.same(applied, [])
})

t.test('[FEED12] the real log arrives complete, with its audiences', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['feed'], { principals: [1, 4] })
  await owner.send('feed', 'a', 'to subscribers')
  await owner.sendDirect([4], 'to one')
  const { sql, state } = server.node.services
  const applied: LogEntry[] = []
  const feed = new Feed({
    appliedId: 0 as EventId,
    readLog: (afterId, countMax) => readLog(sql, afterId, countMax),
    onEntry: (entry) => applied.push(entry),
    onError: (error) => t.fail('reading failed', { error }),
  })
  await feed.catchUp()
  t.same(
    applied.map(({ id }) => id),
    numbers(1, state.appliedId),
  )
  const [toChannel, toOne] = applied.slice(-2)
  t.match(toChannel?.audience, { kind: 'subscribers', channelId: 1 })
  t.same(toOne?.audience.kind === 'users' && toOne.audience.users.toArray(), [1, 4])
})
