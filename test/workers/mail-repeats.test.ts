/** Mails of which nobody knows whether they arrived: they are repeated once, and a receiver can tell. */

import t from 'tap'
import { redisUrl } from '../harness/servers/environment.ts'
import { linkOf } from '../harness/mail/mailbox.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { emailOf, type Person, startTestServer } from '../harness/servers/start-server.ts'
import { openPage, submitForm } from '../harness/browser/visit-page.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

const mailServer = await startMailServer(t)
const { hooks } = mailServer
const server = await startTestServer(t, { env: mailServer.env, redis: true })
const proxy = await openDatabaseProxy(t, server.databaseUrl)
const { sql } = server.node.services
const PASSWORD = { password: 'correct horse battery' }
const UNCLEAR = 'a mail is given up: it may have arrived twice, or not at all'

const ask = (person: Person) =>
  submitForm(`${server.node.url}/accounts/password/reset/`, { email: emailOf(person) })
/** The time of the next try has come: a claim has expired, or a wait is over. */
const retry = () => sql`
  with due as (update mails set due_at = now() where due_at is not null returning 1)
  select pg_notify('parley_mail', '') from due`
const mailOf = async (person: Person) => {
  const [row] = await sql`select tries, handed, due_at is null as "isDone" from mails
    where recipient = ${emailOf(person)} and kind = 'password_reset' order by asked_at desc`
  return row
}
const statusesOf = (links: readonly string[]) =>
  Promise.all(links.map(async (link) => (await openPage(link)).status))

/** The mails with a link for a new password. */
const mailsTo = (person: Person) =>
  mailServer.to(emailOf(person)).filter(({ subject }) => subject?.startsWith('Reset your password for '))

/** Starts a worker, and kills it between the answer of the mail server and its own note of that. */
async function killBeforeNote(): Promise<void> {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  hooks.beforeAnswer = () => proxy.become('hanging') // The worker has noted that it hands the mail over.
  hooks.onLeave = resolve // The worker has read the answer.
  const worker = startWorkerProcess(t, {
    DATABASE_URL: proxy.url,
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: server.config.redisPrefix,
    PUBLIC_URL: server.node.url,
    ...mailServer.env,
  })
  await left
  await worker.kill()
  hooks.beforeAnswer = hooks.onLeave = undefined
  proxy.become('open')
}

await t.test(
  '[MAIL7] a mail whose worker is killed before it notes the answer is repeated once, under the same id',
  async (t) => {
    await ask('member')
    await killBeforeNote()
    t.match(await mailOf('member'), { tries: 1, handed: 1, isDone: false })
    await retry()
    await killBeforeNote()
    t.match(await mailOf('member'), { tries: 2, handed: 2, isDone: false })
    const mails = mailsTo('member')
    t.equal(mails.length, 2)
    const [id = '', repeatedId] = mails.map(({ messageId }) => messageId)
    t.match(id, /^<[0-9a-f-]{36}@example\.com>$/)
    t.equal(repeatedId, id, 'a receiver sees that it is the same mail')
    const links = mails.map(linkOf)
    t.equal(new Set(links).size, 2)
    t.same(await statusesOf(links), [200, 200], 'whichever mail a receiver shows, its link works')
    await retry()
    const { lines } = await startMailWorkers(t, server, 1)
    await pollUntil('it is given up', async () => (await mailOf('member'))?.['isDone'])
    t.ok(lines.some((line) => line.includes(UNCLEAR)))
    t.equal(mailsTo('member').length, 2, 'there is no third')
    const [first = '', second = ''] = links
    t.equal((await submitForm(first, PASSWORD)).status, 303)
    t.same(await statusesOf(links), [404, 404], 'using one link ends both')
    t.equal((await submitForm(second, PASSWORD)).status, 404)
  },
)

const { lines } = await startMailWorkers(t, server, 1)
const logged = (person: Person, text: string) =>
  lines.map((line) => JSON.parse(line)).filter(({ msg, to }) => msg === text && to === emailOf(person))
/** Resolves once a mail has failed and waits for its next try. */
const waits = (person: Person, tries: number) =>
  pollUntil('it waits', () => logged(person, 'a mail was not sent, and is tried again').length === tries)

await t.test('[MAIL8] a newer link ends those of a mail and of its repetition', async (t) => {
  const arrived = (count: number) => pollUntil('the mail is there', () => mailsTo('guest').length === count)
  hooks.beforeAnswer = () => mailServer.cut()
  await ask('guest')
  await arrived(1)
  await waits('guest', 1)
  hooks.beforeAnswer = undefined
  await retry()
  await arrived(2)
  await pollUntil('it is done', async () => (await mailOf('guest'))?.['isDone'])
  const links = mailsTo('guest').map(linkOf)
  t.same(await statusesOf(links), [200, 200])
  await ask('guest')
  await arrived(3)
  t.same(await statusesOf(links), [404, 404])
})

await t.test('[MAIL9] no answer counts as a possible arrival, a temporary refusal does not', async (t) => {
  hooks.beforeAnswer = () => {
    throw Object.assign(new Error('later'), { responseCode: 451 })
  }
  await ask('moderator')
  for (let tries = 1; tries <= 3; tries++) {
    await waits('moderator', tries)
    t.match(await mailOf('moderator'), { tries, handed: 0, isDone: false })
    if (tries < 3) await retry()
  }
  hooks.beforeAnswer = () => mailServer.cut()
  await retry()
  await waits('moderator', 4)
  t.match(await mailOf('moderator'), { tries: 4, handed: 1, isDone: false })
  await retry()
  await pollUntil('it is given up', async () => (await mailOf('moderator'))?.['isDone'])
  t.equal(mailsTo('moderator').length, 5)
  t.match(logged('moderator', UNCLEAR), [{ tries: 5 }])
  hooks.beforeAnswer = undefined
})

await t.test('[MAIL10] a used link is not sent again', async (t) => {
  hooks.beforeAnswer = () => mailServer.cut()
  await ask('administrator')
  const mail = await pollUntil('the mail is there', () => mailsTo('administrator')[0])
  await waits('administrator', 1)
  hooks.beforeAnswer = undefined
  t.equal((await submitForm(linkOf(mail), PASSWORD)).status, 303)
  await retry()
  await pollUntil('it is done', async () => (await mailOf('administrator'))?.['isDone'])
  t.equal(mailsTo('administrator').length, 1)
})
