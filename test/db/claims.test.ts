/** Work shared by several processes: each row has one owner, and locked rows block nobody. */

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { removeOldAudited } from '../../db/log/audit-log.ts'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { removeEndedMutings } from '../../db/backup/ended-spans.ts'
import { removeOldHalfLogins } from '../../db/accounts/half-logins.ts'
import { lookAfterWorkers } from '../../db/living-workers.ts'
import { claimMails, removeOldMails } from '../../db/mail/mails.ts'
import { claimReceived } from '../../db/mail/received-mails.ts'
import { claimCall } from '../../db/messages/call-messages.ts'
import { claimWaiting } from '../../db/messages/link-previews.ts'
import { claimPending } from '../../db/notifications/pending-notifications.ts'
import { claimMore, claimPushes, type ClaimedPush, postponePushes } from '../../db/notifications/pushes.ts'
import { removeOldChallenges } from '../../db/accounts/passkeys.ts'
import { removeOrphanPictures } from '../../db/files/pictures.ts'
import { claimRegistrations, postponeRegistration } from '../../db/personal/push-devices.ts'
import { claimPushTest, findUnclaimedPushTests, storePushTest } from '../../db/personal/push-tests.ts'
import { claimTokens, postponeToken, settleToken } from '../../db/personal/push-tokens.ts'
import { findQueue, removeExpiredQueues, storeQueue, touchQueues } from '../../db/log/queues.ts'
import { storeTicket } from '../../db/accounts/tickets.ts'
import { expireTusUploads } from '../../db/files/tus-uploads.ts'
import { findRemovedFiles, giveUpOldArrivals } from '../../db/files/uploads.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { pollUntil } from '../services/poll-until.ts'

const url = await createDatabase(t, 'people')
const sql = connect(url, 2, 'parley-test')
const other = connect(url, 1, 'parley-test')
t.teardown(() => Promise.all([sql.end(), other.end()]))

/** A statement that waits for another's lock fails. */
await other`set lock_timeout = '1s'`

const OWNER = 1 as UserId
const LONG_AGO = new Date(Date.now() - 86_400_000)
const queueOf = (acknowledgedId: number) => ({
  id: randomUUID() as string as QueueId,
  userId: OWNER,
  options: {},
  acknowledgedId: acknowledgedId as EventId,
  idleTimeoutSeconds: 1,
  seenAtMs: LONG_AGO.getTime(),
})

const ticketUntil = (expiresAtMs: number) => ({
  hash: randomUUID(),
  use: 'stream',
  expiresAtMs,
  holder: { userId: OWNER, keyHash: 'a' },
})

interface SharedWork {
  readonly table: string
  /** Creates two due rows. */
  readonly add: (sql: Sql) => Promise<unknown>
  /** Returns how many it claimed; some are asked for a number. */
  readonly claim: (sql: Sql, countMax?: number) => Promise<number>
  readonly isBounded?: true
}

