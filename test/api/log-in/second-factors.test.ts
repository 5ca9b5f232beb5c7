/** Authenticator apps and recovery codes: setting them up, changing and removing them. */

import { TOTP } from 'otpauth'
import t from 'tap'
import { giveKeyBack } from '../../harness/worlds/add-user.ts'
import { hashApiKey } from '../../../server/changes/passwords.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import {
  FactorAccounts,
  isIn,
  PROOF,
  REQUIRED,
  WRONG,
  wrongCode,
} from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const { url } = server.node
const owner = server.as('owner')
const people = new FactorAccounts(server, clock)
const factorsOf = (client: Client) => client.must('GET', '/users/me/two_factor')

t.test(
  '[TOTP1] an app is enabled by a code of its secret, and log-ins ask for codes from then on',
  async (t) => {
    const client = await people.addPerson()
    t.same(await factorsOf(client), {
      result: 'success',
      msg: '',
      totp_enabled: false,
      recovery_codes_left: 0,
      required_from: null,
    })
    const started = await client.must('POST', '/users/me/two_factor/totp', PROOF)
    t.match(started.secret, /^[A-Z2-7]{32}$/)
    const address = new URL(started.otpauth_url)
    t.equal(address.protocol, 'otpauth:')
    t.equal(
      decodeURIComponent(address.pathname),
      `//totp/Test Organization:${client.email}`.slice(address.host ? 6 : 0),
    )
    t.equal(address.searchParams.get('secret'), started.secret)
    t.equal(
      (await people.logIn(client.email)).status,
      200,
      'the app does not count before a code has shown it',
    )
    const app = people.appOf(started.secret)
    t.match(
      await client.post('/users/me/two_factor/totp/confirm', { otp_token: wrongCode(app.sameCode()) }),
      {
        status: 400,
        body: { msg: 'Wrong code!' },
      },
    )
    const otp_token = app.sameCode()
    let codes: string[] = []
    const events = await expectConsistent(server, async () => {
      const answer = await client.must('POST', '/users/me/two_factor/totp/confirm', { otp_token })
      codes = answer.recovery_codes
    })
    t.same(events, { owner: [], member: [], member2: [], guest: [] }, 'no client hears of it')
    t.equal(codes.length, 10)
    t.equal(new Set(codes).size, 10)
    for (const code of codes) t.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    t.match(await factorsOf(client), { totp_enabled: true, recovery_codes_left: 10 })
    t.match(await people.logIn(client.email), REQUIRED)
    t.match(await people.fetchKey(client.email), REQUIRED)
    const code = app.code()
    const browser = await people.logIn(client.email, { otp_token: ` ${code.slice(0, 3)} ${code.slice(3)} ` })
    t.match(browser, { status: 200, body: { email: client.email } })
    t.match(await people.fetchKey(client.email, { otp_token: app.code() }), { status: 200 })
    t.match(await client.post('/users/me/two_factor/totp', { ...PROOF, otp_token: app.code() }), {
      status: 400,
      body: { msg: 'An authenticator app is set up already.' },
    })
  },
)

t.test('[TOTP2] codes of the step before and after are right, others are not', async (t) => {
  const account = await people.addAccount()
  clock.advance(120_000)
  for (const [steps, isRight] of [
    [-2, false],
    [2, false],
    [-1, true],
    [0, true],
    [1, true],
  ] as const) {
    const [factor] = await sql<{ secret: string }[]>`
      select secret from totp_factors where user_id = ${account.client.userId}`
    const otp_token = new TOTP({ secret: factor?.secret ?? '' }).generate({
      timestamp: clock.nowMs() + steps * 30_000,
    })
    t.match(
      await people.logIn(account.email, { otp_token }),
      isRight ? { status: 200 } : WRONG,
      `${steps} steps away`,
    )
  }
})

