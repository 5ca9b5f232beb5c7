import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'

const DAY_MS = 24 * 3600 * 1000
const now = new Date('2026-06-15T12:00:00Z')
const before = (ms: number) => new Date(now.getTime() - ms)

async function openDatabase(t: TestContext) {
  const url = await createDatabase(t, 'people')
  const sql = connect(url, 2, 'parley-test')
  t.teardown(() => sql.end())
  await sql`update event_log set logged_at = ${now}`
  return sql
}

t.test('[JOB1] expired queues are deleted; others stay', async (t) => {
  const sql = await openDatabase(t)
  const idleSeconds: [seconds: number, timeout: number][] = [
    [600, 600],
    [719, 600],
    [721, 600],
    [721, 7 * 24 * 3600],
    [7 * 24 * 3600 + 121, 7 * 24 * 3600],
  ]
  for (const [seconds, timeout] of idleSeconds) {
    await sql`insert into event_queues (id, user_id, options, acknowledged_id, idle_timeout_seconds, seen_at)
      values (gen_random_uuid(), 1, '{}', 1, ${timeout}, ${before(seconds * 1000)})`
  }
  t.match(await cleanUp(sql, now), { queues: 2, events: 0, marks: 0 })
  const left = await sql<{ idle: number; timeout: number }[]>`
    select extract(epoch from ${now}::timestamptz - seen_at)::int as idle, idle_timeout_seconds as timeout
    from event_queues order by idle, timeout`
  t.strictSame(
    left.map(({ idle, timeout }) => [idle, timeout]),
    [
      [600, 600],
      [719, 600],
      [721, 7 * 24 * 3600],
    ],
  )
})

t.test(
  '[JOB2] days of the log that no queue needs are deleted, with the local ids of sends, but no messages',
  async (t) => {
    const sql = await openDatabase(t)
    const [last] = await sql<{ id: number }[]>`select last_id as id from event_counter`
    const lastId = last?.id ?? 0
    const conversation = await sql<{ id: number }[]>`
    insert into conversations (user_ids) values (array[1]) returning id`
    // More than one batch of old ones, then some that stay.
    const [oldCount, keptCount] = [12_000, 120]
    const [firstId, keptId] = [lastId + 1, lastId + oldCount + 1]
    await sql`insert into event_log (id, event, audience, logged_at)
    select n, '{}', '', case when n < ${keptId}::bigint then ${before(8 * DAY_MS + 1000)}::timestamptz
      else ${before(8 * DAY_MS - 1000)} end
    from generate_series(${firstId}::bigint, ${keptId + keptCount - 1}) n`
    await sql`update event_log set logged_at = ${before(9 * DAY_MS)} where id <= ${lastId}`
    for (const id of [firstId, keptId - 1, keptId, keptId + 1]) {
      await sql`insert into messages (id, conversation_id, topic, sender_id, content, rendered, sent_at, client)
      values (${id}, ${conversation[0]?.id ?? 0}, '', 1, 'x', 'x', 1, 'test')`
      await sql`insert into message_sends (sender_id, queue_id, local_id, message_id) values (1, 'q', ${String(id)}, ${id})`
    }
    t.strictSame(await cleanUp(sql, now), { queues: 0, events: lastId + oldCount, marks: 2, pictures: 0 })
    const ids = async (table: string, column: string) =>
      (await sql<{ id: number }[]>`select ${sql(column)} as id from ${sql(table)} order by 1`).map(
        ({ id }) => id,
      )
    t.strictSame(
      await ids('event_log', 'id'),
      Array.from({ length: keptCount }, (_, index) => keptId + index),
    )
    t.strictSame(await ids('message_sends', 'message_id'), [keptId, keptId + 1])
    t.strictSame(await ids('messages', 'id'), [firstId, keptId - 1, keptId, keptId + 1])
    t.equal((await ids('users', 'id')).length, 7)

    t.strictSame(
      await cleanUp(sql, now),
      { queues: 0, events: 0, marks: 0, pictures: 0 },
      'a second run finds nothing',
    )
  },
)

t.test('[LOGDAYS2] the newest hundred events stay at any age, and the log has no gap', async (t) => {
  const sql = await openDatabase(t)
  await sql`delete from event_log`
  const log = (from: number, until: number, at: Date) => sql`
    insert into event_log (id, event, audience, logged_at)
    select n, '{}', '', ${at} from generate_series(${from}::bigint, ${until}) n`
  const ids = async () =>
    (await sql<{ id: number }[]>`select id from event_log order by id`).map(({ id }) => id)
  const [old, fresh] = [before(9 * DAY_MS), before(DAY_MS)]
  await log(1_001, 1_250, old)
  await sql`insert into message_sends (sender_id, queue_id, local_id, message_id)
    values (1, 'q', 'old', 1_150), (1, 'q', 'new', 1_151)`
  t.match(await cleanUp(sql, now), { events: 150, marks: 1 }, 'also if nothing happens for long')
  t.same([(await ids()).length, (await ids())[0]], [100, 1_151])
  // The clock of the database went back for a while.
  await log(1_251, 1_260, fresh)
  await log(1_261, 1_270, old)
  await log(1_271, 1_500, fresh)
  t.match(await cleanUp(sql, now), { events: 100 })
  t.same([(await ids()).length, (await ids())[0]], [250, 1_251])
})

t.test(
  '[JOB64] log-ins of the desktop application that nobody redeemed are deleted when they expire',
  async (t) => {
    const sql = await openDatabase(t)
    const seconds = Math.floor(now.getTime() / 1_000)
    await sql`insert into desktop_logins (token_hash, user_id, proof_hash, expires_at)
    values ('over', 1, 'x', ${seconds}), ('valid', 1, 'x', ${seconds + 1})`
    await cleanUp(sql, now)
    t.match(await sql`select token_hash as hash from desktop_logins`, [{ hash: 'valid' }])
  },
)
