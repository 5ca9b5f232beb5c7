/** Log-ins of apps on the server's own page: of a mobile app, and of the desktop app by the system's browser. */

import { createDecipheriv } from 'node:crypto'
import t from 'tap'
import { removeOldDesktopLogins } from '../../../db/accounts/desktop-logins.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { deactivate } from '../../harness/worlds/add-user.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { Client } from '../../harness/client/client.ts'
import { FactorAccounts, isIn, PROOF } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { signOn } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const provider = await startLoginProvider(t)
const clock = new ManualClock()
const server = await startTestServer(t, {
  clock,
  env: { PUBLIC_URL, OIDC_PROVIDERS: JSON.stringify([provider.settings]) },
})
const { url } = server.node
const { sql } = server.node.services
const people = new FactorAccounts(server, clock)
const PAGE = '/accounts/login/'
const PAD = '0123456789abcdef'.repeat(4)
const INVALID = {
  status: 401,
  body: { code: 'AUTHENTICATION_FAILED', msg: 'The token is wrong, used or too old' },
}

/** The end of a log-in on the page, with a code if the account has an app. */
async function logIn(
  browser: Browser,
  { email, code }: { readonly email: string; readonly code?: () => string },
  fields: Record<string, string>,
) {
  const answer = await browser.send('POST', PAGE, { fields: { username: email, ...PROOF, ...fields } })
  if (code === undefined) return answer
  t.equal(answer.headers.get('location'), '/accounts/login/code')
  return people.secondStep(browser, code())
}

