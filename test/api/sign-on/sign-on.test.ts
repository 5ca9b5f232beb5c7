/** Log-ins by OpenID Connect, with a real provider. */

import { TOTP } from 'otpauth'
import t, { type Test } from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import { Passwords } from '../../../server/changes/passwords.ts'
import { readConfig } from '../../../server/config.ts'
import { ConfigError } from '../../../server/config.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { beginSignOn, returnTo, signOn } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const provider = await startLoginProvider(t)
const other = await startLoginProvider(t, {
  name: 'other',
  hasClaimsInTokens: true,
  tokenAuthentication: 'client_secret_post',
})
const providers = [
  { ...provider.settings, display_name: 'The <Example>', icon: 'https://example.com/icon.png' },
  other.settings,
]
const clock = new ManualClock()
const server = await startTestServer(t, {
  clock,
  env: { PUBLIC_URL, OIDC_PROVIDERS: JSON.stringify(providers) },
})
const { url } = server.node
const { sql } = server.node.services
const userOf = async (browser: Browser): Promise<number | undefined> =>
  (await browser.send('GET', '/json/users/me')).body.user_id

/** Checks that an answer logs nobody in. */
function expectPage(t: Test, { status, text, headers }: BrowserAnswer, wanted: number, part: string) {
  t.equal(status, wanted)
  t.match(text, part)
  t.notOk(headers.getSetCookie().some((cookie) => cookie.startsWith('sessionid=')))
}

t.test(
  '[SSO1] the first log-in joins an account by its verified address; the next finds it by its subject',
  async (t) => {
    provider.people.set('m', { email: emailOf('member').toUpperCase(), email_verified: true })
    const first = new Browser(url)
    const answer = await signOn(first, provider, 'm')
    t.same([answer.status, answer.headers.get('location')], [303, '/'])
    t.equal(await userOf(first), 4)
    t.equal((await first.send('GET', '/accounts/login')).status, 303, 'nobody logs in twice')
    provider.people.set('m', { email: 'elsewhere@example.com', email_verified: false })
    const second = new Browser(url)
    await signOn(second, provider, 'm')
    t.equal(await userOf(second), 4, 'whatever the address is now')
    t.equal(await userOf(first), 4, 'the other browser is still logged in')
  },
)

t.test('[SSO2] a provider may describe people in its tokens or on request', async (t) => {
  other.people.set('a', { email: emailOf('administrator'), email_verified: true })
  const browser = new Browser(url)
  await signOn(browser, other, 'a')
  t.equal(await userOf(browser), 2)
  t.notOk(other.requests.includes('GET /me'))
  t.ok(provider.requests.includes('GET /me'))
})

t.test('[SSO3] the log-in page leads to each provider and on to the next page', async (t) => {
  const page = await new Browser(url).send('GET', '/accounts/login', { fields: { next: '/docs?a=1' } })
  t.match(
    page.text,
    'href="/accounts/login/oidc/example?next=%2Fdocs%3Fa%3D1">Log in with The &lt;Example&gt;</a>',
  )
  t.match(page.text, 'Log in with other</a>')
  const browser = new Browser(url)
  const answer = await signOn(browser, provider, 'm', { next: '/docs?a=1' })
  t.equal(answer.headers.get('location'), '/docs?a=1')
})

t.test('[SSO4] clients read the providers in the server settings', async (t) => {
  const { authentication_methods: methods, external_authentication_methods: external } =
    await server.anyone.must('GET', '/server_settings')
  t.equal(methods['openid connect'], true)
  t.same(external, [
    {
      name: 'oidc:example',
      display_name: 'The <Example>',
      display_icon: 'https://example.com/icon.png',
      login_url: '/accounts/login/oidc/example',
      signup_url: '/accounts/login/oidc/example',
    },
    {
      name: 'oidc:other',
      display_name: 'other',
      display_icon: null,
      login_url: '/accounts/login/oidc/other',
      signup_url: '/accounts/login/oidc/other',
    },
    {
      name: 'browser',
      display_name: 'your browser',
      display_icon: null,
      login_url: '/accounts/login',
      signup_url: '/accounts/login',
    },
  ])
})

