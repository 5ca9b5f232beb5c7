/** Pages that log a browser in without the log-in form, and the form for a browser that is logged in. */

import t from 'tap'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { FactorAccounts, isIn, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { confirmAddress } from '../../harness/mail/join-by-link.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0'
const mailServer = await startMailServer(t)
const clock = new ManualClock()
const server = await startTestServer(t, { clock, env: mailServer.env })
await startMailWorkers(t, server)
const { services, url } = server.node
const { sql, state } = services
const mailboxes = openMailboxes(mailServer, server)
const people = new FactorAccounts(server, clock)
const owner = server.as('owner')
const PASSWORD = 'battery staple'
const LINK = (await owner.must('POST', '/invites/multiuse')).invite_link

const addressOf = (name: string) => `${name}@example.com`
/** The link of a mail with which somebody makes an account, by an invitation by link or by mail. */
const invitedByLink = (name: string) => confirmAddress(mailboxes, LINK, addressOf(name))
async function invitedByMail(name: string): Promise<string> {
  await owner.must('POST', '/invites', { invitee_emails: addressOf(name), stream_ids: [] })
  return mailboxes.link(addressOf(name))
}
async function resetLink(email: string): Promise<string> {
  await mailboxes.settle()
  await new Browser(url).send('POST', '/accounts/password/reset/', { fields: { email } })
  return mailboxes.link(email)
}
const submit = (browser: Browser, link: string, fields: Record<string, string> = {}) =>
  browser.send('POST', new URL(link).pathname, {
    fields: { full_name: 'A newcomer', password: PASSWORD, ...fields },
    headers: { 'user-agent': FIREFOX },
  })
const whereTo = ({ status, headers }: BrowserAnswer) => [status, headers.get('location')]
const meOf = async (browser: Browser) => (await browser.send('GET', '/json/users/me')).body
const devicesOf = (userId: number) => sql`select from login_devices where user_id = ${userId}`

for (const [way, invited] of Object.entries({ link: invitedByLink, mail: invitedByMail })) {
  t.test(`[ENTER1] an account made by an invitation by ${way} is logged in at once`, async (t) => {
    const browser = new Browser(url)
    const link = await invited(`new-${way}`)
    t.same(whereTo(await submit(browser, link)), [303, '/'])
    const { user_id, email } = await meOf(browser)
    t.equal(email, addressOf(`new-${way}`))
    const { sessions } = (await browser.send('GET', '/json/users/me/sessions')).body
    t.match(sessions, [{ client: FIREFOX, address: '127.0.0.1' }])
    t.equal((await devicesOf(user_id)).length, 1)
    t.equal(
      (await browser.call('POST', '/json/register')).status,
      200,
      'the token against other sites is right',
    )
    t.equal((await new Browser(url).logIn(email, PASSWORD)).status, 200, 'the password is right, too')
    const subjects = (await mailboxes.read(email)).map(({ subject }) => subject)
    t.same(subjects.slice(1), ['New log-in at Test Organization'], 'only the second browser is new')
  })
}

t.test('[ENTER2] joining in the browser of another person ends the session there', async (t) => {
  const person = await people.addPerson()
  const browser = new Browser(url)
  await browser.logIn(person.email, PROOF.password)
  const former = browser.at(url)
  const elsewhere = new Browser(url)
  await elsewhere.logIn(person.email, PROOF.password)
  t.same(whereTo(await submit(browser, await invitedByLink('guest-here'))), [303, '/'])
  t.equal((await meOf(browser)).email, addressOf('guest-here'))
  t.notOk(await isIn(former))
  t.ok(await isIn(elsewhere))
})

t.test('[ENTER3] an app that is there before the session begins lets none begin', async (t) => {
  await sql.unsafe(`
    create function protect() returns trigger language plpgsql as $$ begin
      insert into totp_factors (user_id, secret, started_at, enabled_at)
        values ((new.event ->> 'userId')::int, 'AAAA', 1, 1);
      return new;
    end $$;
    create trigger protect after insert on event_log
      for each row when (new.event ->> 'type' = 'password_set') execute function protect()`)
  const browser = new Browser(url)
  const answer = await submit(browser, await invitedByLink('overtaken'))
  await sql`drop function protect() cascade`
  t.same(whereTo(answer), [303, '/accounts/login'])
  t.same(answer.headers.getSetCookie(), [])
  const { id } = state.findUserByEmail(addressOf('overtaken')) ?? {}
  t.ok(id !== undefined, 'there is an account')
  t.same(state.loginSessions.get(id as never) ?? [], [])
  t.same(await devicesOf(id as number), [])
})

t.test('[ENTER4] a reset logs in the browser that did it, and ends all other sessions', async (t) => {
  const person = await people.addPerson()
  const [known, other] = [new Browser(url), new Browser(url)]
  for (const browser of [known, other]) await browser.logIn(person.email, PROOF.password)
  const copied = known.at(url)
  t.same(whereTo(await submit(known, await resetLink(person.email))), [303, '/'])
  t.equal((await meOf(known)).user_id, person.userId)
  for (const browser of [copied, other]) t.notOk(await isIn(browser))
  t.equal(state.loginSessions.get(person.userId as never)?.length, 1)
  t.equal((await devicesOf(person.userId)).length, 2, 'the browser is recognized')
  t.equal((await person.get('/users/me')).status, 401, 'keys end, too')
  const fresh = new Browser(url)
  t.same(whereTo(await submit(fresh, await resetLink(person.email))), [303, '/'])
  t.equal((await devicesOf(person.userId)).length, 3)
  t.notOk(await isIn(known))
})

t.test('[ENTER5] a reset of an account with an app leads to the log-in, which needs the code', async (t) => {
  const account = await people.addAccount()
  const browser = new Browser(url)
  await people.secondStep(browser, account.code())
  const other = await people.firstStep(account.email)
  await people.secondStep(other, account.code())
  t.ok(await isIn(other))
  const answer = await submit(browser, await resetLink(account.email))
  t.equal(answer.status, 200)
  t.match(answer.text, 'Password changed.')
  t.match(answer.text, 'a code from your app')
  t.same(answer.headers.getSetCookie(), [])
  t.notOk(await isIn(other))
  const fields = { username: account.email, password: PASSWORD }
  t.same(whereTo(await browser.send('POST', '/accounts/login', { fields })), [303, '/accounts/login/code'])
  t.notOk(await isIn(browser))
  await people.secondStep(browser, account.code())
  t.ok(await isIn(browser))
})

t.test('[ENTER6] neither page takes the form of another site', async (t) => {
  const person = await people.addPerson()
  const links = [
    await invitedByLink('lured'),
    await invitedByMail('lured-by-mail'),
    await resetLink(person.email),
  ]
  for (const link of links) {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const fields = { full_name: 'Lured', password: PASSWORD }
      const answer = await new Browser(url).send('POST', new URL(link).pathname, { fields, headers })
      t.equal(answer.status, 403)
      t.same(answer.headers.getSetCookie(), [])
    }
  }
  for (const name of ['lured', 'lured-by-mail']) t.equal(state.findUserByEmail(addressOf(name)), undefined)
  t.equal((await new Browser(url).logIn(person.email, PROOF.password)).status, 200)
})

