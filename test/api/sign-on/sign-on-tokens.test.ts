/** Providers that lie, hang or break. */

import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { returnTo } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL } from '../../harness/sign-on/start-login-provider.ts'
import { type Lie, NAME, startLyingProvider } from '../../harness/sign-on/start-lying-provider.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'

const clock = new ManualClock()
const provider = await startLyingProvider(t)
const elsewhere = await startLyingProvider(t)
const server = await startTestServer(t, {
  clock,
  env: {
    PUBLIC_URL,
    LOG_LEVEL: 'silent',
    OIDC_PROVIDERS: JSON.stringify([{ ...provider.settings, accounts: 'anyone' }]),
  },
})
const { url } = server.node
const { sql } = server.node.services
const START = `/accounts/login/oidc/${NAME}`
const DESCRIPTION = '/.well-known/openid-configuration'
const FAILED = 'The provider does not respond as expected.'
/** The description is fetched anew then. */
const HOUR_MS = 3_600_000
/** A provider that answers no sooner is given up. */
const ANSWER_MS_MAX = 6_000
const MEMBER_ID = 4

async function signOn(browser = new Browser(url)): Promise<BrowserAnswer> {
  const started = await browser.send('GET', START)
  const location = started.headers.get('location')
  return location === null ? started : returnTo(browser, provider.agree(location))
}

async function expectFailure(t: Test, answer: BrowserAnswer, message: string): Promise<void> {
  t.equal(answer.status, 502, message)
  t.match(answer.text, FAILED)
  t.notOk(answer.headers.getSetCookie().some((cookie) => cookie.startsWith('sessionid=')))
  t.equal((await sql`select from login_links`).length, 0, `${message}: nothing is linked`)
}

/** Lets requests of a path hang from now on; resolves once so many do. */
function hang(
  path: string,
  count: number,
  begin: (response: ServerResponse) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    provider.odd.set(path, async (response) => {
      await begin(response)
      if (--left === 0) resolve()
    })
  })
}

const now = () => Math.floor(Date.now() / 1000)
const withClaims = (claims: Record<string, unknown>): Lie => ({
  claims: (right) => ({ ...right, ...claims }),
})
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const payloadOf = (token: string) => token.split('.')[1] ?? ''
const { privateKey: foreignKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const LIES: Readonly<Record<string, Lie>> = {
  'another nonce': withClaims({ nonce: 'another' }),
  'no nonce': withClaims({ nonce: undefined }),
  'another audience': withClaims({ aud: 'another client' }),
  'two audiences without the one meant': withClaims({ aud: ['the client', 'another client'] }),
  'another authorized party': withClaims({ azp: 'another client' }),
  'another issuer': withClaims({ iss: elsewhere.url }),
  'no issuer': withClaims({ iss: undefined }),
  'an expired token': withClaims({ iat: now() - 900, exp: now() - 600 }),
  'no expiry': withClaims({ exp: undefined }),
  'a token of the future': withClaims({ nbf: now() + 600 }),
  'no person': withClaims({ sub: undefined }),
  'an empty person': withClaims({ sub: '' }),
  'a number as person': withClaims({ sub: 7 }),
  'a person who is too long': withClaims({ sub: 'x'.repeat(256) }),
  'a person with a null character': withClaims({ sub: 'a\u0000b' }),
  'the key of another': { key: foreignKey },
  'an unknown key': { header: { kid: 'unknown' } },
  'no signature': { token: (right) => `${part({ alg: 'none' })}.${payloadOf(right)}.` },
  'a signature by the public key': {
    token: (right) => {
      const signed = `${part({ alg: 'HS256', kid: 'one' })}.${payloadOf(right)}`
      const key = provider.publicKey.export({ type: 'spki', format: 'pem' })
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
    },
  },
  "another token's signature": {
    token: (right) => {
      const [header, payload = '', signature] = right.split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      return [header, part({ ...claims, sub: 'another person' }), signature].join('.')
    },
  },
  nonsense: { token: () => 'nonsense' },
  'no token': { token: () => undefined },
}

t.test('[SSO70] a token that is wrong in any part logs nobody in', async (t) => {
  for (const [message, lie] of Object.entries(LIES)) {
    provider.lie = lie
    await expectFailure(t, await signOn(), message)
  }
  provider.lie = withClaims({ email: undefined, email_verified: undefined })
  for (const person of [
    { sub: 'another person', email: 'owner@example.com', email_verified: true },
    { email: 'owner@example.com', email_verified: true },
  ]) {
    provider.person = person
    await expectFailure(t, await signOn(), 'the description of another person')
  }
  provider.lie = {}
})

/** Odd answers, by name. */
const ODD: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'an error': (response) => response.writeHead(500).end('{}'),
  'a redirect': (response) => response.writeHead(302, { location: `${elsewhere.url}${DESCRIPTION}` }).end(),
  'no JSON': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
  'a page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'a list': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  'a long answer': (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ issuer: provider.url, more: 'x'.repeat(300_000) })),
  'a cut answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{')
    response.destroy()
  },
  'no answer': (response) => response.destroy(),
}

