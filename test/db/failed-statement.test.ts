/** The effect of a statement that ends behind its first rows on the next ones of its connection. */

import t, { type Test } from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { claimTokens } from '../../db/personal/push-tokens.ts'
import { findQueue, removeQueue, storeQueue } from '../../db/log/queues.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { pollUntil } from '../services/poll-until.ts'

const url = await createDatabase(t, 'people')
const admin = connect(url, 1, 'parley-test')
t.teardown(() => admin.end())

const USER = 1 as UserId
const QUEUE = {
  id: 'c4f1c9b0-0000-4000-8000-000000000001' as QueueId,
  userId: USER,
  options: { note: 'read again' },
  acknowledgedId: 0 as EventId,
  idleTimeoutSeconds: 600,
  seenAtMs: 0,
}

/** Some hundred kilobytes of rows, which arrive before the statement stalls. */
const readMuch = (sql: Sql) => sql`
  select n, repeat('x', 100) as text, case n when 3000 then pg_sleep(3600) end as stall
  from generate_series(1, 3000) n`

/** Ends that statement while it stalls; returns its failure. */
async function readUntil(sql: Sql, end: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<unknown> {
  const failure = readMuch(sql).then(
    () => undefined,
    (error: unknown) => (error as { code: string }).code,
  )
  await pollUntil('it stalls', async () => {
    const ended = await admin`
      select ${admin.unsafe(end)}(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parley-stalled' and wait_event = 'PgSleep'`
    return ended.count === 1
  })
  return failure
}

/** Each is the first to use a connection again; all rows must be its own. */
const USES: Readonly<Record<string, (t: Test, sql: Sql) => Promise<void>>> = {
  reads: async (t, sql) => void t.same([...(await sql`select 1 as one`)], [{ one: 1 }]),
  'reads arrays': async (t, sql) => void t.same([...(await sql`select 1`.values())], [[1]]),
  'writes and reads': async (t, sql) => {
    await storeQueue(sql, QUEUE, 10)
    t.same(await findQueue(sql, QUEUE.id), QUEUE)
  },
  'reads what was written': async (t, sql) => void t.same(await findQueue(sql, QUEUE.id), QUEUE),
  removes: async (t, sql) => void t.equal(await removeQueue(sql, QUEUE.id), true),
  claims: async (t, sql) => {
    await admin`delete from push_tokens`
    await admin`insert into push_tokens (user_id, kind, token) values (${USER}, 'fcm', 'a')`
    t.same(
      (await claimTokens(sql)).map((claimed) => claimed?.token),
      ['a'],
    )
  },
}

t.test('[DB14] a read that times out behind its first rows gives none to the next statement', async (t) => {
  const sql = connect(url, 1, 'parley-timed-out')
  t.teardown(() => sql.end())
  await sql`set statement_timeout = 1000`
  const ended = t.rejects(readMuch(sql), { code: '57014' })
  t.same([...(await sql`select 1 as one`)], [{ one: 1 }], 'waiting behind it')
  await ended
})

t.test(
  '[DB15] after a read that was ended behind its first rows, others read, write and claim',
  async (t) => {
    const sql = connect(url, 1, 'parley-stalled')
    t.teardown(() => sql.end())
    for (const [name, use] of Object.entries(USES)) {
      t.equal(await readUntil(sql, 'pg_cancel_backend'), '57014')
      await t.test(name, (t) => use(t, sql))
    }
  },
)

t.test(
  '[DB16] after a connection lost amid rows, others read, write and claim on the next one',
  async (t) => {
    const sql = connect(url, 1, 'parley-stalled')
    t.teardown(() => sql.end())
    for (const [name, use] of Object.entries(USES)) {
      t.equal(await readUntil(sql, 'pg_terminate_backend'), 'CONNECTION_CLOSED')
      await t.test(name, (t) => use(t, sql))
    }
  },
)

t.test(
  '[DB17] a cursor whose connection is lost between two pages does not go on upon the next one',
  async (t) => {
    const sql = connect(url, 1, 'parley-stalled')
    t.teardown(() => sql.end())
    const pages: number[] = []
    for await (const page of sql`select n from generate_series(1, 30) n`.cursor(10)) {
      pages.push(page.length)
      if (pages.length > 1) break
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley-stalled'`
      await pollUntil(
        'another connection serves',
        async () => (await sql`select 1 as one`.catch(() => [])).length > 0,
      )
    }
    t.same(pages, [10])
    for (const one of [1, 2]) t.same([...(await sql`select ${one}::int as one`)], [{ one }])
  },
)