t.test('[ENTER7] the log-in page sends a browser that is logged in on, within the server', async (t) => {
  const person = await people.addPerson()
  const browser = new Browser(url)
  const look = async (fields: Record<string, string> = {}) =>
    whereTo(await browser.send('GET', '/accounts/login', { fields }))
  t.same(await look({ next: '/accounts/security' }), [200, null], 'a form without a session')
  await browser.logIn(person.email, PROOF.password)
  t.same(await look(), [303, '/'])
  t.same(whereTo(await browser.send('GET', '/accounts/login/')), [303, '/'])
  t.same(await look({ next: '/accounts/security' }), [303, '/accounts/security'])
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'])
    t.same(await look({ next }), [303, '/'], next)
  const once = await look({ next: '/accounts/login?next=/accounts/login' })
  t.same(once, [303, '/accounts/login?next=/accounts/login'], 'its own address ends, too')
  t.ok(await isIn(browser))
})

t.test('[ENTER8] the form of the log-in page changes the account of a browser', async (t) => {
  const [person, other] = [await people.addPerson(), await people.addPerson()]
  const browser = new Browser(url)
  await browser.logIn(person.email, PROOF.password)
  const former = browser.at(url)
  const send = (username: string, password: string) =>
    browser.send('POST', '/accounts/login', { fields: { username, password } })
  t.equal((await send(other.email, 'wrong')).status, 403)
  t.equal((await meOf(browser)).user_id, person.userId, 'a wrong password changes nothing')
  t.same(whereTo(await send(other.email, PROOF.password)), [303, '/'])
  t.equal((await meOf(browser)).user_id, other.userId)
  t.notOk(await isIn(former), 'the session before has ended')
  const again = browser.at(url)
  t.same(whereTo(await send(other.email, PROOF.password)), [303, '/'])
  t.notOk(await isIn(again), 'the same account gets another session')
  t.equal(state.loginSessions.get(other.userId as never)?.length, 1)
})