t.test('[SSO71] a provider that breaks gives a page, and log-ins work again once it is mended', async (t) => {
  for (const path of [DESCRIPTION, '/token', '/keys']) {
    for (const [message, odd] of Object.entries(ODD)) {
      clock.advance(HOUR_MS)
      provider.odd.set(path, odd)
      await expectFailure(t, await signOn(), `${path}: ${message}`)
      provider.odd.delete(path)
    }
  }
  t.same(elsewhere.requests, [], 'it follows no redirect')
  t.equal((await signOn()).status, 303)
  await sql`delete from login_links`
})

t.test('[SSO72] a description that leads elsewhere or nowhere is refused', async (t) => {
  for (const described of [
    { issuer: elsewhere.url },
    { issuer: undefined },
    { token_endpoint: undefined },
    { token_endpoint: 'http://example.com/token' },
    { token_endpoint: 'file:///etc/passwd' },
    { authorization_endpoint: undefined },
    { authorization_endpoint: 'javascript:alert(1)' },
    { authorization_endpoint: 'http://example.com/authorize' },
    { jwks_uri: undefined },
  ]) {
    clock.advance(HOUR_MS)
    provider.described = described
    await expectFailure(t, await signOn(), JSON.stringify(described))
  }
  provider.described = {}
  clock.advance(HOUR_MS)
})

t.test('[SSO73] a description is fetched once an hour, however many log-ins begin', async (t) => {
  clock.advance(HOUR_MS)
  const count = () => provider.requests.filter((path) => path === DESCRIPTION).length
  const before = count()
  await Promise.all(Array.from({ length: 5 }, () => new Browser(url).send('GET', START)))
  t.equal(count(), before + 1)
  clock.advance(HOUR_MS - 1)
  await new Browser(url).send('GET', START)
  t.equal(count(), before + 1)
  clock.advance(1)
  await new Browser(url).send('GET', START)
  t.equal(count(), before + 2)
})

t.test('[SSO74] a provider that hangs holds up nothing else, and its log-ins end with a page', async (t) => {
  clock.advance(HOUR_MS)
  const isHanging = hang(DESCRIPTION, 1)
  let isOver = false
  const hanging = Promise.all([1, 2, 3].map(() => signOn())).finally(() => {
    isOver = true
  })
  await isHanging
  clock.advance(ANSWER_MS_MAX - 1)
  t.equal((await new Browser(url).send('GET', '/accounts/login')).status, 200)
  t.equal((await server.as('member').get('/users/me')).status, 200)
  t.notOk(isOver)
  clock.advance(1)
  // A log-in that begins after that moment waits for an answer of its own.
  await pollUntil('each log-in has ended', () => {
    clock.advance(ANSWER_MS_MAX)
    return isOver
  })
  for (const answer of await hanging) await expectFailure(t, answer, 'hangs')
  // An answer that never ends is one, too.
  const hasBegun = hang(DESCRIPTION, 1, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    return new Promise((resolve) => response.write('{', () => resolve()))
  })
  const unfinished = signOn()
  await hasBegun
  // Meanwhile the beginning arrives.
  t.equal((await server.as('member').get('/users/me')).status, 200)
  clock.advance(ANSWER_MS_MAX)
  await expectFailure(t, await unfinished, 'never ends')
  provider.odd.delete(DESCRIPTION)
})

t.test('[SSO75] at most fifty log-ins wait for a provider', async (t) => {
  const returns: { browser: Browser; back: URL }[] = []
  for (let count = 0; count < 51; count++) {
    const browser = new Browser(url)
    const started = await browser.send('GET', START)
    returns.push({ browser, back: provider.agree(started.headers.get('location') ?? '') })
  }
  const areHanging = hang('/token', 50)
  const answered = Promise.all(returns.map(({ browser, back }) => returnTo(browser, back)))
  await areHanging
  clock.advance(ANSWER_MS_MAX)
  const answers = await answered
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
  t.same(
    statuses.slice(0, 50),
    Array.from({ length: 50 }, () => 502),
  )
  t.equal(statuses[50], 503)
  provider.odd.delete('/token')
})

t.test('[SSO76] a true token logs its person in', async (t) => {
  const browser = new Browser(url)
  t.equal((await signOn(browser)).status, 303)
  t.equal((await browser.send('GET', '/json/users/me')).body.user_id, MEMBER_ID)
})
