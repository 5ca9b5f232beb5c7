/** The effect of a lost connection to the database on its users and on later ones. */

import t from 'tap'
import { Conversations } from '../../server/actors/conversation.ts'
import { PushTests } from '../../server/actors/push-tests.ts'
import { systemClock } from '../../server/domain/clock.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { appendEvents } from '../../server/events/append-events.ts'
import { connect, connectLog, type Sql } from '../../db/connection/connect.ts'
import { beginBatch, WriteBatch } from '../../db/log/write-batch.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { pollUntil } from '../services/poll-until.ts'

const url = await createDatabase(t)

/** A pool of one connection, so that later work uses the lost one; and a connection that cuts it. */
function openPools(t: { teardown(task: () => unknown): void }): { sql: Sql; admin: Sql } {
  const sql = connect(url, 1, 'parley-cut')
  const admin = connect(url, 1, 'parley-test')
  t.teardown(async () => {
    await sql.end({ timeout: 1 })
    await admin.end()
  })
  return { sql, admin }
}

const watcher = connect(url, 1, 'parley-test')
t.teardown(() => watcher.end())

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

await t.test('[DB1] a connection lost within a transaction fails only that transaction', async (t) => {
  const { sql, admin } = openPools(t)
  const late = Promise.withResolvers<unknown>()
  const cut = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    const pid = row?.pid as number
    await admin`select pg_terminate_backend(${pid})`
    // The only connection is replaced for this, before the transaction knows that it has ended.
    await sql`select 1`
    late.resolve(tx`select 'late'`.catch((error: unknown) => error))
    await late.promise
  })
  await t.rejects(cut)
  t.type(await late.promise, Error, 'later statements are refused, not run outside of it')
  t.same([...(await sql`select 1 as one`)], [{ one: 1 }])
})

await t.test(
  '[DB11] a batch whose transaction has ended, as after a pause of the process, does not block later ones',
  async (t) => {
    const { sql, admin } = openPools(t)
    let ended: Promise<unknown> | undefined
    const stopped = beginBatch(sql, async (tx) => {
      const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      ended = admin`select pg_terminate_backend(${pid}) from pg_sleep(0.1)`.execute()
      await pollUntil('it is about to end', async () => {
        const [row] =
          await watcher`select from pg_stat_activity where query like '%pg_terminate_backend%pg_sleep%'
        and wait_event = 'PgSleep'`
        return row !== undefined
      })
      while (isRunning(pid)); // Nothing is read meanwhile, as in a paused process.
      const writes = new WriteBatch(tx)
      for (let count = 0; count < 3; count++) writes.add(tx`select ${'x'.repeat(1_000)}`)
      await writes.commitWithin(tx)
    })
    await t.rejects(stopped)
    await ended
    for (const one of [1, 2]) t.same([...(await sql`select ${one}::int as one`)], [{ one }], 'answered')
  },
)

await t.test(
  '[DB3] a transaction whose connection breaks during a statement ends without an unhandled error',
  async (t) => {
    const proxy = await openDatabaseProxy(t, url)
    const sql = connect(proxy.url, 1, 'parley-cut')
    t.teardown(() => sql.end({ timeout: 1 }))
    for (let round = 0; round < 5; round++) {
      const cut = sql.begin(async (tx) => {
        await tx`select 1`
        setTimeout(() => proxy.cut(), 10)
        await tx`select pg_sleep(1)`
      })
      await t.rejects(cut)
      t.same([...(await sql`select 1 as one`)], [{ one: 1 }])
    }
  },
)

await t.test('[DB2] a connection lost between small statements is replaced', async (t) => {
  const proxy = await openDatabaseProxy(t, url)
  const sql = connect(proxy.url, 1, 'parley-cut')
  t.teardown(() => sql.end({ timeout: 1 }))
  for (let round = 0; round < 20; round++) {
    await sql`select 1`
    let isLost = false
    let waiting = 0
    const outcomes: Promise<unknown>[] = []
    // A statement in every turn, so that one is about to be written when the loss is noticed.
    const spin = () => {
      if (isLost) return
      setImmediate(spin)
      if (waiting > 20) return
      waiting++
      const outcome = sql`select 1`.then(
        () => waiting--,
        () => {
          isLost = true
        },
      )
      outcomes.push(outcome)
    }
    spin()
    proxy.cut()
    await pollUntil('the loss is reported', () => isLost)
    await Promise.all(outcomes)
    t.same([...(await sql`select 1 as one`)], [{ one: 1 }], 'it serves the next')
  }
})

await t.test('[DB12] work that failed without a connection is tried again with the next one', async (t) => {
  const database = await createDatabase(t, 'people')
  const [sql, admin] = [connect(database, 2, 'parley-db12'), connect(database, 1, 'parley-test')]
  t.teardown(async () => {
    await sql.end({ timeout: 1 })
    await admin.end()
  })
  const userId = 4 as UserId
  const conversations = new Conversations(sql)
  await admin.begin(async (tx) => {
    await tx`lock table conversations in access exclusive mode`
    const opening = conversations.open([userId])
    opening.catch(() => undefined) // It is awaited below.
    await pollUntil('its connection is cut', async () => {
      // Not in the transaction, which would see the same activity each time.
      const cut = await watcher`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'parley-db12' and wait_event_type = 'Lock'`
      return cut.count === 1
    })
    await t.rejects(opening)
  })
  t.ok(await conversations.open([userId]))

  const tests = new PushTests({ sql, clock: systemClock, waitMsMax: 1, onError() {} })
  const target = { kind: 'tokens', tokens: [], organizationName: '', organizationUrl: '' } as const
  const listen = sql.listen.bind(sql)
  sql.listen = () => Promise.reject(new Error('the connection was lost')) as never
  await t.rejects(tests.send(userId, target), { message: 'the connection was lost' })
  sql.listen = listen
  t.equal(await tests.send(userId, target), 'unreachable', 'no worker sends it')
})

await t.test('[DB18] however long a batch takes to build, no transaction idles meanwhile', async (t) => {
  const database = await createDatabase(t, 'people')
  const sql = connectLog(database)
  t.teardown(() => sql.end({ timeout: 1 }))
  await sql`set idle_in_transaction_session_timeout = 100`
  // Its value is serialized when all is sent.
  const slow = () => {
    const sinceMs = performance.now()
    while (performance.now() - sinceMs < 500);
    return ''
  }
  const appended = await appendEvents(
    sql,
    [{ event: { type: 'heartbeat' }, audience: { kind: 'nobody' } }],
    {},
    {
      before: (writes) =>
        writes.add(writes.sql`select ${writes.sql.typed({ toString: slow } as never, 25)}::text`),
    },
  )
  t.equal(appended.kind, 'appended')
})
