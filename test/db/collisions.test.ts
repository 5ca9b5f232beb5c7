/** Collisions: work that PostgreSQL rolled back for a deadlock is tried again, and rows are locked in one order. */

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readBotEntries, storeBotEntries } from '../../db/organization/bot-storage.ts'
import { connect, poolFigures, type Sql } from '../../db/connection/connect.ts'
import {
  removeLoginSessions,
  storeLoginSessions,
  storeSessionsSeen,
} from '../../db/accounts/login-sessions.ts'
import { removePushTokensOf } from '../../db/personal/push-tokens.ts'
import { removeQueuesOf, storeQueue, touchQueues } from '../../db/log/queues.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import { scrape } from '../harness/servers/scrape.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { writeAlone } from '../harness/worlds/write-alone.ts'
import { pollUntil } from '../services/poll-until.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const USER = 4 as UserId
const [sql, admin] = [
  connect(server.databaseUrl, 4, 'parley-one'),
  connect(server.databaseUrl, 2, 'parley-test'),
]
t.teardown(() => Promise.all([sql.end(), admin.end()]))

const queueId = (n: number) => `00000000-0000-4000-8000-00000000000${n}` as QueueId
const queueOf = (id: QueueId, seenAtMs = 0) => {
  return { id, userId: USER, options: {}, acknowledgedId: 0 as EventId, idleTimeoutSeconds: 600, seenAtMs }
}
const touch = (ids: readonly QueueId[]) =>
  touchQueues(
    sql,
    ids.map((id) => ({ id, acknowledgedId: 1 as EventId, seenAtMs: 1 })),
  )

/** Lets the next writes of a table collide; a sequence counts, since no rollback undoes that. */
async function letCollide(table: string, times: number, code = '40P01'): Promise<void> {
  await admin.unsafe(`
    drop sequence if exists collisions cascade;
    create sequence collisions;
    create or replace function collide() returns trigger language plpgsql as $$ begin
      if nextval('collisions') <= ${times} then raise exception 'collided' using errcode = '${code}'; end if;
      return new;
    end $$;
    create or replace trigger collide before insert on ${table} for each row execute function collide()`)
}

async function endCollisions(table: string): Promise<number> {
  const [row] = await admin<{ count: number }[]>`select last_value::int as count from collisions`
  await admin.unsafe(`drop trigger collide on ${table}`)
  return row?.count ?? 0
}

const repeatedIn = async () => {
  const metrics = await scrape(server.node.url)
  const of = (pool: string) => metrics.find('parley_database_collisions_total', { pool }) ?? Number.NaN
  return of('requests') + of('log') + of('unread')
}

await t.test(
  '[COLLIDE1] colliding work is tried again and counted, and its client sees none of it',
  async (t) => {
    await owner.subscribe(['town'])
    const requests: Readonly<Record<string, () => Promise<{ status: number }>>> = {
      event_queues: () => owner.post('/register', {}),
      messages: () => owner.post('/messages', { type: 'channel', to: 'town', topic: 'x', content: 'once' }),
      user_statuses: () => owner.post('/users/me/status', { status_text: randomUUID() }),
    }
    for (const [table, request] of Object.entries(requests))
      for (const code of ['40P01', '40001']) {
        const before = await repeatedIn()
        await letCollide(table, 2, code)
        t.equal((await request()).status, 200, `${table}: ${code}`)
        t.ok((await endCollisions(table)) >= 3, 'it was tried three times')
        t.equal((await repeatedIn()) - before, 2)
      }
    const [sent] = await admin`select count(*)::int from messages where content = 'once'`
    t.equal(sent?.['count'], 2, 'once for each request')
  },
)

await t.test('[COLLIDE2] work that collides again and again is refused like in an overload', async (t) => {
  const message = { type: 'channel', to: 'town', topic: 'x', content: 'never' }
  const overload = { status: 503, code: 'SERVICE_UNAVAILABLE' }
  for (const [table, request] of Object.entries({
    event_queues: () => owner.post('/register', {}),
    messages: () => owner.post('/messages', message),
    user_statuses: () => owner.post('/users/me/status', { status_text: 'there' }),
  })) {
    await letCollide(table, 1_000)
    expectRefusal(t, await request(), 'The server is overloaded, try again shortly', overload)
    t.equal(await endCollisions(table), 4, `${table}: tries`)
  }
})

await t.test(
  '[COLLIDE3] a transaction is tried again as a whole, and never a statement of it alone',
  async (t) => {
    await letCollide('bot_storage', 1)
    await storeBotEntries(sql, USER, new Map([['key', 'value']]))
    t.equal(await endCollisions('bot_storage'), 2)
    t.same(await readBotEntries(sql, USER, undefined), new Map([['key', 'value']]))

    await letCollide('bot_storage', 1)
    const insert = (one: Pick<Sql, 'unsafe'>) =>
      one.unsafe('insert into bot_storage (bot_id, key, value) values ($1, $2, $3)', [USER, randomUUID(), ''])
    await t.rejects(
      sql.begin(async (tx) => void (await insert(tx))),
      { code: '40P01' },
    )
    t.equal(await endCollisions('bot_storage'), 1)
  },
)