const WORK: readonly SharedWork[] = [
  {
    table: 'client_devices',
    add: (sql) => sql`insert into client_devices (id, user_id, due_at) values (1, 1, now()), (2, 1, now())`,
    claim: async (sql) => (await claimRegistrations(sql)).length,
  },
  {
    table: 'push_tokens',
    add: (sql) => sql`insert into push_tokens (user_id, kind, token) values (1, 'fcm', 'a'), (1, 'fcm', 'b')`,
    claim: async (sql) => (await claimTokens(sql)).length,
  },
  {
    table: 'event_queues',
    add: (sql) => Promise.all([1, 2].map((id) => storeQueue(sql, queueOf(id), 10))),
    claim: (sql) => removeExpiredQueues(sql, new Date(), 0),
  },
  {
    table: 'tickets',
    add: (sql) => Promise.all([1, 2].map(() => storeTicket(sql, ticketUntil(1), 0))),
    claim: async (sql) => {
      const [before] = await sql`select count(*)::int from tickets`
      await storeTicket(sql, ticketUntil(Date.now() + 60_000), Date.now())
      const [after] = await sql`select count(*)::int from tickets`
      return before?.['count'] + 1 - after?.['count']
    },
  },
  {
    table: 'tus_uploads',
    add: (sql) => sql`insert into tus_uploads (key, owner_id, metadata, created_at)
      values ('aa/a', 1, '', ${LONG_AGO}), ('aa/b', 1, '', ${LONG_AGO})`,
    claim: (sql, countMax = 10) => expireTusUploads(sql, new Date(), countMax),
    isBounded: true,
  },
  {
    table: 'uploads',
    add: (sql) => sql`insert into uploads (owner_id, path, name, created_at)
      values (1, '2/bb/a/n', 'n', ${LONG_AGO}), (1, '2/bb/b/n', 'n', ${LONG_AGO})`,
    claim: (sql, countMax = 10) => giveUpOldArrivals(sql, new Date(), countMax),
    isBounded: true,
  },
  {
    table: 'half_logins',
    add: (sql) => sql`insert into half_logins (token_hash, user_id, password_hash, expires_at)
      values ('a', 1, '', 0), ('b', 1, '', 0)`,
    claim: (sql, countMax = 10) => removeOldHalfLogins(sql, 1, countMax),
    isBounded: true,
  },
  {
    table: 'passkey_challenges',
    add: (sql) => sql`insert into passkey_challenges (browser_hash, challenge, expires_at)
      values ('a', '', 0), ('b', '', 0)`,
    claim: (sql, countMax = 10) => removeOldChallenges(sql, 1, countMax),
    isBounded: true,
  },
  {
    table: 'mails',
    add: (sql) => sql`insert into mails (kind, recipient, asked_at, due_at)
      values ('join', 'a', ${LONG_AGO}, null), ('join', 'b', ${LONG_AGO}, null)`,
    claim: (sql, countMax = 10) => removeOldMails(sql, countMax),
    isBounded: true,
  },
  {
    table: 'audit_log',
    add: (sql) => sql`insert into audit_log (id, logged_at, actor_id, kind, part)
      values (1, ${LONG_AGO}, 1, '', '{}'), (2, ${LONG_AGO}, 1, '', '{}')`,
    claim: (sql, countMax = 10) => removeOldAudited(sql, new Date(), countMax),
    isBounded: true,
  },
  {
    table: 'pictures',
    add: (sql) => sql`insert into pictures (id, variant, content_type, sha256, bytes, stored_at)
      values ('a', '', '', '', '', ${LONG_AGO}), ('b', '', '', '', '', ${LONG_AGO})`,
    claim: (sql, countMax = 10) => removeOrphanPictures(sql, new Date(), countMax),
    isBounded: true,
  },
  {
    table: 'mutings',
    add: (sql) => sql`insert into mutings (user_id, muted_id, muted_at, from_id, until_id)
      values (4, 5, 0, -9, -8), (4, 6, 0, -9, -8)`,
    claim: (sql) => removeEndedMutings(sql, 10),
  },
]

await t.test('[CLAIM1] a row locked by another process is skipped, and the others are claimed', async (t) => {
  for (const { table, add, claim } of WORK) {
    await add(sql)
    await sql.begin(async (tx) => {
      await tx`select from ${tx(table)} limit 1 for update`
      t.equal(await claim(other).catch(String), 1, table)
    })
    t.equal(await claim(other), 1, `${table}: free again`)
    t.equal(await claim(other), 0, `${table}: taken`)
  }
})

await t.test('[CLAIM2] a push test is claimed once, and not after its end', async (t) => {
  const target = { kind: 'devices', deviceIds: [], organizationName: '', organizationUrl: '' } as const
  const id = (await storePushTest(sql, OWNER, target, { msMax: 60_000 })) as string
  t.same(await findUnclaimedPushTests(sql), [id])
  const claims = await Promise.all([claimPushTest(sql, id), claimPushTest(other, id)])
  t.same(
    claims.filter((claim) => claim !== undefined),
    [{ userId: OWNER, target }],
  )
  t.same(await findUnclaimedPushTests(sql), [])
  const over = (await storePushTest(sql, OWNER, target, { msMax: -1 })) as string
  t.equal(await claimPushTest(sql, over), undefined)
  t.same(await findUnclaimedPushTests(sql), [])
})

