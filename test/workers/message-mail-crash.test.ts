/** A worker that is killed while it handles notifications, and the sweep that finds what nobody announced. */

import t from 'tap'
import { claimPending } from '../../db/notifications/pending-notifications.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env, redis: true })
const proxy = await openDatabaseProxy(t, server.databaseUrl)
const { sql } = server.node.services
const [owner, member] = [server.as('owner'), server.as('member')]
await member.must('PATCH', '/settings', {
  enable_offline_email_notifications: true,
  email_notifications_batching_period_seconds: 0,
})
const waiting = () => sql`select tries from pending_notifications where way = 'mail'`
const settled = () => openMailboxes(mailServer, server).settle()

t.test('[MSGMAIL10] a worker that is killed between claim and mail loses and repeats nothing', async (t) => {
  await owner.sendDirect([member.userId], 'text')
  // Only what the worker claims first goes through: then its database hangs.
  await sql`create function pause_mails() returns trigger language plpgsql as $$
    begin perform pg_sleep(60); return null; end $$`
  await sql`create trigger pause before insert on mails for each statement execute function pause_mails()`
  const worker = startWorkerProcess(t, {
    DATABASE_URL: proxy.url,
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: server.config.redisPrefix,
    PUBLIC_URL: server.node.url,
    ...mailServer.env,
  })
  await pollUntil('it is about to make the mail', async () => {
    const rows =
      await sql`select from pg_stat_activity where query like '%mailed as%' and wait_event = 'PgSleep'`
    return rows.length > 0
  })
  await worker.kill()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`
  await sql`drop trigger pause on mails`
  t.match(await waiting(), [{ tries: 1 }], 'it is claimed, and waits')
  t.equal((await sql`select from mails`).length, 0)
  await sql`update pending_notifications set due_at = now()` // Its claim expires.
  await startMailWorkers(t, server) // They begin with a sweep.
  await pollUntil('it is mailed', () => mailServer.to(emailOf('member')).length > 0)
  await settled()
  t.equal(mailServer.to(emailOf('member')).length, 1)
  t.same(await waiting(), [])
})

t.test('[MSGMAIL11] an old claim cannot end a notification that another worker has', async (t) => {
  await sql`insert into pending_notifications (way, user_id, message_id, trigger, due_at)
    values ('push', 4, 1, 'mention', now())`
  const [first] = await claimPending(sql, 'push', 1)
  await sql`update pending_notifications set due_at = now()`
  const [second] = await claimPending(sql, 'push', 1)
  t.same([first?.tries, second?.tries], [1, 2])
})