/** The key of a mobile app, as the app reads it. */
function revealKey(location: string | null): string {
  const address = new URL(location ?? '')
  t.equal(address.protocol + address.host, 'zulip:login')
  const hidden = Buffer.from(address.searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
  const pad = Buffer.from(PAD, 'hex')
  return String.fromCharCode(...hidden.map((byte, index) => byte ^ (pad[index] as number)))
}

/** The token of a desktop app, as the app reads it. */
function revealToken(location: string | null): string {
  const [path, hidden = ''] = (location ?? '').split('#')
  t.equal(path, '/accounts/login/desktop')
  const bytes = Buffer.from(hidden, 'hex')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(PAD, 'hex'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return decipher.update(bytes.subarray(12, -16)).toString('latin1') + decipher.final('latin1')
}

const desktop = { desktop_flow_otp: PAD }
const mobile = { mobile_flow_otp: PAD }
const redeem = (token: string, app = new Browser(url)) =>
  app.send('POST', '/json/login/desktop', { fields: { token } })
const newToken = async (email: string) =>
  revealToken((await logIn(new Browser(url), { email }, desktop)).headers.get('location'))

t.test('[APPLOGIN1] apps find the log-in page in the server settings, and it keeps their pad', async (t) => {
  const { external_authentication_methods: methods } = await server.anyone.must('GET', '/server_settings')
  const own = methods.find(({ name }: { name: string }) => name === 'browser')
  t.match(own, { display_name: 'your browser', display_icon: null, login_url: '/accounts/login' })
  for (const fields of [mobile, desktop]) {
    const { status, text, headers } = await new Browser(url).send('GET', own.login_url, { fields })
    t.equal(status, 200)
    const [name = ''] = Object.keys(fields)
    t.match(text, `<input type="hidden" name="${name}" value="${PAD}">`)
    t.match(text, `/accounts/login/oidc/${provider.settings.name}?${name}=${PAD}`)
    t.match(headers.get('content-security-policy'), "form-action 'self' zulip:;")
  }
})

t.test(
  '[APPLOGIN2] a mobile app gets its key after a second factor, and the browser no session',
  async (t) => {
    const account = await people.addAccount()
    const browser = new Browser(url)
    const { status, headers } = await logIn(browser, account, mobile)
    t.equal(status, 303)
    const key = revealKey(headers.get('location'))
    const { user_id } = await new Client(url, 0, account.email, key).must('GET', '/users/me')
    t.equal(user_id, account.client.userId)
    t.notOk(await isIn(browser))

    const { email } = await people.addPerson()
    const plain = await logIn(new Browser(url), { email }, mobile)
    t.match(revealKey(plain.headers.get('location')), /^[A-Za-z0-9]{32}$/)
    const wrong = await new Browser(url).send('POST', PAGE, {
      fields: { username: email, password: 'wrong', ...mobile },
    })
    t.equal(wrong.status, 403)
    t.match(wrong.text, `name="mobile_flow_otp" value="${PAD}"`, 'another try is for the app, too')
  },
)

t.test(
  '[APPLOGIN3] a browser that is logged in logs in anew for an app, which a link may name',
  async (t) => {
    const { email } = await people.addPerson()
    const browser = new Browser(url)
    await browser.logIn(email, PROOF.password)
    for (const fields of [mobile, desktop]) {
      const { status, text } = await browser.send('GET', PAGE, { fields })
      t.equal(status, 200)
      t.match(text, 'Forgot your password?')
    }
    t.equal((await browser.send('GET', PAGE)).status, 303)
  },
)

t.test('[APPLOGIN4] the desktop app redeems the token of the browser once, for a session', async (t) => {
  const account = await people.addAccount()
  for (const one of [account, { email: (await people.addPerson()).email }]) {
    const browser = new Browser(url)
    const token = revealToken((await logIn(browser, one, desktop)).headers.get('location'))
    t.notOk(await isIn(browser))
    const app = new Browser(url)
    const answer = await redeem(token, app)
    t.match(answer, { status: 200, body: { email: one.email } })
    t.equal(answer.headers.get('cache-control'), 'no-store')
    t.ok(await isIn(app))
    t.match(await redeem(token), INVALID)
    const both = await newToken((await people.addPerson()).email)
    const raced = await Promise.all([redeem(both), redeem(both), redeem(both)])
    t.equal(raced.filter(({ status }) => status === 200).length, 1)
  }
  for (const token of ['', 'x', PAD, 'x'.repeat(100)]) t.match(await redeem(token), INVALID)
  t.equal((await redeem('x'.repeat(101))).status, 400)
  t.equal((await new Browser(url).send('POST', '/json/login/desktop')).status, 400)
})

t.test('[APPLOGIN5] a token ends with its time, the credentials and the account', async (t) => {
  const late = await newToken((await people.addPerson()).email)
  clock.advance(299_000)
  const inTime = await newToken((await people.addPerson()).email)
  clock.advance(1_000)
  t.match(await redeem(late), INVALID)
  t.equal((await redeem(inTime)).status, 200)

  const changed = await people.addPerson()
  const before = await newToken(changed.email)
  await sql`update users set password_hash = 'other' where id = ${changed.userId as UserId}`
  t.match(await redeem(before), INVALID)
  const protectedLater = await people.addPerson()
  const without = await newToken(protectedLater.email)
  const { secret } = await protectedLater.must('POST', '/users/me/two_factor/totp', PROOF)
  const otp_token = people.appOf(secret).code()
  await protectedLater.must('POST', '/users/me/two_factor/totp/confirm', { otp_token })
  t.match(await redeem(without), INVALID, 'the browser has shown no code')
  const leaving = await people.addPerson()
  const last = await newToken(leaving.email)
  await deactivate(server, leaving.userId)
  t.equal((await redeem(last)).status, 401)
})

t.test('[APPLOGIN6] the row of a token lets nobody in, has no credentials, and is removed', async (t) => {
  await sql`delete from desktop_logins`
  const person = await people.addPerson()
  const token = await newToken(person.email)
  const [row] = await sql`select desktop_logins::text as text from desktop_logins`
  const [user] = await sql`select password_hash as hash from users where id = ${person.userId as UserId}`
  t.notMatch(row?.['text'], token)
  t.notMatch(row?.['text'], user?.['hash'])
  const [{ hash } = { hash: '' }] = await sql<
    { hash: string }[]
  >`select token_hash as hash from desktop_logins`
  t.match(await redeem(hash), INVALID)
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  t.equal(await removeOldDesktopLogins(sql, nowSeconds, 10), 0)
  t.equal(await removeOldDesktopLogins(sql, nowSeconds + 300, 10), 1)
  t.match(await redeem(token), INVALID)
})

t.test('[APPLOGIN7] a malformed pad is refused, before anything is checked', async (t) => {
  const { email } = await people.addPerson()
  for (const pad of ['', PAD.slice(1), `${PAD}0`, `g${PAD.slice(1)}`, ` ${PAD}`]) {
    for (const name of ['mobile_flow_otp', 'desktop_flow_otp']) {
      const shown = await new Browser(url).send('GET', PAGE, { fields: { [name]: pad } })
      const sent = await logIn(new Browser(url), { email }, { [name]: pad })
      t.match([shown.status, sent.status], [400, 400], JSON.stringify(pad))
      t.match(shown.text, 'The app sent a wrong request.')
    }
  }
})

t.test('[APPLOGIN8] a log-in by a provider leads to the desktop app the same way', async (t) => {
  const { email, userId } = await people.addPerson()
  provider.people.set('d', { email, email_verified: true })
  const browser = new Browser(url)
  const { status, headers } = await signOn(browser, provider, 'd', desktop)
  t.equal(status, 303)
  t.notOk(await isIn(browser))
  const token = revealToken(headers.get('location'))
  t.match(await redeem(token), { status: 200, body: { user_id: userId } })
  const account = await people.addAccount()
  provider.people.set('e', { email: account.email, email_verified: true })
  const second = new Browser(url)
  t.equal((await signOn(second, provider, 'e', desktop)).headers.get('location'), '/accounts/login/code')
  const end = await people.secondStep(second, account.code())
  t.match(await redeem(revealToken(end.headers.get('location'))), { body: { email: account.email } })
})
