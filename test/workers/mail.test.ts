/** Sending mails: failures of the mail server, files, and texts of strangers. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import t from 'tap'
import { ConfigError, readConfig } from '../../server/config.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { emailOf, type Person, startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const ask = async (server: TestServer, person: Person) => {
  const body = new URLSearchParams({ email: emailOf(person) })
  const answer = await fetch(`${server.node.url}/accounts/password/reset/`, { method: 'POST', body })
  t.equal(answer.status, 200)
}
/** The time of the next try has come. */
const retry = ({ node: { services } }: TestServer) => services.sql`
  with due as (update mails set due_at = now() where due_at is not null returning 1)
  select pg_notify('parley_mail', '') from due`

await t.test('through a mail server', async (t) => {
  const mailServer = await startMailServer(t)
  const server = await startTestServer(t, { env: mailServer.env })
  const { lines } = await startMailWorkers(t, server)
  const { sql } = server.node.services
  const logged = (text: string) => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === text)

  await t.test('[MAIL1] while the mail server is away a mail waits, and then arrives once', async (t) => {
    await mailServer.stop()
    await ask(server, 'member')
    await pollUntil('it was tried', () => logged('a mail was not sent, and is tried again').length === 1)
    const waiting = async () => {
      const [row] = await sql`select tries, extract(epoch from due_at - now())::int as wait from mails`
      return row as unknown as { tries: number; wait: number }
    }
    t.ok((await waiting()).wait > 5)
    await retry(server)
    await pollUntil(
      'it was tried again',
      () => logged('a mail was not sent, and is tried again').length === 2,
    )
    t.ok((await waiting()).wait > 20, 'the waits grow')
    await mailServer.start()
    await retry(server)
    await pollUntil('it is there', () => mailServer.to(emailOf('member')).length > 0)
    await pollUntil(
      'it is done',
      async () => (await sql`select from mails where due_at is null`).length === 1,
    )
    await retry(server)
    await ask(server, 'owner')
    await pollUntil('a later one is there', () => mailServer.to(emailOf('owner')).length > 0)
    t.equal(mailServer.to(emailOf('member')).length, 1)
    t.same(logged('a mail is given up'), [])
  })

  await t.test('[MAIL2] a refused mail is given up with a line; a temporary refusal is not', async (t) => {
    mailServer.refusals.set(emailOf('guest'), 550).set(emailOf('moderator'), 451)
    await ask(server, 'guest')
    await ask(server, 'moderator')
    await pollUntil('one is given up', () => logged('a mail is given up').length > 0)
    t.match(logged('a mail is given up'), [{ kind: 'password_reset', to: emailOf('guest'), status: 550 }])
    await pollUntil('one is postponed', () => logged('a mail was not sent, and is tried again').length === 3)
    await sql`update mails set asked_at = now() - interval '1 hour' where due_at is not null`
    await retry(server)
    await pollUntil('an hour later both are', () => logged('a mail is given up').length === 2)
    await retry(server)
    t.same(mailServer.tried.filter((one) => one === emailOf('guest')).length, 1)
    t.notOk(lines.join('').includes('p@ss'), 'no line has the password of the mail server')
  })

  await t.test('[MAIL3] a mail whose worker was killed is sent by another', async () => {
    await sql`delete from mails`
    const before = mailServer.to(emailOf('administrator')).length
    // As the killed worker left it.
    await sql`insert into mails (kind, recipient, due_at, tries)
      values ('password_reset', ${emailOf('administrator')}, now() + interval '2 minutes', 1)`
    await retry(server)
    await pollUntil('it is there', () => mailServer.to(emailOf('administrator')).length === before + 1)
  })

  await t.test('[MAIL4] names cannot become headers, markup, links or addresses', async (t) => {
    const owner = server.as('owner')
    const name = 'Eve www.evil.example/x'
    // Only an operator or an older release can store such a name.
    await owner.must('PATCH', '/realm', { name: '<b>O</b> https://evil.example a@b.c' })
    await sql`update users set full_name = ${`${name}\r\nBcc: spy@example.com <i>\u202e`} where email = ${emailOf('bot')}`
    await sql`update users set full_name = ${`${name}\r\nBcc: spy@example.com <i>\u202e`} where email = ${emailOf('member2')}`
    await ask(server, 'member2')
    await pollUntil('it is there', () => mailServer.to(emailOf('member2')).length > 0)
    const [mail] = mailServer.to(emailOf('member2'))
    t.equal(mail?.subject, 'Reset your password for b O b https evil. example a at b. c')
    t.notMatch(mail?.raw, /^bcc:/im)
    t.match(mail?.text, 'Hello Eve www. evil. example x Bcc spy at example. com i,')
    t.notMatch(mail?.html, /<i>|<b>/)
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
    t.ok(links.length > 0 && links.every((link) => link?.startsWith(`${server.node.url}/`)))
  })
})

await t.test(
  '[MAIL5] without a mail server a mail is a file, which the log names without its link',
  async (t) => {
    const server = await startTestServer(t)
    const { lines } = await startMailWorkers(t, server, 1)
    const folder = join(server.config.dataFolder, 'mail')
    await ask(server, 'member')
    const line = await pollUntil('the log names a file', () => lines.find((one) => one.includes('.eml')))
    const { file } = JSON.parse(line)
    t.same(
      [file],
      (await readdir(folder)).map((name) => join(folder, name)),
    )
    t.equal((await stat(file)).mode & 0o777, 0o600)
    const mail = await PostalMime.parse(await readFile(file))
    t.match(mail.to, [{ address: emailOf('member') }])
    t.match(mail.from, { address: 'noreply@127.0.0.1' })
    const [token = ''] = mail.text?.match(/[A-Za-z0-9]{32}/) ?? []
    t.ok(token)
    t.notOk(lines.join('').includes(token))
  },
)

t.test('[MAIL6] invalid settings for mail fail with one line that hides them', async (t) => {
  const from = { MAIL_FROM: 'chat@example.com' }
  const bad = [
    { MAIL_URL: 'smtp://example.com' },
    ...[
      'http://a.b',
      'smtp://',
      'smtp://a:secret',
      'smtp://u@h',
      'smtp://h/path',
      'smtp://h?logger=true',
      'x',
    ].map((MAIL_URL) => ({ ...from, MAIL_URL })),
    ...['x', 'a@b\r\nBcc: c@d', 'A <a@b> x', '<>'].map((MAIL_FROM) => ({ MAIL_FROM })),
  ]
  for (const env of bad) {
    const read = () => readConfig(env)
    t.throws(read, ConfigError, JSON.stringify(env))
    t.throws(read, { message: /^MAIL_(URL|FROM) must be (?!.*secret)[^\n]*$/ })
  }
  t.match(readConfig({ MAIL_URL: 'smtps://u%40x:p%2Fw@mail.example.com', MAIL_FROM: 'Team <a@b.example>' }), {
    mailServer: {
      host: 'mail.example.com',
      port: 465,
      isTls: true,
      credentials: { user: 'u@x', password: 'p/w' },
    },
    mailSender: { name: 'Team', address: 'a@b.example' },
  })
  t.match(readConfig({ ...from, MAIL_URL: 'smtp://[::1]' }), {
    mailServer: { host: '::1', port: 587, isTls: false, credentials: undefined },
  })
})