t.test('[TOTP10] no other way in skips the code, and a new password does not remove the app', async (t) => {
  const account = await people.addAccount()
  const { userId } = account.client
  const { recovery_codes_left } = await factorsOf(account.client)
  const link = 'a'.repeat(32)
  await sql`insert into password_resets values (${userId}, ${hashApiKey(link)}, now() + interval '1 hour')`
  const browser = new Browser(url)
  const chosen = await browser.send('POST', `/accounts/password/reset/${link}/`, { fields: PROOF })
  t.equal(chosen.status, 200)
  t.same(chosen.headers.getSetCookie(), [], 'a new password is no log-in')
  t.match(await people.logIn(account.email), REQUIRED)
  t.match(await people.fetchKey(account.email), REQUIRED)
  const { api_key } = (await people.fetchKey(account.email, { otp_token: account.code() })).body
  const client = new Client(url, userId, account.email, api_key)
  t.match(await factorsOf(client), { totp_enabled: true, recovery_codes_left })
  await owner.must('PATCH', `/users/${userId}`, { role: 300 })
  await owner.must('DELETE', `/users/${userId}`)
  await owner.must('POST', `/users/${userId}/reactivate`)
  t.match(await people.logIn(account.email), REQUIRED, 'nor do a new role and a deactivation')
  await giveKeyBack(server, client)
  const change = { old_password: PROOF.password, new_password: PROOF.password }
  t.equal((await client.patch('/settings', change)).status, 200)
  t.match(await people.logIn(account.email), REQUIRED)
})

t.test(
  '[TOTP11] changes of the app need the password and a code, or a session that has just begun',
  async (t) => {
    const account = await people.addAccount()
    const { client } = account
    const refused = async (fields: Record<string, string>, msg: string) => {
      t.match(await client.delete('/users/me/two_factor/totp', fields), { status: 400, body: { msg } })
      for (const path of ['two_factor/totp', 'two_factor/recovery_codes', 'passkeys/options'])
        t.match(await client.post(`/users/me/${path}`, fields), { status: 400, body: { msg } })
      t.match(await client.delete('/users/me/passkeys/x', fields), { status: 400, body: { msg } })
    }
    await refused({}, 'Wrong password!')
    await refused({ password: 'wrong', otp_token: account.code() }, 'Wrong password!')
    await refused(PROOF, 'Wrong code!')
    await refused({ ...PROOF, otp_token: wrongCode(account.code()) }, 'Wrong code!')
    t.match(await factorsOf(client), { totp_enabled: true, recovery_codes_left: 10 })
    const browser = await people.firstStep(account.email)
    await people.secondStep(browser, account.code())
    const renewed = await browser.call('POST', '/json/users/me/two_factor/recovery_codes')
    t.equal(renewed.status, 200)
    clock.advance(600_000)
    t.match(await browser.call('DELETE', '/json/users/me/two_factor/totp'), {
      body: { msg: 'Wrong password!' },
    })
    const proof = { ...PROOF, otp_token: account.code() }
    t.equal((await browser.call('DELETE', '/json/users/me/two_factor/totp', proof)).status, 200)
    t.match(await factorsOf(client), { totp_enabled: false, recovery_codes_left: 0 })
    t.equal((await people.logIn(account.email)).status, 200)
    for (const [method, path] of [
      ['DELETE', '/users/me/two_factor/totp'],
      ['POST', '/users/me/two_factor/recovery_codes'],
      ['POST', '/users/me/two_factor/totp/confirm'],
    ] as const) {
      const answer = await client.request(method, path, { ...PROOF, otp_token: '123456' })
      t.match(answer, { status: 400, body: { msg: 'No authenticator app is set up.' } }, path)
    }
    for (const [method, path] of [
      ['POST', '/users/me/two_factor/totp'],
      ['DELETE', '/users/me/two_factor/totp'],
      ['POST', '/users/me/two_factor/recovery_codes'],
      ['POST', '/users/me/two_factor/totp/confirm'],
    ] as const) {
      const answer = await server.as('bot').request(method, path, { otp_token: '123456' })
      t.match(answer, { status: 400, body: { msg: 'This endpoint does not accept bot requests.' } }, path)
    }
  },
)