t.test('[SSO5] an address that the provider has not verified joins no account', async (t) => {
  for (const [index, claims] of [
    { email: emailOf('owner'), email_verified: false },
    { email: emailOf('owner') },
    { email: emailOf('owner'), email_verified: 'true' },
    { email: emailOf('owner'), xms_edov: false },
    { email: emailOf('owner'), xms_edov: '0' },
    { email: emailOf('owner'), email_verified: false, xms_edov: true },
    { email_verified: true },
    {},
  ].entries()) {
    for (const one of [provider, other]) {
      one.people.set(`unverified ${index}`, claims)
      const answer = await signOn(new Browser(url), one, `unverified ${index}`)
      expectPage(t, answer, 403, 'has not confirmed your email address')
    }
  }
})

t.test('[SSO98] an address counts whose domain Microsoft Entra says the company owns', async (t) => {
  for (const [index, xms_edov] of [true, 1, '1', 'true'].entries()) {
    const { email, userId } = await addUser(server, `edov-${index}`)
    other.people.set(`edov ${index}`, { email, xms_edov })
    const browser = new Browser(url)
    t.equal((await signOn(browser, other, `edov ${index}`)).status, 303, String(xms_edov))
    t.equal(await userOf(browser), userId)
  }
})

t.test('[SSO13] an address that equals another one only by its letters is no address', async (t) => {
  const { email } = await addUser(server, 'kelvin')
  for (const [index, verified] of [email.replace('k', '\u212a'), email.replace('i', '\u0130')].entries()) {
    provider.people.set(`look-alike ${index}`, { email: verified, email_verified: true })
    const browser = new Browser(url)
    expectPage(
      t,
      await signOn(browser, provider, `look-alike ${index}`),
      403,
      'You have no account here yet.',
    )
  }
  provider.people.set('kelvin', { email: email.toUpperCase(), email_verified: true })
  t.equal((await signOn(new Browser(url), provider, 'kelvin')).status, 303)
})

t.test(
  '[SSO14] an API key alone sets neither password nor address of an account without a password',
  async (t) => {
    const client = await addUser(server, 'nopassword')
    provider.people.set('nopassword', { email: client.email, email_verified: true })
    const browser = new Browser(url)
    await signOn(browser, provider, 'nopassword')
    for (const fields of [{ new_password: 'of the thief' }, { email: 'thief@example.com' }])
      expectRefusal(t, await client.patch('/settings', fields), 'Wrong password!')
    t.same(await sql`select email from address_changes`, [])
    clock.advance(600_000)
    t.equal((await browser.call('PATCH', '/json/settings', { new_password: 'of the thief' })).status, 400)
    await signOn(browser, provider, 'nopassword')
    t.equal((await browser.call('PATCH', '/json/settings', { new_password: 'correct horse' })).status, 200)
    t.equal((await new Browser(url).logIn(client.email, 'correct horse')).status, 200)
    t.equal((await new Browser(url).logIn(client.email, 'of the thief')).status, 401)
  },
)

t.test('[SSO6] no other subject of a provider takes over a linked account', async (t) => {
  provider.people.set('g', { email: emailOf('guest'), email_verified: true })
  await signOn(new Browser(url), provider, 'g')
  provider.people.set('g again', { email: emailOf('guest'), email_verified: true })
  expectPage(t, await signOn(new Browser(url), provider, 'g again'), 403, 'is linked to another account')
  // The subject of another account gets the address of this one: it stays with its own.
  provider.people.set('m', { email: emailOf('guest'), email_verified: true })
  const browser = new Browser(url)
  await signOn(browser, provider, 'm')
  t.equal(await userOf(browser), 4)
  // Another provider is another matter: it has verified the address, too.
  other.people.set('g', { email: emailOf('guest'), email_verified: true })
  const guest = new Browser(url)
  await signOn(guest, other, 'g')
  t.equal(await userOf(guest), 6)
  t.same(await sql`select count(*)::int as count from login_links where user_id = 6`, [{ count: 2 }])
})