await t.test('[CLAIM3] a late note of use moves neither a queue nor its last use back', async (t) => {
  const queue = queueOf(5)
  await storeQueue(sql, queue, 10)
  const noted = { id: queue.id, acknowledgedId: 9 as EventId, seenAtMs: Date.now() }
  await touchQueues(sql, [noted])
  await touchQueues(sql, [{ id: queue.id, acknowledgedId: 7 as EventId, seenAtMs: queue.seenAtMs }])
  t.match(await findQueue(sql, queue.id), { acknowledgedId: 9, seenAtMs: noted.seenAtMs })
})

await t.test('[CLAIM4] a row that changed since it was claimed is left alone', async (t) => {
  const key = Buffer.from('sealed')
  await sql`insert into client_devices (id, user_id, due_at, registration) values (9, 1, now(), ${key})`
  const [registration] = await claimRegistrations(sql)
  await sql`update client_devices set due_at = null, registration = null where id = 9`
  await postponeRegistration(sql, registration as NonNullable<typeof registration>)
  t.match(await sql`select due_at from client_devices where id = 9`, [{ due_at: null }])
  await sql`insert into push_tokens (user_id, kind, token) values (1, 'fcm', 'again')`
  const [early] = await claimTokens(sql)
  await sql`update push_tokens set due_at = now() where token = 'again'`
  const [late] = await claimTokens(sql)
  const dueAt = async () => (await sql`select due_at from push_tokens where token = 'again'`)[0]?.['due_at']
  const due = await dueAt()
  for (const settle of [settleToken, postponeToken]) {
    await settle(sql, early as NonNullable<typeof early>)
    t.same(await dueAt(), due, 'the last of two tries sets the result')
  }
  await settleToken(sql, late as NonNullable<typeof late>)
  t.equal(await dueAt(), null)
})

/** One due row in each table of work, and its claim by the session that asks. */
const CLAIMED = [
  { table: 'pending_notifications', claim: (sql: Sql) => claimPending(sql, 'push', 1) },
  { table: 'pushes', claim: claimPushes },
  { table: 'mails', claim: claimMails },
  { table: 'received_mails', claim: claimReceived },
  { table: 'waiting_previews', claim: claimWaiting },
  { table: 'client_devices', claim: claimRegistrations },
  { table: 'push_tokens', claim: claimTokens },
] as const

