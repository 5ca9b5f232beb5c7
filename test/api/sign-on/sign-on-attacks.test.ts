/** Attacks on log-ins by a provider, at a real one. */

import t, { type Test } from 'tap'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { beginSignOn, returnTo, signOn, startPath } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const provider = await startLoginProvider(t)
const other = await startLoginProvider(t, { name: 'other' })
const env = {
  PUBLIC_URL,
  LOG_LEVEL: 'silent',
  OIDC_PROVIDERS: JSON.stringify([provider.settings, other.settings]),
}
const server = await startTestServer(t, { clock, env })
const { url } = server.node
for (const { people } of [provider, other]) {
  people.set('m', { email: emailOf('member'), email_verified: true })
  people.set('attacker', { email: emailOf('member2'), email_verified: true })
}
const OVER = 'This log-in has expired or began in another browser.'

/** Begins a log-in and agrees at the provider. */
async function prepare(subject = 'm', at = provider): Promise<{ browser: Browser; back: URL }> {
  const browser = new Browser(url)
  return { browser, back: await at.agree(await beginSignOn(browser, at), subject) }
}

/** Checks that an answer has a status and a text, and that its browser is not logged in. */
async function expectOut(
  t: Test,
  browser: Browser,
  answer: BrowserAnswer,
  [status, part]: readonly [number, string],
) {
  t.equal(answer.status, status)
  t.match(answer.text, part)
  t.equal((await browser.send('GET', '/json/users/me')).status, 401, 'nobody is logged in')
}

t.test('[SSO50] a return counts once', async (t) => {
  const { browser, back } = await prepare()
  const copied = browser.at(url)
  t.equal((await returnTo(browser, back)).status, 303)
  await expectOut(t, copied, await returnTo(copied, back), [400, OVER])
  const again = await returnTo(browser, back)
  t.equal(again.status, 400, 'nor in the same browser')
  const both = await prepare()
  const racing = both.browser.at(url)
  const answers = await Promise.all([returnTo(both.browser, both.back), returnTo(racing, both.back)])
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [303, 400],
    'nor at the same time',
  )
})

t.test('[SSO51] a used code, or the code of another log-in, logs nobody in', async (t) => {
  const used = await prepare()
  t.equal((await returnTo(used.browser, used.back)).status, 303)
  const victim = await prepare('m')
  for (const code of [used.back.searchParams.get('code'), victim.back.searchParams.get('code'), 'x', null]) {
    const { browser, back } = await prepare('attacker')
    if (code === null) back.searchParams.delete('code')
    else back.searchParams.set('code', code)
    await expectOut(t, browser, await returnTo(browser, back), [code === null ? 502 : 403, 'class="problem"'])
  }
})

t.test("[SSO52] no browser is logged in by another browser's return", async (t) => {
  const attacker = await prepare('attacker')
  const fresh = new Browser(url)
  await expectOut(t, fresh, await returnTo(fresh, attacker.back), [400, OVER])
  const victim = await prepare('m')
  await expectOut(t, victim.browser, await returnTo(victim.browser, attacker.back), [400, OVER])
  t.equal((await returnTo(victim.browser, victim.back)).status, 303, 'its own log-in goes on')
  t.equal((await victim.browser.send('GET', '/json/users/me')).body.user_id, 4)
})

t.test("[SSO53] a provider's answer counts for that provider only", async (t) => {
  const mixed = await prepare('attacker')
  mixed.back.pathname = `${startPath(other)}/callback`
  await expectOut(t, mixed.browser, await returnTo(mixed.browser, mixed.back), [400, OVER])
  for (const issuer of [other.url, '', undefined]) {
    const { browser, back } = await prepare('m')
    t.equal(back.searchParams.get('iss'), provider.url)
    if (issuer === undefined) back.searchParams.delete('iss')
    else back.searchParams.set('iss', issuer)
    await expectOut(t, browser, await returnTo(browser, back), [502, 'does not respond as expected'])
  }
})