await t.test(
  '[COLLIDE4] of two that wait for each other, one is rolled back, and follows the other',
  async (t) => {
    const [first, second, third] = [1, 2, 3].map(queueId) as [QueueId, QueueId, QueueId]
    for (const id of [first, second, third]) await storeQueue(sql, queueOf(id), 10)
    const impatient = connect(server.databaseUrl, 1, 'parley-impatient')
    t.teardown(() => impatient.end())
    await impatient`set deadlock_timeout = '10ms'`
    const isWaiting = (name: string) =>
      pollUntil(`${name} waits for a lock`, async () => {
        const [row] = await sql`
        select from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock'`
        return row !== undefined
      })
    let touching: Promise<QueueId[]> | undefined
    let other: Promise<unknown> | undefined
    await admin.begin(async (tx) => {
      await tx`select from event_queues where id = ${second} for update`
      touching = touchQueues(
        impatient,
        [first, second, third].map((id) => ({ id, acknowledgedId: 1 as EventId, seenAtMs: 1 })),
      )
      await isWaiting('parley-impatient') // It has the first.
      const patient = connect(server.databaseUrl, 1, 'parley-patient')
      t.teardown(() => patient.end())
      other = patient.begin(async (theirs) => {
        await theirs`set local deadlock_timeout = '1h'`
        await theirs`select from event_queues where id = ${third} for update`
        await theirs`select from event_queues where id = ${first} for update`
      })
      await isWaiting('parley-patient')
    })
    t.same((await touching)?.toSorted(), [first, second, third])
    await other
    t.ok(poolFigures(impatient).repeated > 0, 'it was tried again')
    await admin`delete from event_queues`
  },
)

interface OrderedWork {
  readonly table: string
  /** The rows from the last one by key to the first, as a scan finds them, and the condition of the first. */
  readonly add: () => Promise<unknown>
  readonly first: string
  readonly work: () => Promise<unknown>
}

const addQueues = async () => {
  for (const n of [3, 2, 1]) await storeQueue(sql, queueOf(queueId(n)), 10)
}
const addSessions = () => sql`
  insert into login_sessions (id, user_id, token_hash, created_at, seen_at)
  select n::text, ${USER}, 'hash-' || n, 0, 0 from generate_series(3, 1, -1) n`

const WORK: readonly OrderedWork[] = [
  {
    table: 'event_queues',
    add: addQueues,
    first: `id = '${queueId(1)}'`,
    work: () => touch([3, 2, 1].map(queueId)),
  },
  {
    table: 'event_queues',
    add: addQueues,
    first: `id = '${queueId(1)}'`,
    work: () => writeAlone(sql, (writes) => removeQueuesOf(writes, USER)),
  },
  {
    table: 'login_sessions',
    add: addSessions,
    first: `id = '1'`,
    work: () => writeAlone(sql, (writes) => removeLoginSessions(writes, USER)),
  },
  {
    table: 'login_sessions',
    add: addSessions,
    first: `id = '1'`,
    work: () => writeAlone(sql, (writes) => storeLoginSessions(writes, USER, [])),
  },
  {
    table: 'login_sessions',
    add: addSessions,
    first: `id = '1'`,
    work: () => storeSessionsSeen(sql, ['3', '2', '1'], 9),
  },
  {
    table: 'push_tokens',
    add: () => sql`insert into push_tokens (user_id, kind, token) values
      (${USER}, 'fcm', 'c'), (${USER}, 'fcm', 'b'), (${USER}, 'fcm', 'a')`,
    first: `token = 'a'`,
    work: () => removePushTokensOf(sql, USER),
  },
]

await t.test('[COLLIDE5] statements that lock several rows begin with the first by key', async (t) => {
  for (const [index, { table, add, first, work }] of WORK.entries()) {
    await admin.unsafe(`delete from ${table}`)
    await add()
    let working: Promise<unknown> | undefined
    await admin.begin(async (tx) => {
      await tx.unsafe(`select from ${table} where ${first} for update`)
      working = work()
      await pollUntil('it waits for the first', async () => {
        const [row] = await admin`
          select from pg_stat_activity where application_name = 'parley-one' and wait_event_type = 'Lock'`
        return row !== undefined
      })
      const free = await admin.unsafe(`select from ${table} for update skip locked`)
      t.equal(free.count, 2, `${table} ${index}: the others are not locked yet`)
    })
    await working
    await admin.unsafe(`delete from ${table}`)
  }
})

await t.test('[COLLIDE6] a registration leaves queues that are locked to the next one', async (t) => {
  const hasty = connect(server.databaseUrl, 1, 'parley-hasty')
  t.teardown(() => hasty.end())
  await hasty`set lock_timeout = '1s'`
  const store = (n: number) => storeQueue(hasty, queueOf(queueId(n), n), 2)
  for (const n of [1, 2]) await store(n)
  await admin.begin(async (tx) => {
    await tx`select from event_queues where id = ${queueId(1)} for update`
    await store(3)
  })
  const ids = async () =>
    (await admin<{ id: QueueId }[]>`select id from event_queues order by id`).map(({ id }) => id)
  t.same(await ids(), [1, 2, 3].map(queueId), 'it waits for nothing')
  await store(4)
  t.same(await ids(), [3, 4].map(queueId))
})