t.test('[SSO15] a subject that logs in with two addresses at once joins one account', async (t) => {
  const [one, two] = [await addUser(server, 'twofold'), await addUser(server, 'twofold2')]
  const browsers = [new Browser(url), new Browser(url)]
  const coming = await sql.begin(async (transaction) => {
    await transaction`lock table login_links in exclusive mode`
    const answers: Promise<BrowserAnswer>[] = []
    for (const [index, { email }] of [one, two].entries()) {
      provider.people.set('twofold', { email, email_verified: true })
      answers.push(signOn(browsers[index] as Browser, provider, 'twofold'))
      await pollUntil('the log-in joins an account', async () => {
        // Other tests wait in other databases of the same server.
        const [row] = await sql`select count(*)::int as count from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())`
        return row?.['count'] === index + 1
      })
    }
    return { answers }
  })
  const statuses = (await Promise.all(coming.answers)).map(({ status }) => status)
  t.same(new Set(statuses), new Set([303, 403]))
  const [link] = await sql`select user_id as id from login_links where subject = 'twofold'`
  const users = await Promise.all(browsers.map(userOf))
  t.same(
    users.filter((id) => id !== undefined),
    [link?.['id']],
  )
})

t.test('[SSO7] a deactivated account stays out, and comes back with its link', async (t) => {
  const leaving = await addUser(server, 'leaving')
  const [linked, unlinked] = ['leaving', 'leaving elsewhere']
  for (const subject of [linked, unlinked])
    provider.people.set(subject, { email: leaving.email, email_verified: true })
  await signOn(new Browser(url), provider, linked)
  const owner = server.as('owner')
  await owner.must('DELETE', `/users/${leaving.userId}`)
  for (const subject of [linked, unlinked])
    expectPage(t, await signOn(new Browser(url), provider, subject), 403, 'Account is deactivated')
  await owner.must('POST', `/users/${leaving.userId}/reactivate`)
  const browser = new Browser(url)
  await signOn(browser, provider, linked)
  t.equal(await userOf(browser), leaving.userId)
})

t.test('[SSO8] a provider logs nobody in to a bot', async (t) => {
  provider.people.set('bot', { email: emailOf('bot'), email_verified: true })
  expectPage(t, await signOn(new Browser(url), provider, 'bot'), 403, 'You have no account here')
})

t.test('[SSO9] a log-in by a provider replaces the session of its browser with a new one', async (t) => {
  const password = 'a good password'
  await storePasswordHash(sql, 5 as UserId, await new Passwords({ N: 2 ** 10 }).hash(password))
  const browser = new Browser(url)
  await browser.logIn(emailOf('member2'), password)
  const before = browser.at(url)
  await signOn(browser, provider, 'm')
  t.equal(await userOf(browser), 4)
  t.not(browser.cookies.get('sessionid'), before.cookies.get('sessionid'))
  t.equal((await before.send('GET', '/json/users/me')).status, 401, 'the session before has ended')
  t.notOk(browser.cookies.has('providerstep'), 'only the session is left')
})

t.test('[SSO10] a log-in begins in one process and ends in another', async (t) => {
  const another = await server.startAnotherNode()
  const browser = new Browser(url)
  const back = await provider.agree(await beginSignOn(browser, provider), 'm')
  const elsewhere = browser.at(another.node.url)
  t.equal((await elsewhere.send('GET', back.pathname + back.search)).status, 303)
  t.equal(await userOf(elsewhere), 4)
})

