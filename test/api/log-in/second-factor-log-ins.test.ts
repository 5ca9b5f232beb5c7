/** Log-ins with the codes of an authenticator app, and attacks on them. */

import t from 'tap'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { FACTOR_TRIES_MAX } from '../../../server/domain/accounts/second-factors.ts'
import { cleanUp } from '../../../workers/jobs/upkeep/clean-up.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { FactorAccounts, isIn, PROOF, WRONG, wrongCode } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock, redis: true, env: { TRUST_PROXY: 'on' } })
const another = await server.startAnotherNode()
const { sql, passwords } = server.node.services
const { url } = server.node
const owner = server.as('owner')
const people = new FactorAccounts(server, clock)

t.test('[TOTP3] a code is accepted once, also of many requests at once and in other processes', async (t) => {
  const account = await people.addAccount()
  const otp_token = account.code()
  const sent = [url, another.node.url, url, another.node.url, url].map((at) =>
    people.logIn(account.email, { otp_token }, at),
  )
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  t.same(
    statuses.toSorted((a, b) => a - b),
    [200, 401, 401, 401, 401],
  )
  t.match(await people.logIn(account.email, { otp_token }), WRONG)
  t.match(await people.fetchKey(account.email, { otp_token }), WRONG)
  t.match(await people.secondStep(await people.firstStep(account.email), otp_token), { status: 403 })
  const later = account.code()
  t.equal((await people.logIn(account.email, { otp_token: later })).status, 200)
  t.match(await people.logIn(account.email, { otp_token }), WRONG, 'nor after a later one')
})

t.test(
  '[TOTP4] a recovery code replaces a code once, however it is typed, and of two requests one wins',
  async (t) => {
    const account = await people.addAccount()
    const [first = '', second = '', third = ''] = account.recoveryCodes
    t.equal(
      (
        await people.logIn(account.email, {
          otp_token: first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O'),
        })
      ).status,
      200,
    )
    t.match(await people.logIn(account.email, { otp_token: first }), WRONG)
    const sent = [url, another.node.url, url, another.node.url].map((at) =>
      people.logIn(account.email, { otp_token: second }, at),
    )
    t.same(
      (await Promise.all(sent)).map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 401, 401, 401],
    )
    t.match(await account.client.must('GET', '/users/me/two_factor'), { recovery_codes_left: 8 })
    const proof = { ...PROOF, otp_token: account.code() }
    const { recovery_codes } = await account.client.must('POST', '/users/me/two_factor/recovery_codes', proof)
    t.match(
      await people.logIn(account.email, { otp_token: third }),
      WRONG,
      'new codes replace the earlier ones',
    )
    t.equal((await people.logIn(account.email, { otp_token: recovery_codes.at(9) })).status, 200)
    const other = await people.addAccount()
    t.match(
      await people.logIn(other.email, { otp_token: recovery_codes[0] }),
      WRONG,
      "another's code is wrong",
    )
  },
)

t.test('[TOTP5] guesses from many addresses share the tries of the account, in all processes', async (t) => {
  const account = await people.addAccount()
  clock.advance(31_000)
  const right = account.sameCode()
  const guess = async (index: number, otp_token: string) => {
    const headers = { 'x-forwarded-for': `192.0.2.${index}` }
    const fields = { username: account.email, ...PROOF, otp_token }
    const at = index % 2 === 0 ? url : another.node.url
    return new Browser(at).send('POST', '/json/login', { fields, headers })
  }
  const guesses = Array.from({ length: 30 }, (_, index) => guess(index, wrongCode(right)))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 401).length, FACTOR_TRIES_MAX)
  t.equal(statuses.filter((status) => status === 429).length, 30 - FACTOR_TRIES_MAX)
  const refused = await guess(200, right)
  t.equal(refused.status, 429, 'a right code, too')
  t.match(refused.body, { code: 'RATE_LIMIT_HIT', 'retry-after': /^3[0-9]{3}$/ })
  t.equal(
    (await people.secondStep(await people.firstStep(account.email), right)).status,
    429,
    'by the page, too',
  )
  t.equal(
    (await account.client.delete('/users/me/two_factor/totp', { ...PROOF, otp_token: right })).status,
    429,
  )
  const [recovery = ''] = account.recoveryCodes
  t.equal(
    (await people.logIn(account.email, { otp_token: recovery })).status,
    200,
    'its user has another way in',
  )
  const other = await people.addAccount()
  t.equal(
    (await people.logIn(other.email, { otp_token: other.code() })).status,
    200,
    'other accounts are not affected',
  )
  clock.advance(3_600_000)
  t.equal((await people.logIn(account.email, { otp_token: account.code() })).status, 200)
  for (let tries = 1; tries < FACTOR_TRIES_MAX; tries++)
    t.match(await people.logIn(account.email, { otp_token: wrongCode(account.sameCode()) }), WRONG)
  t.equal((await people.logIn(account.email, { otp_token: account.code() })).status, 200)
  t.match(
    await people.logIn(account.email, { otp_token: wrongCode(account.sameCode()) }),
    WRONG,
    'a right code ends the count',
  )
})

