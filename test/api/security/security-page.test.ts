/** The page on the security of an account, without script. */

import t from 'tap'
import { Browser } from '../../harness/browser/browser.ts'
import {
  type Account,
  FactorAccounts,
  isIn,
  PROOF,
  wrongCode,
} from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const PAGE = '/accounts/security'
const clock = new ManualClock()
// Passkeys are for names, not for network addresses.
const server = await startTestServer(t, { clock, env: { HOST: 'localhost' } })
const { sql } = server.node.services
const { url } = server.node
const people = new FactorAccounts(server, clock)

/** Presses a button of the page. */
const press = (browser: Browser, action: string, fields: Record<string, string> = {}) =>
  browser.send('POST', PAGE, { fields: { csrfmiddlewaretoken: browser.csrfToken, action, ...fields } })
const look = async (browser: Browser) => (await browser.send('GET', PAGE)).text

async function loggedIn(email: string, account?: Account): Promise<Browser> {
  const browser = new Browser(url)
  if (!account) await browser.logIn(email, PROOF.password)
  else await people.secondStep(await firstStep(browser, email), account.code())
  t.ok(await isIn(browser))
  return browser
}

/** The first step of the page in a browser. */
async function firstStep(browser: Browser, email: string): Promise<Browser> {
  await browser.send('POST', '/accounts/login', { fields: { username: email, ...PROOF } })
  return browser
}

t.test('[SECURITY1] a person sets up an app on the page, and gets recovery codes once', async (t) => {
  const { email } = await people.addPerson()
  const browser = await loggedIn(email)
  t.match(await look(browser), 'Off. With an app')
  const set = await press(browser, 'totp-start')
  t.equal(set.status, 200)
  t.match(set.text, /<svg class="qr" role="img"/)
  t.notMatch(set.text, /<script|style=/)
  const [, spaced = ''] = set.text.match(/<code>([A-Z2-7 ]+)<\/code>/) ?? []
  const app = people.appOf(spaced.replaceAll(' ', ''))
  const wrong = await press(browser, 'totp-confirm', { code: wrongCode(app.sameCode()) })
  t.equal(wrong.status, 400)
  t.match(wrong.text, 'Wrong code!')
  t.match(wrong.text, spaced, 'the same secret is shown again')
  const done = await press(browser, 'totp-confirm', { code: app.sameCode() })
  t.equal(done.status, 200)
  const codes = [...done.text.matchAll(/<li>([0-9a-z-]{19})<\/li>/g)].map(([, code]) => code ?? '')
  t.equal(codes.length, 10)
  t.ok(await isIn(browser), 'the session goes on')
  const page = await look(browser)
  t.match(page, 'On. 10 recovery codes left.')
  for (const code of codes) t.notMatch(page, code)
  t.equal((await people.logIn(email, { otp_token: codes[0] ?? '' })).status, 200)
  const renewed = await press(browser, 'codes-renew')
  t.match(renewed.text, 'Your recovery codes')
  t.notMatch(renewed.text, codes[1])
  t.equal((await press(browser, 'totp-end')).status, 303)
  t.match(await look(browser), 'Off. With an app')
  t.match((await press(browser, 'totp-end')).text, 'No authenticator app is set up.')
})

t.test('[SECURITY2] ten minutes after a log-in the page asks for password and code first', async (t) => {
  const account = await people.addAccount()
  const browser = await loggedIn(account.email, account)
  t.notMatch(await look(browser), 'Confirm your password')
  clock.advance(600_000)
  const page = await look(browser)
  t.match(page, 'Confirm your password')
  t.notMatch(page, 'totp-end')
  for (const action of ['totp-end', 'codes-renew', 'totp-start', 'passkey-remove']) {
    const refused = await press(browser, action)
    t.equal(refused.status, 403, action)
    t.match(refused.text, 'On. 10 recovery codes left.')
  }
  const wrongs = [
    [{ password: 'wrong', code: account.code() }, 'Wrong email address or password.'],
    [PROOF, 'Enter your code.'],
    [{ ...PROOF, code: wrongCode(account.code()) }, 'Wrong code, or already used.'],
  ] as const
  for (const [fields, text] of wrongs) {
    const answer = await press(browser, 'confirm', fields)
    t.equal(answer.status, 403)
    t.match(answer.text, text)
  }
  const copied = browser.at(url)
  t.equal((await press(browser, 'confirm', { ...PROOF, code: account.code() })).status, 303)
  t.match(await look(browser), 'totp-end')
  t.notOk(await isIn(copied), 'the proof begins another session')
})