t.test(
  '[TOTP12] a secret that no code has proved within 15 minutes is void, as is one that was replaced',
  async (t) => {
    const client = await people.addPerson()
    const start = async () =>
      people.appOf((await client.must('POST', '/users/me/two_factor/totp', PROOF)).secret)
    const confirm = async (otp_token: string) =>
      (await client.post('/users/me/two_factor/totp/confirm', { otp_token })).body.msg
    const earlier = await start()
    const late = await start()
    t.equal(await confirm(earlier.sameCode()), 'Wrong code!')
    clock.advance(901_000)
    t.equal(await confirm(late.sameCode()), 'No authenticator app is set up.')
    const app = await start()
    const code = app.code()
    t.same(
      (await Promise.all([confirm(code), confirm(code)])).toSorted(
        (a: string, b: string) => a.length - b.length,
      ),
      ['', 'No authenticator app is set up.'],
    )
    t.match(
      await people.logIn(client.email, { otp_token: code }),
      WRONG,
      'the code that proved it is used up',
    )
  },
)

t.test(
  '[TOTP13] enabling an app ends the sessions that the password alone opened, but the own one',
  async (t) => {
    const person = await people.addPerson()
    const [own, other] = [new Browser(url), new Browser(url)]
    for (const browser of [own, other]) await browser.logIn(person.email, PROOF.password)
    const copied = own.at(url)
    const { secret } = (await own.call('POST', '/json/users/me/two_factor/totp')).body
    const otp_token = people.appOf(secret).code()
    t.equal((await own.call('POST', '/json/users/me/two_factor/totp/confirm', { otp_token })).status, 200)
    t.same(await Promise.all([own, other, copied].map(isIn)), [true, false, false])
    t.equal((await person.get('/users/me')).status, 200, 'API keys stay')
  },
)

t.test("[TOTP14] administrators remove a user's second factors, and owners those of owners", async (t) => {
  const account = await people.addAccount()
  const path = `/users/${account.client.userId}/two_factor`
  const browser = await people.firstStep(account.email)
  await people.secondStep(browser, account.code())
  t.match((await server.as('member').delete(path)).body, { msg: 'Insufficient permission' })
  t.match((await server.as('administrator').delete('/users/1/two_factor')).body, {
    msg: 'Must be an organization owner',
  })
  t.match((await owner.delete('/users/999999/two_factor')).body, { msg: 'No such user' })
  for (const person of ['owner', 'administrator'] as const) {
    const own = await server.as(person).delete(`/users/${server.as(person).userId}/two_factor`)
    t.match(
      own.body,
      { msg: 'Change your own second factors in your own account.' },
      'that would need no proof',
    )
  }
  await expectConsistent(server, () => server.as('administrator').must('DELETE', path))
  t.notOk(await isIn(browser))
  t.match(await factorsOf(account.client), { totp_enabled: false, recovery_codes_left: 0 })
  t.equal((await people.logIn(account.email)).status, 200)
  const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: '["second_factors_changed"]' })
  t.match(entries.slice(0, 2), [
    {
      acting_user_id: server.as('administrator').userId,
      details: { user_id: account.client.userId, change: 'reset' },
    },
    { acting_user_id: account.client.userId, details: { user_id: account.client.userId, change: 'totp_on' } },
  ])
})

t.test('[TOTP15] secrets and codes are in no event, log entry or row but their own', async (t) => {
  const account = await people.addAccount()
  const [row] = await sql`select secret from totp_factors where user_id = ${account.client.userId}`
  const logged = JSON.stringify(await sql`select event::text from event_log`)
  t.match(logged, 'second_factors_changed')
  t.notOk(logged.includes(row?.['secret']))
  const hashes = await sql`select code_hash from recovery_codes where user_id = ${account.client.userId}`
  t.equal(hashes.length, 10)
  for (const { code_hash } of hashes) t.notOk(logged.includes(code_hash))
  for (const code of account.recoveryCodes) {
    t.notOk(JSON.stringify(hashes).includes(code))
    t.notOk(JSON.stringify(hashes).includes(code.replaceAll('-', '')))
  }
})
