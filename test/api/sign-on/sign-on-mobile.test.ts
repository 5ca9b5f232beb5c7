/** Log-ins of mobile apps by a provider. */

import t from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { Client } from '../../harness/client/client.ts'
import { FactorAccounts } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { beginSignOn, signOn, startPath } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const provider = await startLoginProvider(t)
const clock = new ManualClock()
const server = await startTestServer(t, {
  clock,
  env: { PUBLIC_URL, OIDC_PROVIDERS: JSON.stringify([provider.settings]) },
})
const { url } = server.node
const people = new FactorAccounts(server, clock)
const OTP = '0123456789abcdefFEDCBA98765432100123456789abcdefFEDCBA9876543210'
provider.people.set('m', { email: emailOf('member'), email_verified: true })

/** The text that a pad hides, as an app computes it. */
function reveal(hidden: string, pad: string): string {
  const [text, key] = [Buffer.from(hidden, 'hex'), Buffer.from(pad, 'hex')]
  return String.fromCharCode(...text.map((byte, index) => byte ^ (key[index] as number)))
}

t.test('[SSO20] a mobile app gets an API key that its one-time pad hides', async (t) => {
  const browser = new Browser(url)
  const answer = await signOn(browser, provider, 'm', { mobile_flow_otp: OTP })
  t.equal(answer.status, 303)
  const address = new URL(answer.headers.get('location') ?? '')
  t.equal(address.protocol + address.host, 'zulip:login')
  const { otp_encrypted_api_key: hidden = '', ...others } = Object.fromEntries(address.searchParams)
  t.same(others, { email: emailOf('member'), user_id: '4', realm: PUBLIC_URL })
  t.match(hidden, /^[0-9a-f]{64}$/)
  const key = reveal(hidden, OTP)
  t.match(key, /^[A-Za-z0-9]{32}$/)
  const { user_id } = await new Client(url, 4, emailOf('member'), key).must('GET', '/users/me')
  t.equal(user_id, 4)
  t.same([...browser.cookies.keys()], ['logindevice'], 'the browser itself is not logged in')
  t.match((await browser.send('GET', '/json/users/me')).status, 401)
})

t.test('[SSO21] a malformed pad is refused before the provider is asked', async (t) => {
  for (const pad of ['', OTP.slice(1), `${OTP}0`, `g${OTP.slice(1)}`, `${OTP}\n`, ` ${OTP}`, '0x']) {
    const browser = new Browser(url)
    const { status, text, headers } = await browser.send('GET', startPath(provider), {
      fields: { mobile_flow_otp: pad },
    })
    t.equal(status, 400, JSON.stringify(pad))
    t.match(text, 'The app sent a wrong request.')
    t.equal(headers.get('location'), null)
    t.same([...browser.cookies], [])
  }
})

t.test('[SSO22] every log-in of an app has a key of its own, and a next page changes nothing', async (t) => {
  const keys = []
  for (let count = 0; count < 2; count++) {
    const answer = await signOn(new Browser(url), provider, 'm', { mobile_flow_otp: OTP, next: '/docs' })
    const address = new URL(answer.headers.get('location') ?? '')
    t.equal(address.protocol, 'zulip:')
    keys.push(reveal(address.searchParams.get('otp_encrypted_api_key') ?? '', OTP))
  }
  t.not(keys[0], keys[1])
})

t.test('[SSO23] the pad does not reach the provider', async (t) => {
  const address = await beginSignOn(new Browser(url), provider, { mobile_flow_otp: OTP })
  t.notMatch(address.toLowerCase(), OTP.toLowerCase())
})

/** A log-in of an app up to the page that asks for the code, by a person with an authenticator app. */
async function signOnHalf() {
  const account = await people.addAccount()
  const subject = `subject of ${account.email}`
  provider.people.set(subject, { email: account.email, email_verified: true })
  const browser = new Browser(url)
  const { status, headers } = await signOn(browser, provider, subject, { mobile_flow_otp: OTP })
  t.same([status, headers.get('location')], [303, '/accounts/login/code'])
  return { account, browser }
}

t.test('[SSO26] an app gets the key of an account with an authenticator app after its code', async (t) => {
  const { account, browser } = await signOnHalf()
  const isForApp = "form-action 'self' zulip:;"
  const shown = await browser.send('GET', '/accounts/login/code')
  t.match([shown.status, shown.headers.get('content-security-policy')], [200, isForApp])
  const wrong = await people.secondStep(browser, '000')
  t.match([wrong.status, wrong.headers.get('content-security-policy')], [403, isForApp])
  t.equal(wrong.headers.get('location'), null)
  const copied = browser.at(url)
  // Neither another pad nor another page counts, since the form of the browser is not the app.
  const forged = { mobile_flow_otp: '0'.repeat(64), pad: '0'.repeat(64), next: '/docs' }
  const { status, headers } = await people.secondStep(browser, account.code(), forged)
  t.equal(status, 303)
  const address = new URL(headers.get('location') ?? '')
  t.equal(address.protocol + address.host, 'zulip:login')
  t.match(Object.fromEntries(address.searchParams), { email: account.email, realm: PUBLIC_URL })
  const key = reveal(address.searchParams.get('otp_encrypted_api_key') ?? '', OTP)
  const { user_id } = await new Client(url, 0, account.email, key).must('GET', '/users/me')
  t.equal(user_id, account.client.userId)
  t.same([...browser.cookies.keys()], ['logindevice'], 'the browser itself is not logged in')
  const again = await people.secondStep(copied, account.code())
  t.same(
    [again.status, again.headers.get('location')],
    [303, '/accounts/login'],
    'a step ends with its log-in',
  )
  const other = await signOnHalf()
  const [recovery = ''] = other.account.recoveryCodes
  t.match((await people.secondStep(other.browser, recovery)).headers.get('location'), /^zulip:/)
})

t.test('[SSO27] the pad of an app is in no cookie, page or row while its code is awaited', async (t) => {
  const { browser } = await signOnHalf()
  const { text, headers } = await browser.send('GET', '/accounts/login/code')
  const rows = await server.node.services.sql`select half_logins::text as row from half_logins`
  t.ok(rows.length > 0)
  const seen = [text, ...[...headers].flat(), browser.cookieHeader, ...rows.map(({ row }) => String(row))]
  t.notOk(seen.join(' ').toLowerCase().includes(OTP.toLowerCase()))
})

t.test('[SSO28] a log-in of a browser leads to no app, whatever its form sends', async (t) => {
  const account = await people.addAccount()
  const browser = await people.firstStep(account.email)
  const shown = await browser.send('GET', '/accounts/login/code', { fields: { mobile_flow_otp: OTP } })
  t.match(shown.headers.get('content-security-policy'), "form-action 'self';")
  const { headers } = await people.secondStep(browser, account.code(), { mobile_flow_otp: OTP })
  t.equal(headers.get('location'), '/')
})

t.test('[SSO29] a password changed meanwhile ends the log-in of an app', async (t) => {
  const { account, browser } = await signOnHalf()
  const { sql, passwords } = server.node.services
  const { userId } = account.client
  await storePasswordHash(sql, userId as UserId, await passwords.hash('another password'))
  const { status, headers } = await people.secondStep(browser, account.code())
  t.same([status, headers.get('location')], [303, '/accounts/login'])
})