t.test('[TOTP6] nobody learns who has an app before the password is right', async (t) => {
  const account = await people.addAccount()
  const plain = await people.addPerson()
  const seen = async (path: string, username: string, otp_token?: string) => {
    const fields = { username, password: 'wrong', ...(otp_token === undefined ? {} : { otp_token }) }
    const { status, text, headers } = await new Browser(url).send('POST', path, { fields })
    t.same(headers.getSetCookie(), [])
    return JSON.stringify([status, text.replace(/value="[^"]*"/, ''), [...headers.keys()].sort()])
  }
  for (const path of ['/json/login', '/api/v1/fetch_api_key', '/accounts/login']) {
    const answers = [
      await seen(path, account.email),
      await seen(path, plain.email),
      await seen(path, 'nobody@example.com'),
      await seen(path, account.email, account.code()),
      await seen(path, plain.email, '000000'),
    ]
    t.equal(new Set(answers).size, 1, path)
  }
  t.equal(
    (await people.logIn(plain.email, { otp_token: '000000' })).status,
    200,
    'a code is ignored where none is needed',
  )
  t.equal((await sql`select from factor_tries where user_id = ${account.client.userId}`).length, 0)
})

t.test('[TOTP7] the page asks for the code in a second step, before which there is no session', async (t) => {
  const account = await people.addAccount()
  const browser = new Browser(url)
  const fields = { username: account.email, ...PROOF, next: '/docs/?a=1&b=2' }
  const first = await browser.send('POST', '/accounts/login', { fields })
  t.same(
    [first.status, first.headers.get('location')],
    [303, '/accounts/login/code?next=%2Fdocs%2F%3Fa%3D1%26b%3D2'],
  )
  const [cookie = '', ...others] = first.headers.getSetCookie()
  t.same(others, [])
  t.match(cookie, /^loginstep=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/)
  t.notOk(await isIn(browser))
  const page = await browser.send('GET', '/accounts/login/code', { fields: { next: '/docs/' } })
  t.equal(page.status, 200)
  t.match(page.text, account.email)
  t.match(page.text, 'name="next" value="/docs/"')
  t.notMatch(page.text, /<script/)
  const wrong = await people.secondStep(browser, 'x" onclick="y', { next: '//evil.example' })
  t.equal(wrong.status, 403)
  t.match(wrong.text, 'Wrong code, or already used.')
  t.notMatch(wrong.text, /onclick|evil/)
  t.equal((await people.secondStep(browser, '')).status, 403)
  t.same(wrong.headers.getSetCookie(), [])
  t.notOk(await isIn(browser))
  const copied = browser.at(url)
  const done = await people.secondStep(browser, account.code(), { next: '/docs/' })
  t.same([done.status, done.headers.get('location')], [303, '/docs/'])
  t.notOk(browser.cookies.has('loginstep'))
  t.ok(await isIn(browser))
  const elsewhere = await people.secondStep(await people.firstStep(account.email), account.code(), {
    next: '/..//evil.example',
  })
  t.same([elsewhere.status, elsewhere.headers.get('location')], [303, '/'])
  const again = await people.secondStep(copied, account.code())
  t.same(
    [again.status, again.headers.get('location')],
    [303, '/accounts/login'],
    'a step ends with its log-in',
  )
  t.notOk(await isIn(copied))
})

t.test(
  '[TOTP8] a step is bound to its browser, ends after ten minutes and with another password',
  async (t) => {
    const account = await people.addAccount()
    const isOver = async (browser: Browser, reason: string) => {
      const { status, headers } = await people.secondStep(browser, account.code())
      t.same([status, headers.get('location')], [303, '/accounts/login'], reason)
      t.notOk(await isIn(browser))
      t.equal((await browser.send('GET', '/accounts/login/code')).status, 303)
    }
    await isOver(new Browser(url), 'without a cookie')
    await isOver(new Browser(url, [['loginstep', 'A'.repeat(43)]]), 'of an unknown step')
    const late = await people.firstStep(account.email)
    clock.advance(600_000)
    await isOver(late, 'too late')
    await people.firstStep(account.email)
    const count = async () =>
      (await sql`select from half_logins where user_id = ${account.client.userId}`).length
    await cleanUp(sql, new Date(clock.nowMs()))
    t.equal(await count(), 1, 'only those that ended are removed')
    const stale = await people.firstStep(account.email)
    await storePasswordHash(sql, account.client.userId as UserId, await passwords.hash('another password'))
    await isOver(stale, 'the password is another')
    await people.restorePassword(account.client)
    const gone = await people.firstStep(account.email)
    await owner.must('DELETE', `/users/${account.client.userId}`)
    await isOver(gone, 'deactivated')
  },
)

t.test(
  "[TOTP9] a planted step or session is never adopted: the victim's code does not complete it",
  async (t) => {
    const [attacker, victim] = [await people.addAccount(), await people.addAccount()]
    const planted = await people.firstStep(attacker.email)
    t.equal(
      (await people.secondStep(planted, victim.code())).status,
      403,
      'the code of the victim is not that of the account',
    )
    t.notOk(await isIn(planted))
    const session =
      (await people.logIn(attacker.email, { otp_token: attacker.code() })).headers
        .getSetCookie()[0]
        ?.split(/[=;]/)[1] ?? ''
    const browser = await people.firstStep(victim.email)
    browser.cookies.set('sessionid', session)
    t.equal((await people.secondStep(browser, victim.code())).status, 303)
    t.not(browser.cookies.get('sessionid'), session)
    t.equal((await browser.send('GET', '/json/users/me')).body.email, victim.email)
    t.notOk(await isIn(new Browser(url, [['sessionid', session]])), 'the planted session has ended')
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const mine = await people.firstStep(victim.email)
      const fields = { code: victim.code() }
      t.equal((await mine.send('POST', '/accounts/login/code', { fields, headers })).status, 403)
    }
  },
)