t.test('[SSO54] a log-in leads to no other server afterwards', async (t) => {
  const wrong = [
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/a\r\nX: y',
  ]
  for (const next of [...wrong, 'evil', `/${'x'.repeat(3_000)}`, 'javascript:alert(1)']) {
    const answer = await signOn(new Browser(url), provider, 'm', { next })
    t.same([answer.status, answer.headers.get('location')], [303, '/'], next)
  }
  // Longer than a cookie when it is encoded: the log-in works without it.
  const long = await signOn(new Browser(url), provider, 'm', { next: `/${'é'.repeat(1_900)}` })
  t.equal(long.headers.get('location'), '/')
})

t.test('[SSO55] a log-in waits for ten minutes', async (t) => {
  const early = await prepare()
  clock.advance(600_000)
  t.equal((await returnTo(early.browser, early.back)).status, 303)
  const late = await prepare()
  clock.advance(600_001)
  await expectOut(t, late.browser, await returnTo(late.browser, late.back), [400, OVER])
})

t.test('[SSO56] a forged or altered cookie counts as none', async (t) => {
  const elsewhere = await startTestServer(t, { env })
  const foreign = new Browser(elsewhere.node.url)
  const back = await provider.agree(await beginSignOn(foreign, provider), 'm')
  const sealed = foreign.cookies.get('providerstep') ?? ''
  const own = await prepare()
  const right = own.browser.cookies.get('providerstep') ?? ''
  const swapped = right.startsWith('A') ? `B${right.slice(1)}` : `A${right.slice(1)}`
  for (const [value, address] of [
    [sealed, back],
    [swapped, own.back],
    [right.slice(0, -4), own.back],
    [right.slice(0, 20), own.back],
    ['x', own.back],
    ['x'.repeat(4_000), own.back],
    [`${right}; providerstep=${swapped}`, own.back],
  ] as const) {
    const browser = new Browser(url, [['providerstep', value]])
    await expectOut(t, browser, await returnTo(browser, address), [400, OVER])
  }
  t.equal((await returnTo(own.browser, own.back)).status, 303)
})

t.test('[SSO57] a refusal at the provider is a page without its words', async (t) => {
  const browser = new Browser(url)
  const back = await provider.refuse(await beginSignOn(browser, provider))
  t.match(back.search, 'error_description')
  const answer = await returnTo(browser, back)
  await expectOut(t, browser, answer, [403, 'The provider did not log you in.'])
  t.notMatch(answer.text, 'The person refused')
})

t.test('[SSO58] unknown providers look like unknown pages; other methods are refused', async (t) => {
  const browser = new Browser(url)
  for (const path of ['nobody', 'nobody/callback', 'EXAMPLE', 'example/more', 'x'.repeat(40), '%00'])
    t.equal((await browser.send('GET', `/accounts/login/oidc/${path}`)).status, 404, path)
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'])
    for (const path of [startPath(provider), `${startPath(provider)}/callback`])
      t.equal((await fetch(url + path, { method })).status, 405, `${method} ${path}`)
  t.same([...browser.cookies], [])
})

t.test('[SSO59] only this server reads the cookie of a log-in, and no script does', async (t) => {
  const plain = await new Browser(url).send('GET', startPath(provider))
  t.match(plain.headers.getSetCookie(), [
    /^providerstep=[A-Za-z0-9_-]+; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/,
  ])
  t.equal(plain.headers.get('cache-control'), 'no-store')
  const address = new URL(plain.headers.get('location') ?? '')
  const parameters = address.searchParams
  t.match(parameters.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge'])
    t.ok((parameters.get(name) ?? '').length >= 36, name)
  const secure = await startTestServer(t, { env: { ...env, PUBLIC_URL: 'https://chat.example.com' } })
  const hardened = await new Browser(secure.node.url).send('GET', startPath(provider))
  t.match(hardened.headers.getSetCookie(), [
    /^__Host-providerstep=[A-Za-z0-9_-]+; Path=\/; Max-Age=600; SameSite=Lax; Secure; HttpOnly$/,
  ])
})
