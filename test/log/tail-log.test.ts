/** Following writers that broadcast nothing. */

import t from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { addApiKey } from '../harness/worlds/account-changes.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { beginEpoch } from '../../server/log/begin-epoch.ts'
import { tailLog, LOG_NOTICE } from '../../server/log/tail-log.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock, env: { LOG_LEVEL: 'silent' } })
const { state } = server.node.services
const writer = await openLocalWriter(server.databaseUrl)
t.teardown(() => writer.close())
const change = () => writer.committer.submit(addApiKey(1 as UserId, 'k'.repeat(32)))
const heard = () => pollUntil('the node has received it', () => state.appliedId === writer.state.appliedId)

await t.test('[KEEP1] a database notification brings a node up to date at once', async (t) => {
  await change()
  t.not(state.appliedId, writer.state.appliedId)
  await writer.sql.notify(LOG_NOTICE, '')
  await heard()
  t.equal(state.appliedId, writer.state.appliedId)
})

await t.test('[KEEP2] without a notification, polling twice a second does', async (t) => {
  await change()
  t.not(state.appliedId, writer.state.appliedId)
  clock.advance(1_000)
  await heard()
  t.equal(state.appliedId, writer.state.appliedId)
})

await t.test(
  '[KEEP3] after a lost connection notifications resume, and missed entries are read',
  async (t) => {
    const admin = connect(server.databaseUrl, 1, 'parley-test')
    t.teardown(() => admin.end())
    await change()
    const cut = await admin`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'parley-web' and query ilike 'listen%'`
    t.equal(cut.length, 1)
    await heard()
    await change()
    await writer.sql.notify(LOG_NOTICE, '')
    await heard()
    t.equal(state.appliedId, writer.state.appliedId)
  },
)

/** A process that follows a database with its own clock; `reasons` has why it lost the log. */
async function startKeeping(t: Parameters<typeof createDatabase>[0]) {
  const databaseUrl = await createDatabase(t, 'people')
  const own = await openLocalWriter(databaseUrl)
  const admin = connect(databaseUrl, 1, 'parley-test')
  const clock = new ManualClock()
  const reasons: string[] = []
  const logTail = await tailLog({
    ...(await beginEpoch(own.sql, () => {})),
    sql: own.sql,
    openLookSql: () => connect(databaseUrl, 1, 'parley-look'),
    feed: own.feed,
    clock,
    onError() {},
    onLost: (reason) => reasons.push(reason),
  })
  t.teardown(async () => {
    await logTail.stop()
    await own.close()
    await admin.end()
  })
  return { own, admin, clock, reasons }
}

/** Whether its connection for checks waits for the next one. */
async function hasLooked(admin: Sql): Promise<boolean> {
  const looks = await admin`select from pg_stat_activity where datname = current_database()
    and application_name = 'parley-look' and state = 'idle' and query <> ''`
  return looks.count === 1
}

await t.test(
  '[KEEP4] after a lost connection, entries that differ from the applied ones are detected',
  async (t) => {
    const { own, admin, clock, reasons } = await startKeeping(t)
    const looked = () => {
      clock.advance(500)
      return hasLooked(admin)
    }
    await pollUntil('it has read the log', looked)
    await own.committer.submit(addApiKey(1 as UserId, 'k'.repeat(32)))
    const cut = () => admin`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database()
      and application_name = 'parley-look'`
    await cut()
    await pollUntil('it has read the log again', looked)
    t.same(reasons, [], 'equal entries are no loss')
    // Another entry is stored than the one that is applied: no look sees it before it changes.
    await admin.unsafe(`
      create function store_another() returns trigger language plpgsql as
        $$ begin new.event = '{"type":"another"}'; return new; end $$;
      create trigger store_another before insert on event_log for each row execute function store_another()`)
    let count = 0
    await pollUntil('detected', async () => {
      // If a look still begins on the old connection, the next entry counts.
      await cut()
      await own.committer.submit(addApiKey(2 as UserId, `${count++}`.padStart(32, 'l')))
      clock.advance(500)
      return reasons.length > 0
    })
    t.same(reasons, ['its last events are others than those that were applied here'])
  },
)

await t.test('[KEEP5] an entry with another time than the one applied here is detected', async (t) => {
  const { own, admin, clock, reasons } = await startKeeping(t)
  await own.committer.submit(addApiKey(1 as UserId, 'k'.repeat(32)))
  const id = own.feed.appliedId
  await pollUntil('detected', async () => {
    await admin`update event_log set logged_at = logged_at + interval '1 second' where id = ${id}`
    clock.advance(500)
    return reasons.length > 0
  })
  t.same(reasons, [`its event ${id} is another than the one that was seen here`])
})

await t.test(
  '[KEEP6] after a failed check, entries that differ from the applied ones are detected',
  async (t) => {
    const { own, admin, clock, reasons } = await startKeeping(t)
    await pollUntil('it has read the log', () => hasLooked(admin))
    await own.committer.submit(addApiKey(1 as UserId, 'k'.repeat(32)))
    await admin.begin(async (tx) => {
      await tx`lock table event_counter in access exclusive mode`
      clock.advance(500)
      await pollUntil('a check is cut off', async () => {
        // Not in the transaction, which would see the same activity each time.
        const cut = await own.sql`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
          and application_name = 'parley-look' and wait_event_type = 'Lock'`
        return cut.count === 1
      })
      await tx`update event_log set event = '{"type":"another"}' where id = ${own.feed.appliedId}`
    })
    await pollUntil('detected', () => {
      clock.advance(500)
      return reasons.length > 0
    })
    t.same(reasons, ['its last events are others than those that were applied here'])
  },
)
