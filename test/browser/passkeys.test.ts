/** Passkeys in a real Chromium with a virtual authenticator, and attacks on them. */

import { createDecipheriv } from 'node:crypto'
import t from 'tap'
import { findPasskey } from '../../db/accounts/passkeys.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { startChromium } from '../harness/chromium.ts'
import { FactorAccounts, PROOF } from '../harness/factor-accounts.ts'
import { ManualClock } from '../harness/manual-clock.ts'
import { PasskeyBrowser } from '../harness/passkey-browser.ts'
import { startTestServer } from '../harness/start-server.ts'
import { findFaults } from './find-faults.ts'

const clock = new ManualClock()
// Browsers make passkeys for names, not for network addresses.
const server = await startTestServer(t, { clock, env: { HOST: 'localhost' } })
const { sql } = server.node.services
const { url } = server.node
const owner = server.as('owner')
const people = new FactorAccounts(server, clock)
const chromium = await startChromium(t)

const open = () => PasskeyBrowser.open(chromium, url)
const REFUSED = {
  status: 401,
  body: { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'The passkey was not accepted' },
}
const NOT_ADDED = { status: 400, body: { msg: 'The passkey was not accepted.' } }
const isIn = async (browser: PasskeyBrowser) => (await browser.post('/users/me', {}, 'GET')).status === 200

/** Makes a passkey by the API, within a fresh session. */
async function addPasskey(browser: PasskeyBrowser): Promise<string> {
  const { body } = await browser.post('/users/me/passkeys/options')
  const credential = await browser.answerEnrolment(body.options)
  const added = await browser.post('/users/me/passkeys', { credential, name: 'My phone' })
  t.equal(added.status, 200)
  return added.body.id
}

/** A person with a passkey, whose browser is at the log-in page. */
async function withPasskey() {
  const person = await people.addPerson()
  const browser = await open()
  await browser.logIn(person.email, PROOF.password)
  await browser.page.goto('/accounts/security')
  const id = await addPasskey(browser)
  await browser.post('/logout')
  await browser.page.goto('/accounts/login')
  t.notOk(await isIn(browser))
  return { person, browser, id }
}

t.test(
  '[PASSKEY1] a person adds a passkey on the page, and logs in by it without password and code',
  async (t) => {
    const account = await people.addAccount()
    const browser = await open()
    const { page } = browser
    await browser.logIn(account.email, PROOF.password, account.code())
    const answer = await page.goto('/accounts/security')
    t.match(answer?.headers()['content-security-policy'], "script-src 'self'")
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('never used').waitFor()
    t.equal((await browser.credentials()).length, 1)
    await browser.post('/logout')
    await page.goto('/accounts/login?next=/accounts/security')
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Account security' }).waitFor()
    t.match(await page.getByRole('main').textContent(), account.email)
    const { body } = await browser.post('/users/me/passkeys', {}, 'GET')
    t.match(body.passkeys, [
      { name: /^Chrome/, is_synced: false, last_used_at: Math.floor(clock.nowMs() / 1000) },
    ])
    t.same(
      (await browser.context.cookies())
        .map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])
        .sort(([a = ''], [b = '']) => (String(a) < String(b) ? -1 : 1)),
      [
        ['csrftoken', false, 'Lax'],
        ['logindevice', true, 'Lax'],
        ['sessionid', true, 'Lax'],
      ],
    )
  },
)