t.test(
  '[SECURITY6] a secret that is not proved yet is shown only to a session that has just begun',
  async (t) => {
    const { email } = await people.addPerson()
    const left = await loggedIn(email)
    clock.advance(600_000)
    const browser = await loggedIn(email)
    const [, secret = ''] =
      (await press(browser, 'totp-start')).text.match(/<code>([A-Z2-7 ]+)<\/code>/) ?? []
    t.match((await press(browser, 'totp-confirm', { code: 'x' })).text, secret)
    const answer = await press(left, 'totp-confirm', { code: 'x' })
    t.equal(answer.status, 400)
    t.match(answer.text, 'Confirm your password')
    t.notMatch(answer.text, secret)
    t.match(await look(browser), 'Off. With an app')
  },
)

t.test('[SECURITY7] a log-in by a passkey goes on within the server, too', async (t) => {
  const nextOf = async (next: string) => {
    const { text } = await new Browser(url).send('GET', '/accounts/login', { fields: { next } })
    return text.match(/data-passkey="log-in" data-next="([^"]*)"/)?.[1]
  }
  t.equal(await nextOf('/docs/?a=1'), '/docs/?a=1')
  for (const wrong of ['//evil.example', '/..//evil.example', 'https://evil.example/', 'javascript:alert(1)'])
    t.equal(await nextOf(wrong), '/', wrong)
})

t.test('[SECURITY3] the page logs out its browser or all others, of its user alone', async (t) => {
  const { email } = await people.addPerson()
  const [own, second, third] = [await loggedIn(email), await loggedIn(email), await loggedIn(email)]
  const other = await loggedIn((await people.addPerson()).email)
  t.match(await look(own), 'logged in on 3 devices')
  t.match(await look(other), 'logged in on this device')
  await press(other, 'sessions-end')
  t.same(await Promise.all([own, second, third].map(isIn)), [true, true, true])
  await press(own, 'sessions-end')
  t.same(await Promise.all([own, second, third, other].map(isIn)), [true, false, false, true])
  t.match(await look(own), /<form method="post" action="\/accounts\/logout">/)
  await own.send('POST', '/accounts/logout', { fields: { csrfmiddlewaretoken: own.csrfToken } })
  t.same(await Promise.all([own, other].map(isIn)), [false, true])
})

t.test('[SECURITY4] the page needs a session, and its buttons the token of it', async (t) => {
  const { headers, status } = await new Browser(url).send('GET', PAGE)
  t.same([status, headers.get('location')], [303, '/accounts/login?next=%2Faccounts%2Fsecurity'])
  const { email } = await people.addPerson()
  const browser = await loggedIn(email)
  for (const csrfmiddlewaretoken of ['', 'x', (await loggedIn(email)).csrfToken])
    t.equal((await press(browser, 'sessions-end', { csrfmiddlewaretoken })).status, 403)
  const headersOfOthers = { 'sec-fetch-site': 'cross-site' }
  const fields = { csrfmiddlewaretoken: browser.csrfToken, action: 'sessions-end' }
  t.equal((await browser.send('POST', PAGE, { fields, headers: headersOfOthers })).status, 403)
  t.equal((await press(browser, 'nothing')).status, 303, 'an unknown button does nothing')
  t.equal(
    (await sql`select from login_sessions where user_id = ${(await people.addPerson()).userId}`).length,
    0,
  )
})

t.test('[SECURITY5] names on the page cannot become markup', async (t) => {
  const { email, userId } = await people.addPerson()
  const name = '<script>"x"</script>'
  await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
    values ('p', ${userId}, 'c', '', 0, '{}', ${name}, false, 1)`
  const browser = await loggedIn(email)
  t.equal((await press(browser, 'passkey-rename', { id: 'p', name: ' ' })).status, 400)
  t.equal((await press(browser, 'passkey-rename', { id: 'other', name: 'x' })).status, 404)
  t.equal((await press(browser, 'passkey-rename', { id: 'p', name })).status, 303)
  const page = await look(browser)
  t.notMatch(page, '<script>')
  t.match(page, '&lt;script&gt;')
  t.equal((await press(browser, 'passkey-remove', { id: 'p' })).status, 303)
  t.equal((await sql`select from passkeys where user_id = ${userId}`).length, 0)
})
