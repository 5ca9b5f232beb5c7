/** Mails about log-ins from new devices, with two workers and a mail server. */

import t, { type Test } from 'tap'
import { describeClient } from '../../../packages/rules/describe-client.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { ENGLISH } from '../../../server/texts/texts.ts'
import { dateIn } from '../../../workers/jobs/mail/mail-times.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { FactorAccounts, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { linkOf } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { openPage, submitForm } from '../../harness/browser/visit-page.ts'
import { pollUntil } from '../../services/poll-until.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0'
const mailServer = await startMailServer(t)
const clock = new ManualClock()
const server = await startTestServer(t, { clock, env: { ...mailServer.env, TRUST_PROXY: 'on' } })
await startMailWorkers(t, server)
const { sql } = server.node.services
const { url } = server.node
const people = new FactorAccounts(server, clock)

/** Waits until no mail is due any more; answers the mails to an address. */
async function mailsTo(address: string) {
  await pollUntil('all mails are done', async () => {
    const [row] = await sql`select count(*) from mails where due_at is not null`
    return row?.['count'] === 0
  })
  return mailServer.to(address)
}
async function logIn(browser: Browser, email: string, path = '/json/login') {
  const headers = { 'user-agent': FIREFOX }
  const answer = await browser.send('POST', path, { fields: { username: email, ...PROOF }, headers })
  t.ok(answer.status < 400)
  return answer
}
const fetchKey = (email: string, userAgent: string, address: string) =>
  new Browser(url).send('POST', '/api/v1/fetch_api_key', {
    fields: { username: email, ...PROOF },
    headers: { 'user-agent': userAgent, 'x-forwarded-for': address },
  })

t.test(
  '[NEWDEVICE1] a log-in from a new browser sends a mail; the first of an account does not',
  async (t) => {
    const { email } = await people.addPerson()
    const first = new Browser(url)
    const answer = await logIn(first, email)
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('logindevice='))
    t.match(cookie, /^logindevice=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=34560000; SameSite=Lax; HttpOnly$/)
    t.same(await mailsTo(email), [])
    const second = new Browser(url)
    await logIn(second, email, '/accounts/login')
    const [mail, ...others] = await mailsTo(email)
    t.same(others, [])
    t.equal(mail?.subject, 'New log-in at Test Organization')
    for (const part of [mail?.text, mail?.html]) {
      t.match(part, 'Firefox on Linux')
      t.match(part, dateIn(ENGLISH, clock.nowMs() / 1_000))
      t.match(part, `${url}/accounts/password/reset/`)
    }
    for (const browser of [first, second, first]) {
      await browser.call('POST', '/json/logout')
      await logIn(browser, email)
    }
    t.equal((await mailsTo(email)).length, 1, 'a browser is recognized after a log-out')
    const other = await people.addPerson()
    await logIn(new Browser(url), other.email)
    await logIn(first, other.email)
    t.equal((await mailsTo(other.email)).length, 1, 'the browser of another user is new')
    await logIn(first, email)
    t.equal((await mailsTo(email)).length, 1, 'and still that of its former user')
  },
)

t.test('[NEWDEVICE2] a program is recognized by its name and address, whatever its version', async (t) => {
  const { email } = await people.addPerson()
  const count = async () => (await mailsTo(email)).length
  t.equal((await fetchKey(email, 'ChatApp/1.0 (Android 14)', '192.0.2.1')).status, 200)
  t.equal((await fetchKey(email, 'ChatApp/1.1 (Android 15)', '192.0.2.1')).status, 200)
  t.equal(await count(), 0)
  await fetchKey(email, 'ChatApp/1.1 (Android 15)', '192.0.2.2')
  t.equal(await count(), 1)
  await fetchKey(email, '<b>evil.example</b>', '192.0.2.2')
  t.equal(await count(), 2)
  t.match((await mailsTo(email))[1]?.text, 'Device: an unknown program')
  for (let index = 10; index < 30; index++) await fetchKey(email, 'curl/8', `192.0.2.${index}`)
  t.equal(await count(), 10, 'ten mails in an hour are the most')
})

t.test(
  '[NEWDEVICE3] only a whole log-in counts, and its mail goes to the address of that time',
  async (t) => {
    const account = await people.addAccount()
    const { email, client } = account
    await people.logIn(email, { otp_token: account.code() })
    await new Browser(url).logIn(email, 'wrong')
    await people.logIn(email)
    const halfway = await people.firstStep(email)
    const app = 'An authenticator app was added to your account at Test Organization'
    t.same(
      (await mailsTo(email)).map(({ subject }) => subject),
      [app],
    )
    await people.secondStep(halfway, account.code())
    await client.must('PATCH', '/settings', { email: 'thief@example.com', old_password: PROOF.password })
    await mailsTo('thief@example.com')
    t.equal((await submitForm(linkOf((await mailsTo('thief@example.com')).at(-1)))).status, 200)
    t.same(
      (await mailsTo(email)).map(({ subject }) => subject),
      [app, 'New log-in at Test Organization', 'Your email address at Test Organization was changed'],
    )
    t.same(
      (await mailsTo('thief@example.com')).map(({ subject }) => subject),
      [
        'Confirm your email address for Test Organization',
        'Your account at Test Organization now uses this address',
      ],
    )
  },
)