await t.test('[CLAIM6] claims end with the last session of their worker, and no others do', async (t) => {
  for (const { table } of CLAIMED) await sql`delete from ${sql(table)}`
  await sql`insert into pending_notifications (way, user_id, message_id, trigger, due_at)
    values ('push', 1, 1, 'mention', now()), ('push', 2, 1, 'mention', now() + interval '1 hour')`
  await sql`insert into pushes (user_id, message_id, asked_at) values (1, 1, now())`
  await sql`insert into mails (kind, recipient) values ('test', 'a')`
  await sql`insert into received_mails (mark, recipient, envelope_from, raw, size) values ('a', 'a', '', '', 0)`
  // No message is needed here.
  await sql`alter table waiting_previews drop constraint waiting_previews_message_id_fkey`
  await sql`insert into waiting_previews (message_id, own_length, urls) values (1, 0, '{}')`
  await sql`insert into client_devices (id, user_id, due_at) values (1, 1, now())`
  await sql`insert into push_tokens (user_id, kind, token) values (1, 'fcm', 'a')`
  const claimed = () =>
    Promise.all(
      CLAIMED.map(
        async ({ table }) =>
          (await sql`select from ${sql(table)} where due_at > now() and claimed_by is not null`).length,
      ),
    )
  const all = CLAIMED.map(() => 1)
  const claimWith = async (worker: Sql) => {
    for (const { claim } of CLAIMED) await claim(worker)
  }
  const [one, both, looker] = [11, 12, 13].map((workerId) =>
    connect(url, 1, 'parley-test', { workerId }),
  ) as [Sql, Sql, Sql]
  const second = connect(url, 1, 'parley-test', { workerId: 12 })
  t.teardown(() => Promise.all([one, both, second, looker].map((session) => session.end())))
  /** Only claims of workers end that were seen before. */
  const look = () => lookAfterWorkers(looker, 13)
  const isGone = (id: number) => async () => {
    await look()
    return (await sql`select from workers where id = ${id}`).length === 0
  }
  await lookAfterWorkers(one, 11)
  await lookAfterWorkers(both, 12)
  await second`select`
  await claimWith(one)
  await look()
  t.same(await claimed(), all, 'the worker lives')
  await one.end()
  await pollUntil('it is seen to be gone', isGone(11))
  t.same(
    await claimed(),
    CLAIMED.map(() => 0),
    'all of its work is due',
  )
  t.equal((await sql`select from pending_notifications where due_at > now()`).length, 1, 'others wait on')

  await claimWith(both)
  await both.end()
  await look()
  t.same(await claimed(), all, 'another session of the worker lives')
  await postponePush(sql)
  await second.end()
  await pollUntil('it is seen to be gone', isGone(12))
  t.equal(
    (await sql`select from pushes where due_at > now()`).length,
    1,
    'what waits for another try waits on',
  )

  await sql`update mails set tries = 3, due_at = now()`
  const last = connect(url, 1, 'parley-test', { workerId: 14 })
  t.teardown(() => last.end())
  await lookAfterWorkers(last, 14)
  await claimMails(last)
  await last.end()
  await pollUntil('it is seen to be gone', isGone(14))
  t.equal(
    (await sql`select from mails where due_at > now()`).length,
    1,
    'work that may end its workers lasts for its time',
  )
})

/** Makes the push wait, as after a failure. */
async function postponePush(sql: Sql): Promise<void> {
  const [row] = await sql<{ id: number; tries: number }[]>`select id, tries from pushes`
  await postponePushes(sql, [row as ClaimedPush], 600)
}

/** Claims with a bound, and as many due rows for each as asked for. */
const BOUNDED: readonly {
  readonly table: string
  readonly countMax: number
  readonly add: (count: number) => Promise<unknown>
  readonly claim: (sql: Sql) => Promise<unknown>
}[] = [
  {
    table: 'pending_notifications',
    countMax: 1,
    add: (count) => sql`insert into pending_notifications (way, user_id, message_id, trigger, due_at)
      select 'webhook', 1, n, 'mention', now() from generate_series(1, ${count}::int) n`,
    claim: (sql) => claimPending(sql, 'webhook', 1),
  },
  {
    table: 'pushes',
    countMax: 64,
    add: (count) => sql`insert into pushes (user_id, message_id, asked_at)
      select 1, n, now() from generate_series(1, ${count}::int) n`,
    claim: claimPushes,
  },
  {
    table: 'pushes',
    countMax: 1,
    add: (count) => sql`insert into pushes (user_id, message_id, asked_at, shown_at)
      select 1, n, now(), now() from generate_series(1, ${count}::int) n`,
    claim: (sql) => claimMore(sql, { userId: OWNER, subscriptionId: null } as ClaimedPush, 1),
  },
  {
    table: 'mails',
    countMax: 5,
    add: (count) => sql`insert into mails (kind, recipient)
      select 'test', n::text from generate_series(1, ${count}::int) n`,
    claim: claimMails,
  },
  {
    table: 'received_mails',
    countMax: 1,
    add: (count) => sql`insert into received_mails (mark, recipient, envelope_from, raw, size)
      select n::text, 'a', '', '', 0 from generate_series(1, ${count}::int) n`,
    claim: claimReceived,
  },
  {
    table: 'waiting_previews',
    countMax: 1,
    add: (count) => sql`insert into waiting_previews (message_id, own_length, urls)
      select n, 0, '{}' from generate_series(1, ${count}::int) n`,
    claim: claimWaiting,
  },
  {
    table: 'call_messages',
    countMax: 1,
    add: (count) => sql`insert into call_messages (message_id, provider, room, own_length, watched_until)
      select n, '', '', 0, now() from generate_series(1, ${count}::int) n`,
    claim: claimCall,
  },
  {
    table: 'client_devices',
    countMax: 20,
    add: (count) => sql`insert into client_devices (id, user_id, due_at)
      select n, 1, now() from generate_series(1, ${count}::int) n`,
    claim: claimRegistrations,
  },
  {
    table: 'push_tokens',
    countMax: 20,
    add: (count) => sql`insert into push_tokens (user_id, kind, token)
      select 1, 'fcm', n::text from generate_series(1, ${count}::int) n`,
    claim: claimTokens,
  },
]

