/** Turns of searches, and the end of a search whose client has disconnected. */

import t from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { Searches } from '../../server/actors/searches.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { pollUntil } from '../services/poll-until.ts'

const url = await createDatabase(t)
const open = (name = 'parley-test') => {
  const sql = connect(url, 1, name)
  t.teardown(() => sql.end())
  return sql
}
const admin = open()
const never = new AbortController().signal

/** Each test has its own lock; a statement that waits for it blocks. */
let key = 0
const holdLock = async () => {
  key++
  const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = admin.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${key})`
    held.resolve()
    await ended.promise
  })
  await held.promise
  return {
    waitFor: (one: Sql) => one`select pg_advisory_xact_lock(${key}), 1 as waited`,
    async end() {
      ended.resolve()
      await holding
    },
  }
}
const watcher = open()
const countWaiting = async () => {
  const rows = await watcher`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'searches' and wait_event_type = 'Lock'`
  return rows.length
}
const one = (sql: Sql) => sql<{ one: number }[]>`select 1 as one`.then((rows) => rows[0]?.one)

t.test('[SEARCH10] the searches of one user never delay those of another', async (t) => {
  const searches = new Searches([open('searches'), open('searches')])
  const lock = await holdLock()
  const held = Array.from({ length: 9 }, () => searches.run(1, never, lock.waitFor))
  await pollUntil('the first search runs', async () => (await countWaiting()) === 1)
  t.equal(await searches.run(2, never, one), 1)
  t.equal(await searches.run(3, never, one), 1)
  t.equal(await countWaiting(), 1, 'one at a time')
  t.throws(() => searches.run(1, never, one), { name: 'OverloadError' }, 'the queue is bounded')
  await lock.end()
  t.equal((await Promise.all(held)).length, 9, 'all of them end')
  for (let count = 0; count < 200; count++) await searches.run(1, never, one)
  t.equal(await searches.run(1, never, one), 1, 'ended searches free their places')
})

t.test('[SEARCH11] users take turns, however many searches each has', async (t) => {
  const searches = new Searches([open('searches')])
  const lock = await holdLock()
  const order: number[] = []
  const first = searches.run(1, never, lock.waitFor)
  const rest = [1, 1, 2, 2, 3].map((userId) =>
    searches.run(userId, never, async (sql) => {
      order.push(userId)
      await one(sql)
    }),
  )
  await pollUntil('the first search runs', async () => (await countWaiting()) === 1)
  await lock.end()
  await Promise.all([first, ...rest])
  t.same(order, [2, 3, 1, 2, 1])
})

t.test('[SEARCH12] a search stops in the database when its client disconnects', async (t) => {
  const searches = new Searches([open('searches')])
  const lock = await holdLock()
  const [gone, late] = [new AbortController(), new AbortController()]
  const search = searches.run(1, gone.signal, async (sql) => {
    // Even if the test fails, no statement of it keeps running.
    await lock.waitFor(sql).catch(() => undefined)
    return one(sql)
  })
  const waiting = searches.run(1, late.signal, one)
  const other = searches.run(2, never, one)
  await pollUntil('the search runs', async () => (await countWaiting()) === 1)
  gone.abort()
  late.abort()
  await t.rejects(search, { name: 'OverloadError' })
  await t.rejects(waiting, { name: 'OverloadError' }, 'a waiting search has not begun')
  t.equal(await other, 1)
  t.equal(await countWaiting(), 0, 'the lock is still held')
  await lock.end()
})

t.test('[SEARCH13] a cancelled search does nothing to the next one on its connection', async (t) => {
  const searches = new Searches([open('searches')])
  for (let round = 0; round < 30; round++) {
    const gone = new AbortController()
    // Some are cancelled just as they end.
    const search = searches.run(1, gone.signal, (sql) => sql`select pg_sleep(${round / 10_000})`)
    const next = Array.from({ length: 3 }, () =>
      searches.run(2, never, (sql) => sql`select pg_sleep(0.001), 1 as one`),
    )
    setImmediate(() => gone.abort())
    await search.catch((error: Error) => t.equal(error.name, 'OverloadError'))
    t.equal((await Promise.all(next)).length, 3)
  }
})

t.test('[SEARCH17] a cancel that arrives during the next search does not affect it', async (t) => {
  const searches = new Searches([open('searches')])
  const lock = await holdLock()
  const search = searches.run(1, never, lock.waitFor)
  await pollUntil('the search runs', async () => (await countWaiting()) === 1)
  const cancel = () => watcher`
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'searches'`
  await cancel()
  await pollUntil('the search runs again', async () => (await countWaiting()) === 1)
  await lock.end()
  t.match(await search, [{ waited: 1 }])
})

t.test('[SEARCH18] users who search a lot leave a connection to users who search little', async (t) => {
  const searches = new Searches([open('searches'), open('searches')])
  for (const userId of [1, 2]) await searches.run(userId, never, (sql) => sql`select pg_sleep(0.3)`)
  const lock = await holdLock()
  const held = [1, 2].map((userId) => searches.run(userId, never, lock.waitFor))
  await pollUntil('one of them runs', async () => (await countWaiting()) === 1)
  t.equal(await searches.run(3, never, one), 1)
  t.equal(await searches.run(4, never, one), 1)
  t.equal(await countWaiting(), 1, 'the other waits for its turn')
  await lock.end()
  t.equal((await Promise.all(held)).length, 2)
})