t.test('[SSO11] an invalid list of providers is explained without its secrets', async (t) => {
  const right = { name: 'a', issuer: 'https://example.com', client_id: 'id', client_secret: 'hidden' }
  const wrong: readonly (readonly [unknown, string])[] = [
    [{}, 'must be a JSON list'],
    [[7], 'must be a JSON object'],
    [[{ ...right, client_secret: undefined }], 'must have client_secret'],
    [[{ ...right, clientsecret: 'hidden' }], "must not have 'clientsecret'"],
    [[{ ...right, client_secret: '' }], 'must have a text of 1 to 2000 characters as client_secret'],
    [[{ ...right, name: '../a' }], 'must have a name of lower-case letters'],
    [[{ ...right, accounts: 'all' }], 'must have one of invited, domains, anyone'],
    [[{ ...right, issuer: 'http://example.com' }], 'must have an issuer that starts with https://'],
    [[{ ...right, issuer: 'https://example.com?a' }], 'must have an issuer'],
    [[{ ...right, icon: 'javascript:alert(1)' }], 'must have an icon'],
    [[{ ...right, display_name: 'x'.repeat(61) }], 'must have a display_name'],
    [[right, right], 'must not have two providers of the name a'],
    [Array.from({ length: 21 }, () => right), 'must be a JSON list of at most 20'],
  ]
  for (const [value, message] of [...wrong, ['[', 'must be valid JSON'] as const]) {
    const text = value === '[' ? '[hidden' : JSON.stringify(value)
    const error = errorOf(() => readConfig({ OIDC_PROVIDERS: text }))
    t.ok(error instanceof ConfigError, message)
    t.match(error, { message: `OIDC_PROVIDERS ${message}` })
    t.notMatch(String(error), 'hidden')
  }
  for (const issuer of ['http://localhost:1', 'http://[::1]:1', 'https://example.com/realms/a'])
    t.equal(
      readConfig({ OIDC_PROVIDERS: JSON.stringify([{ ...right, issuer }]) }).loginProviders[0]?.issuer,
      issuer,
    )
  t.same(readConfig({}).loginProviders, [])
})

function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

t.test(
  '[SSO12] an account with an authenticator app needs its code after the provider, with a password or without',
  async (t) => {
    const password = 'correct horse battery'
    const person = await addUser(server, 'careful')
    const userId = person.userId as UserId
    await storePasswordHash(sql, userId, await server.node.services.passwords.hash(password))
    const { secret } = await person.must('POST', '/users/me/two_factor/totp', { password })
    const otp_token = new TOTP({ secret }).generate({ timestamp: clock.nowMs() })
    const { recovery_codes } = await person.must('POST', '/users/me/two_factor/totp/confirm', { otp_token })
    provider.people.set('careful', { email: person.email, email_verified: true })
    const enter = (browser: Browser, code: string) =>
      browser.send('POST', '/accounts/login/code', { fields: { code, next: '/docs' } })
    for (const code of recovery_codes.slice(0, 2)) {
      const browser = new Browser(url)
      const answer = await signOn(browser, provider, 'careful', { next: '/docs' })
      expectPage(t, answer, 303, '')
      t.equal(answer.headers.get('location'), '/accounts/login/code?next=%2Fdocs')
      t.equal(await userOf(browser), undefined)
      t.equal((await browser.send('GET', '/accounts/login/code')).status, 200)
      t.equal((await enter(browser, otp_token)).status, 403, 'the code is used')
      t.equal(await userOf(browser), undefined)
      t.equal((await enter(browser, code)).headers.get('location'), '/docs')
      t.equal(await userOf(browser), userId)
      await sql`update users set password_hash = null where id = ${userId}`
    }
  },
)

t.test('[SSO60] owners see log-ins that failed at a provider or after it, with the account', async (t) => {
  const owner = server.as('owner')
  const { services } = server.node
  const [gone, stranger] = [await addUser(server, 'gone'), 'nobody@elsewhere.example']
  await owner.must('DELETE', `/users/${gone.userId}`)
  provider.people.set('gone', { email: gone.email, email_verified: true })
  provider.people.set('stranger', { email: stranger, email_verified: true })
  const passMinute = async () => {
    clock.advance(60_000)
    await services.committer.drain()
  }
  const read = async () =>
    (await owner.must('GET', '/realm/audit_log', { kinds: ['access_refused'], limit: 50 })).entries
  await passMinute()
  const before = new Set((await read()).map(({ id }) => id))
  expectPage(t, await signOn(new Browser(url), provider, 'gone'), 403, 'Account is deactivated')
  expectPage(t, await signOn(new Browser(url), provider, 'stranger'), 403, 'You have no account here')
  const browser = new Browser(url)
  const back = await provider.refuse(await beginSignOn(browser, provider))
  expectPage(t, await returnTo(browser, back), 403, 'did not log you in')
  await passMinute()
  const common = { refusal: 'log_in', network: '127.0.0.1', operation: `GET ${back.pathname}` }
  t.same(
    (await read()).filter(({ id }) => !before.has(id)).map(({ details }) => details),
    [
      { ...common, user_id: null, count: 2 },
      { ...common, user_id: gone.userId, count: 1 },
    ],
  )
})