t.test('[PASSKEY19] a passkey logs a waiting app in, and not the browser', async (t) => {
  const { person, browser } = await withPasskey()
  const pad = '0123456789abcdef'.repeat(4)
  const { page } = browser
  await page.goto(`/accounts/login/?mobile_flow_otp=${pad}`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  const address = await page.getByRole('link', { name: 'Continue in the app' }).getAttribute('href')
  t.match(address, /^zulip:\/\/login\?.*otp_encrypted_api_key=[0-9a-f]{64}$/)
  t.equal(new URL(address ?? '').searchParams.get('email'), person.email)
  t.notOk(await isIn(browser))

  await page.goto(`/accounts/login/?desktop_flow_otp=${pad}`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByRole('button', { name: 'Copy token' }).waitFor()
  t.notOk(await isIn(browser))
  const bytes = Buffer.from(await page.getByLabel('Token').inputValue(), 'hex')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(pad, 'hex'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  const token = decipher.update(bytes.subarray(12, -16)).toString('latin1') + decipher.final('latin1')
  const app = await open()
  t.match(await app.post('/login/desktop', { token }), { status: 200, body: { email: person.email } })
  t.ok(await isIn(app))
  t.equal((await app.post('/login/desktop', { token })).status, 401)

  await page.goto('/accounts/login')
  for (const wrong of ['', pad.slice(1), `${pad}0`]) {
    const credential = await browser.answerLogin()
    const { status } = await browser.post('/login/passkey', { credential, desktop_flow_otp: wrong })
    t.equal(status, 400, wrong)
  }
})

t.test('[PASSKEY2] a challenge is answered once, by its own browser, within five minutes', async (t) => {
  const { browser } = await withPasskey()
  const answer = await browser.answerLogin()
  const other = await open()
  t.match(await other.sendLogin(answer), REFUSED, 'a browser without a challenge')
  await other.post('/login/passkey/options')
  t.match(await other.sendLogin(answer), REFUSED, 'a browser with another challenge')
  const cookies = await browser.context.cookies()
  t.match(await browser.sendLogin(answer), { status: 200 })
  await browser.post('/logout')
  await browser.context.addCookies(cookies)
  t.match(await browser.sendLogin(answer), REFUSED, 'a replay, with the cookie')
  const wrong = JSON.parse(await browser.answerLogin())
  const spent = await browser.context.cookies()
  t.match(await browser.sendLogin(JSON.stringify({ ...wrong, id: 'AAAA', rawId: 'AAAA' })), REFUSED)
  await browser.context.addCookies(spent)
  t.match(await browser.sendLogin(JSON.stringify(wrong)), REFUSED, 'a wrong answer uses the challenge up')
  const late = await browser.answerLogin()
  clock.advance(300_000)
  t.match(await browser.sendLogin(late), REFUSED, 'too late')
  await browser.post('/login/passkey/options')
  clock.advance(300_000)
  await browser.post('/login/passkey/options')
  await cleanUp(sql, new Date(clock.nowMs()))
  t.equal((await sql`select from passkey_challenges`).length, 1, 'only old challenges are removed')
})

t.test('[PASSKEY3] a copied passkey is refused once its count has fallen behind', async (t) => {
  const { browser } = await withPasskey()
  const copy = await open()
  await copy.copyFrom(browser)
  await copy.page.goto('/accounts/login')
  for (const _ of [1, 2, 3]) t.match(await browser.sendLogin(await browser.answerLogin()), { status: 200 })
  t.match(await copy.sendLogin(await copy.answerLogin()), REFUSED)
  t.match(await browser.sendLogin(await browser.answerLogin()), { status: 200 }, 'the original goes on')
})

t.test('[PASSKEY4] the device must have checked its user', async (t) => {
  const { browser } = await withPasskey()
  await browser.stopVerifying()
  const answer = await browser.answerLogin({ userVerification: 'discouraged' })
  const flags = Buffer.from(JSON.parse(answer).response.authenticatorData, 'base64url')[32] ?? 0
  t.equal(flags & 4, 0, 'the device has not')
  t.match(await browser.sendLogin(answer), REFUSED)
})

t.test('[PASSKEY5] users list, rename and remove their own passkeys; a removed one is refused', async (t) => {
  const { person, browser, id } = await withPasskey()
  t.match(await person.must('GET', '/users/me/passkeys'), {
    passkeys: [{ id, name: 'My phone', last_used_at: null }],
  })
  await person.must('PATCH', `/users/me/passkeys/${id}`, { name: '<b>Key</b>' })
  const other = await people.addPerson()
  t.same((await other.must('GET', '/users/me/passkeys')).passkeys, [])
  const absent = { status: 404, body: { code: 'NOT_FOUND', msg: 'Passkey does not exist.' } }
  for (const one of [id, 'nothing']) {
    t.match(await other.patch(`/users/me/passkeys/${one}`, { name: 'x' }), absent)
    t.match(await other.delete(`/users/me/passkeys/${one}`, PROOF), absent)
  }
  t.equal((await person.patch(`/users/me/passkeys/${id}`, { name: ' ' })).status, 400)
  t.equal((await person.patch(`/users/me/passkeys/${id}`, { name: 'x'.repeat(61) })).status, 400)
  t.match(await person.delete(`/users/me/passkeys/${id}`), { status: 400, body: { msg: 'Wrong password!' } })
  t.match(await person.post('/users/me/passkeys/options'), { status: 400, body: { msg: 'Wrong password!' } })
  const answer = await browser.answerLogin()
  t.equal((await person.delete(`/users/me/passkeys/${id}`, PROOF)).status, 200)
  t.match(await browser.sendLogin(answer), REFUSED)
  for (const [method, path] of [
    ['POST', '/users/me/passkeys/options'],
    ['DELETE', `/users/me/passkeys/${id}`],
  ] as const)
    t.equal((await server.as('bot').request(method, path)).status, 400, 'bots have none')
})

t.test('[PASSKEY6] a deactivation and a reset by an administrator end a passkey', async (t) => {
  const { person, browser } = await withPasskey()
  await owner.must('DELETE', `/users/${person.userId}`)
  t.match(await browser.sendLogin(await browser.answerLogin()), {
    status: 401,
    body: { msg: 'Account is deactivated' },
  })
  await owner.must('POST', `/users/${person.userId}/reactivate`)
  t.match(await browser.sendLogin(await browser.answerLogin()), { status: 200 })
  await owner.must('DELETE', `/users/${person.userId}/two_factor`)
  t.notOk(await isIn(browser))
  t.match(await browser.sendLogin(await browser.answerLogin()), REFUSED)
})

t.test('[PASSKEY7] an answer for another site, user, browser or challenge adds no passkey', async (t) => {
  const person = await people.addPerson()
  const [browser, other] = [await open(), await open()]
  for (const one of [browser, other]) await one.logIn(person.email, PROOF.password)
  await browser.page.goto('/accounts/security')
  const answerOf = async () => {
    const { body } = await browser.post('/users/me/passkeys/options')
    return browser.answerEnrolment({ ...body.options, excludeCredentials: [] })
  }
  const send = (credential: string, from = browser) => from.post('/users/me/passkeys', { credential })
  const changed = (credential: string, change: (data: Record<string, unknown>) => object) => {
    const answer = JSON.parse(credential)
    const data = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString())
    const clientDataJSON = Buffer.from(JSON.stringify({ ...data, ...change(data) })).toString('base64url')
    return JSON.stringify({ ...answer, response: { ...answer.response, clientDataJSON } })
  }
  t.match(await send(changed(await answerOf(), () => ({ origin: 'https://evil.example' }))), NOT_ADDED)
  t.match(await send(changed(await answerOf(), () => ({ challenge: 'AAAA' }))), NOT_ADDED)
  t.match(await send(changed(await answerOf(), () => ({ type: 'webauthn.get' }))), NOT_ADDED)
  t.match(await send(await answerOf(), other), NOT_ADDED, 'another session')
  const answer = await answerOf()
  for (const part of ['attestationObject', 'clientDataJSON']) {
    const broken = JSON.parse(await answerOf())
    broken.response[part] = broken.response[part].slice(0, 40)
    t.match(await send(JSON.stringify(broken)), NOT_ADDED)
  }
  t.match(await send(answer), NOT_ADDED, 'its challenge is replaced')
  for (const credential of [
    '{}',
    'null',
    '[]',
    'x',
    '{"id":1}',
    JSON.stringify({ ...JSON.parse(answer), response: {} }),
  ])
    t.equal((await send(credential)).status, 400, credential.slice(0, 20))
  const right = await answerOf()
  t.match(await send(right), { status: 200 })
  t.match(await send(right), NOT_ADDED, 'it counts once')
  const stored = await findPasskey(sql, JSON.parse(right).id)
  t.equal(stored?.userId, person.userId)
  const attacker = await people.addPerson()
  t.match(await attacker.post('/users/me/passkeys', { credential: right }), NOT_ADDED)
  t.equal((await server.as('bot').post('/users/me/passkeys', { credential: right })).status, 400)
})

t.test(
  '[PASSKEY8] a changed signature, user or site is refused, and malformed answers are errors of the request',
  async (t) => {
    const [{ browser }, { person }] = [await withPasskey(), await withPasskey()]
    const change = async (change: (response: Record<string, string>) => object) => {
      const answer = JSON.parse(await browser.answerLogin())
      return JSON.stringify({ ...answer, response: { ...answer.response, ...change(answer.response) } })
    }
    const handle = Buffer.from(`user ${person.userId}`).toString('base64url')
    t.match(await browser.sendLogin(await change(() => ({ userHandle: handle }))), REFUSED)
    t.match(
      await browser.sendLogin(
        await change(({ signature = '' }) => ({ signature: `${signature.slice(0, -8)}AAAAAAAA` })),
      ),
      REFUSED,
    )
    t.match(await browser.sendLogin(await change(() => ({ signature: '!' }))), REFUSED)
    t.match(await browser.sendLogin(await change(() => ({ authenticatorData: 'AAAA' }))), REFUSED)
    t.match(await browser.sendLogin(await change(() => ({ clientDataJSON: 'AAAA' }))), REFUSED)
    for (const credential of ['{}', 'null', 'x', '{"id":"a","rawId":"a","type":"password","response":{}}'])
      t.equal((await browser.sendLogin(credential)).status, 400)
    t.equal((await browser.sendLogin(JSON.stringify({ pad: 'x'.repeat(200_000) }))).status >= 400, true)
    t.match(await browser.sendLogin(await browser.answerLogin()), { status: 200 })
  },
)

t.test('[PASSKEY9] a server without a name has no passkeys, and its pages do not offer them', async (t) => {
  const plain = await startTestServer(t)
  const unavailable = { status: 400, body: { msg: 'Passkeys need a PUBLIC_URL with a name and https.' } }
  t.match(await plain.anyone.post('/login/passkey/options'), unavailable)
  const { sql: plainSql, passwords } = plain.node.services
  await plainSql`update users set password_hash = ${await passwords.hash(PROOF.password)} where id = 4`
  t.match(await plain.as('member').post('/users/me/passkeys/options', PROOF), unavailable)
  const shared = { id: 'a', rawId: 'a', type: 'public-key' }
  const made = { ...shared, response: { clientDataJSON: 'a', attestationObject: 'a' } }
  t.match(await plain.as('member').post('/users/me/passkeys', { credential: made }), unavailable)
  const response = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a', userHandle: 'a' }
  t.match(await plain.anyone.post('/login/passkey', { credential: { ...shared, response } }), unavailable)
  for (const path of ['/accounts/login', '/accounts/security']) {
    const text = await (await fetch(`${plain.node.url}${path}`)).text()
    t.notMatch(text, /<script|data-passkey/)
  }
})

t.test('[PASSKEY10] a user has 20 passkeys at most, also of answers that arrive at once', async (t) => {
  const { person, browser } = await withPasskey()
  await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
    select 'filler' || n, ${person.userId}, 'filler' || n, '', 0, '{}', 'filler', false, 1
    from generate_series(1, 18) n`
  const { body } = await person.post('/users/me/passkeys/options', PROOF)
  const last = await browser.answerEnrolment({ ...body.options, excludeCredentials: [] })
  await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
    values ('twentieth', ${person.userId}, 'twentieth', '', 0, '{}', 'filler', false, 1)`
  t.match(await person.post('/users/me/passkeys', { credential: last }), NOT_ADDED)
  t.match(await person.post('/users/me/passkeys/options', PROOF), {
    status: 400,
    body: { msg: 'You have too many passkeys (maximum 20).' },
  })
})

t.test('[PASSKEY20] a person logs in by a passkey at the address of the server', async (t) => {
  const { browser } = await withPasskey()
  const { page } = browser
  await page.goto('/')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  t.ok(await isIn(browser))
})

t.test(
  '[PAGES15] in every look the pages with passkeys fit their window, and axe finds nothing',
  async (t) => {
    const { person, browser } = await withPasskey()
    const { page } = browser
    await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
    t.same(await findFaults(page, 'log-in-passkey'), [])
    await browser.logIn(person.email, PROOF.password)
    await page.goto('/accounts/security')
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
    t.same(await findFaults(page, 'security-passkeys'), [])
  },
)