await t.test('[CLAIM7] a claim takes no more than its number, also of a table that was empty', async (t) => {
  // No messages are needed here.
  await sql`alter table waiting_previews drop constraint if exists waiting_previews_message_id_fkey`
  await sql`alter table call_messages drop constraint call_messages_message_id_fkey`
  /** PostgreSQL then plans as for one row at most. */
  const empty = async (table: string) => {
    await sql`delete from ${sql(table)}`
    await sql`analyze ${sql(table)}`
  }
  for (const { table, countMax, add, claim } of BOUNDED) {
    await empty(table)
    await add(countMax + 2)
    await claim(other)
    t.equal((await sql`select from ${sql(table)} where due_at > now()`).length, countMax, table)
  }
  for (const { table, add, claim, isBounded } of WORK) {
    if (!isBounded) continue
    await empty(table)
    await add(sql)
    await claim(other, 1)
    t.equal((await sql`select from ${sql(table)}`).length, 1, table)
    await sql`delete from ${sql(table)}`
  }
})

t.test('[CLAIM8] a select that locks a limited number of rows is a materialized `with`', (t) => {
  const folder = join(import.meta.dirname, '../../db')
  let count = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const text = readFileSync(join(folder, name), 'utf8')
    for (const { index } of text.matchAll(/\bfor update\b/g)) {
      const found = findSelect(text, index)
      if (!found || !/\b(limit|offset) /.test(found.own)) continue
      count++
      t.ok(found.isWith, `${name}: ${found.own}`)
    }
  }
  t.ok(count > 30, `${count} were found`)
  t.end()
})

/** The select in parentheses that is open at a place of a statement, without those in it; undefined at the statement's top. */
function findSelect(
  text: string,
  end: number,
): { readonly own: string; readonly isWith: boolean } | undefined {
  let closed = 0
  let own = ''
  for (let index = end - 1; index >= 0 && text[index] !== '`'; index--) {
    if (text[index] === ')') closed++
    else if (text[index] === '(' && closed === 0)
      return { own, isWith: text.slice(0, index).endsWith(' as materialized ') }
    else if (text[index] === '(') closed--
    else if (closed === 0) own = `${text[index]}${own}`
  }
  return undefined
}

await t.test(
  '[CLAIM5] a file stays if its process died before noting that the upload is complete',
  async (t) => {
    await sql`insert into tus_uploads (key, owner_id, metadata, created_at)
    values ('cc/whole', 1, '', ${LONG_AGO}), ('cc/half', 1, '', ${LONG_AGO})`
    await sql`insert into uploads (owner_id, path, name, state) values (1, '2/cc/whole/n', 'n', 'whole')`
    t.equal(await expireTusUploads(sql, new Date(), 10), 2)
    t.same(
      (await findRemovedFiles(sql, 10)).filter((one) => one.startsWith('cc/')),
      ['cc/half'],
    )
  },
)
