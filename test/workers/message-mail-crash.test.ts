/** A worker that is killed while it handles notifications and mails, and the sweep that finds what nobody announced. */

import { createTransport } from 'nodemailer'
import t from 'tap'
import { claimPending } from '../../db/notifications/pending-notifications.ts'
import { startLoggedProcess } from '../cluster/start-logged-process.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const mailServer = await startMailServer(t)
const mailEnv = {
  ...mailServer.env,
  MAIL_IN_ADDRESS: 'parley+%s@chat.example.com',
  MAIL_IN_PORT: '0',
}
const server = await startTestServer(t, { env: mailEnv, redis: true })
const { sql } = server.node.services
const [owner, member] = [server.as('owner'), server.as('member')]
await member.must('PATCH', '/settings', {
  enable_offline_email_notifications: true,
  email_notifications_batching_period_seconds: 0,
})
await owner.subscribe(['general'])
const channelId = server.node.services.state.findChannelByName('general')?.channel.id ?? 0
const { email: address } = await owner.must('GET', `/streams/${channelId}/email_address`)
const waiting = () => sql`select tries from pending_notifications where way = 'mail'`
const settled = () => openMailboxes(mailServer, server).settle()
const posted = (text: string) => sql`select from messages where content like ${`%${text}`}`
const isPosted = (text: string) => async () => (await posted(text)).length > 0

/** A mail for the channel; rejects without an answer that accepts it. */
async function deliver(port: unknown, text: string): Promise<unknown> {
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
  const from = `${text}@example.com`
  return transport.sendMail({
    from,
    to: address,
    subject: 'Mails',
    text,
    messageId: `<${text}@mail.example>`,
  })
}

/** Kills a worker while it makes one mail, posts another that it accepted, and stores a third. */
async function killWorker(): Promise<{ readonly unstored: Promise<unknown> }> {
  await sql`create function pause() returns trigger language plpgsql as $$
    begin
      perform set_config('application_name', 'paused ' || tg_table_name, false);
      perform pg_sleep(3600);
      return new;
    end $$`
  await sql`create trigger pause before insert on mails for each row
    when (new.kind = 'messages') execute function pause()`
  await sql`create trigger pause before insert on messages for each row
    when (new.content like '%accepted') execute function pause()`
  await sql`create trigger pause before insert on received_mails for each row
    when (new.envelope_from like 'unstored@%') execute function pause()`
  // Each was there once: a statement that takes too long on a busy machine is cancelled, and its work done again later.
  const paused = (table: string) =>
    pollUntil(`a row of ${table} waits`, async () => {
      const rows = await sql`select from pg_stat_activity where datname = current_database()
        and wait_event = 'PgSleep' and application_name = ${`paused ${table}`}`
      return rows.length > 0
    })
  await owner.sendDirect([member.userId], 'text')
  const worker = await startLoggedProcess(t, 'workers/main.ts', {
    DATABASE_URL: server.databaseUrl,
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: server.config.redisPrefix,
    PUBLIC_URL: server.node.url,
    ...mailEnv,
  })
  await paused('mails')
  const { mailInPort } = worker.ready
  await deliver(mailInPort, 'accepted')
  await paused('messages')
  const unstored = deliver(mailInPort, 'unstored').catch((error: unknown) => error)
  await paused('received_mails')
  await worker.kill()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`
  for (const table of ['mails', 'messages', 'received_mails']) await sql`drop trigger pause on ${sql(table)}`
  return { unstored }
}

const { unstored } = await killWorker()
/** Mails that arrived, before another worker runs. */
const arrived = await sql`select envelope_from, due_at is not null as "isWaiting" from received_mails`
const postedBefore = (await posted('accepted')).length

t.test('[MSGMAIL10] a worker that is killed between claim and mail loses and repeats nothing', async (t) => {
  t.match(await waiting(), [{ tries: Number }], 'it waits')
  t.equal((await sql`select from mails`).length, 0)
  await startMailWorkers(t, server) // They begin with a sweep.
  await pollUntil('it is mailed', () => mailServer.to(emailOf('member')).length > 0)
  await settled()
  t.equal(mailServer.to(emailOf('member')).length, 1)
  t.same(await waiting(), [])
})

t.test(
  '[MAILIN13] a worker that is killed before it posts a mail loses it only if nobody got an answer',
  async (t) => {
    t.ok((await unstored) instanceof Error, 'a mail that is not stored is not accepted')
    t.match(arrived, [{ envelope_from: 'accepted@example.com', isWaiting: true }])
    t.equal(postedBefore, 0)
    const { ports } = await startMailWorkers(t, server)
    await pollUntil('what was accepted is posted', isPosted('accepted'))
    // Mail servers repeat what got no answer, and what did if they missed it.
    for (const text of ['unstored', 'accepted', 'unstored']) await deliver(ports[1], text)
    await pollUntil('the other one is posted', isPosted('unstored'))
    await pollUntil('no mail waits', async () => {
      return (await sql`select from received_mails where due_at is not null`).length === 0
    })
    for (const text of ['accepted', 'unstored']) t.equal((await posted(text)).length, 1, text)
  },
)

t.test('[MSGMAIL11] an old claim cannot end a notification that another worker has', async (t) => {
  await sql`insert into pending_notifications (way, user_id, message_id, trigger, due_at)
    values ('push', 4, 1, 'mention', now())`
  const [first] = await claimPending(sql, 'push', 1)
  await sql`update pending_notifications set due_at = now()`
  const [second] = await claimPending(sql, 'push', 1)
  t.same([first?.tries, second?.tries], [1, 2])
})