t.test('[NEWDEVICE4] a user has 30 devices, and their tokens are stored as hashes', async (t) => {
  const { email, userId } = await people.addPerson()
  const browsers = Array.from({ length: 31 }, () => new Browser(url))
  for (const browser of browsers) {
    clock.advance(1_000)
    await logIn(browser, email)
  }
  const rows = await sql`select device_hash from login_devices where user_id = ${userId}`
  t.equal(rows.length, 30)
  const token = browsers[30]?.cookies.get('logindevice') ?? ''
  t.equal(token.length, 43)
  t.notOk(JSON.stringify(rows).includes(token))
})

/** The link of a mail with which its reader stops such mails; all forms of the mail have the same. */
async function stopLinkOf(t: Test, email: string): Promise<string> {
  const mail = (await mailsTo(email)).at(-1)
  const [, link = ''] = mail?.text?.match(/Stop these emails:\n(\S+)/) ?? []
  t.ok(link.startsWith(`${url}/accounts/unsubscribe/`))
  t.match(mail?.html, `href="${link}">Stop these emails</a>`)
  const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]))
  t.equal(headers.get('list-unsubscribe'), `<${link}>`)
  t.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  return link
}

/** A log-in from a browser that nobody has used. */
const logInAnew = (email: string) => logIn(new Browser(url), email)

t.test('[NEWDEVICE6] a user stops these mails by their link, and turns them on again', async (t) => {
  const client = await people.addPerson()
  const { email } = client
  await logInAnew(email)
  const known = new Browser(url)
  await logIn(known, email)
  const link = await stopLinkOf(t, email)
  const page = await openPage(link)
  t.equal(page.status, 200)
  t.match(page.text, 'Stop these emails')
  await logInAnew(email)
  t.equal((await mailsTo(email)).length, 2, 'opening the link changes nothing')
  const queue = await client.register({ event_types: ['user_settings'] })
  t.match((await submitForm(link, { 'List-Unsubscribe': 'One-Click' })).text, 'These emails are off.')
  t.match(await client.events(queue), [{ property: 'enable_login_emails', value: false }])
  await logInAnew(email)
  await fetchKey(email, 'ChatApp/1.0', '192.0.2.9')
  t.equal((await mailsTo(email)).length, 2)
  t.equal((await submitForm(link)).status, 200, 'the link works again, and changes nothing then')
  await client.must('PATCH', '/settings', { new_password: 'battery staple', old_password: PROOF.password })
  t.equal((await mailsTo(email)).length, 3, 'warnings of changes still come')
  await people.restorePassword(client)
  const unseen = new Browser(url)
  await logIn(unseen, email)
  await client.must('PATCH', '/settings', { enable_login_emails: true })
  for (const browser of [known, unseen]) await logIn(browser, email)
  t.equal((await mailsTo(email)).length, 3, 'devices are noted meanwhile')
  await logInAnew(email)
  t.equal((await mailsTo(email)).length, 4)
})

t.test(
  '[NEWDEVICE7] a link that stops mails is for one user and one address, and nobody makes it up',
  async (t) => {
    const [own, others] = [await people.addPerson(), await people.addPerson()]
    await logInAnew(own.email)
    await logInAnew(own.email)
    const link = await stopLinkOf(t, own.email)
    const token = link.split('/').at(-2) ?? ''
    t.match(token, /^[0-9a-f]{32}$/)
    const linkFor = (id: number | string, text: string) => `${url}/accounts/unsubscribe/${id}/${text}/`
    const answers = []
    for (const forged of [
      linkFor(others.userId, token),
      linkFor(own.userId, 'a'.repeat(32)),
      linkFor(own.userId, token.slice(1)),
      linkFor(999_999, token),
    ])
      answers.push(await openPage(forged), await submitForm(forged))
    t.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1, 'all look alike')
    t.equal(answers[0]?.status, 404)
    for (const { userId } of [own, others])
      t.ok(server.node.services.state.settingsOf(userId as UserId).enableLoginEmails)
    await own.must('PATCH', '/settings', { email: 'own@example.org', old_password: PROOF.password })
    t.equal((await submitForm(linkOf((await mailsTo('own@example.org')).at(-1)))).status, 200)
    t.equal((await submitForm(link)).status, 404, 'the former address stops nothing')
  },
)

t.test('[NEWDEVICE5] names of browsers and programs have no version', (t) => {
  const names = [
    [FIREFOX, 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/153.0 Safari/537.36', 'Chrome on Windows'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/153.0 Safari/537.36 Edg/153',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/20 Safari/605', 'Safari on macOS'],
    ['ChatApp/1.2', 'ChatApp'],
    ['', 'an unknown program'],
    ['\u202eevil', 'an unknown program'],
  ] as const
  for (const [userAgent, name] of names) t.equal(describeClient(userAgent), name)
  t.equal(describeClient('x'.repeat(1_000)).length, 40)
  t.end()
})
