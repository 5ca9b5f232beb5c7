/** API keys outlive the browser that asked for them: a proof before, and their end. */

import t from 'tap'
import { addApiKey } from '../../harness/worlds/account-changes.ts'
import { createApiKey } from '../../../server/changes/passwords.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { FRESH_SESSION_SECONDS } from '../../../server/domain/accounts/second-factors.ts'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { Client } from '../../harness/client/client.ts'
import { FactorAccounts, isIn, PROOF, wrongCode } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock, env: { RATE_LIMIT_LOGINS_PER_MINUTE: '1000' } })
const { url, services } = server.node
const { sql, state } = services
const people = new FactorAccounts(server, clock)
const NEXT = 'battery staple horse'
const INVALID = { status: 401, body: { msg: 'Invalid API key' } }

/** A browser in which a person has been logged in for too long to be a proof. */
async function openOld(email: string, more: Record<string, string> = {}): Promise<Browser> {
  const browser = new Browser(url)
  await browser.send('POST', '/json/login', { fields: { username: email, ...PROOF, ...more } })
  clock.leap(FRESH_SESSION_SECONDS * 1000)
  if (!(await isIn(browser))) throw new Error('the log-in failed')
  return browser
}

let bots = 0
const makeBot = async (owner: Client) =>
  (await owner.must('POST', '/bots', { full_name: `Bot ${++bots}`, short_name: `b${bots}` }))
    .user_id as number
const isKey = { status: 200, body: { api_key: /^[A-Za-z0-9]{32}$/ } }
const NEEDS_PROOF = { status: 400, body: { code: 'RECENT_LOGIN_REQUIRED' } }
const refusal = (msg: string) => ({ status: 400, body: { code: 'BAD_REQUEST', msg } })
const withKey = ({ userId, email }: Client, key: string) => new Client(url, userId, email, key)
const isValid = async (client: Client) => (await client.get('/users/me')).status === 200
const hashesOf = ({ userId }: Client) => state.apiKeyHashes.get(userId as UserId)

/** The operations that answer a key by a body. */
const KEYS: readonly [
  name: string,
  path: (client: Client) => Promise<string>,
  fields: Record<string, string>,
][] = [
  ['an own key', async () => '/json/users/me/api_key/regenerate', {}],
  ["a bot's key", async (client) => `/json/bots/${await makeBot(client)}/api_key/regenerate`, {}],
  ['a new bot', async () => '/json/bots', {}],
]

for (const [name, pathOf, fields] of KEYS) {
  const given = () => (name === 'a new bot' ? { full_name: `Bot ${++bots}`, short_name: `b${bots}` } : fields)

  t.test(`[KEYPROOF1] ${name} needs the password in a browser that was left open`, async (t) => {
    const client = await people.addPerson()
    const path = await pathOf(client)
    const before = hashesOf(client)
    const browser = await openOld(client.email)
    const ask = (more: Record<string, string>): Promise<BrowserAnswer> =>
      browser.call('POST', path, { ...given(), ...more })
    for (const none of [{}, { password: '' }, { otp_token: '123456' }])
      t.match(await ask(none), NEEDS_PROOF, JSON.stringify(none))
    t.match(await ask({ password: 'wrong horse' }), refusal('Wrong password!'))
    t.equal(hashesOf(client), before, 'nothing has changed')
    t.match(await ask(PROOF), isKey)
  })

  t.test(`[KEYPROOF2] ${name} needs the code, too, of a person with an app`, async (t) => {
    const account = await people.addAccount()
    const path = await pathOf(account.client)
    const browser = await openOld(account.email, { otp_token: account.code() })
    const code = account.code()
    t.match(await browser.call('POST', path, { ...given(), ...PROOF }), refusal('Wrong code!'))
    const wrong = { ...given(), ...PROOF, otp_token: wrongCode(code) }
    t.match(await browser.call('POST', path, wrong), refusal('Wrong code!'))
    t.match(await browser.call('POST', path, { ...given(), ...PROOF, otp_token: code }), isKey)
  })

  t.test(`[KEYPROOF3] ${name} needs no more after a log-in, nor with an API key`, async (t) => {
    const client = await people.addPerson()
    const path = await pathOf(client)
    const browser = new Browser(url)
    await browser.logIn(client.email, PROOF.password)
    clock.leap((FRESH_SESSION_SECONDS - 1) * 1000)
    t.match(await browser.call('POST', path, given()), isKey)
    const added = createApiKey()
    await services.committer.submit(addApiKey(client.userId as UserId, added))
    const answer = await withKey(client, added).request('POST', path.replace('/json', ''), given())
    t.match(answer, isKey)
  })
}

t.test(
  '[KEYPROOF4] reading the key of a bot needs a recent log-in, since a password is in no address',
  async (t) => {
    const client = await people.addPerson()
    const path = `/json/bots/${await makeBot(client)}/api_key`
    const browser = await openOld(client.email)
    t.match(await browser.send('GET', path), NEEDS_PROOF)
    t.match(await browser.send('GET', path, { fields: PROOF }), NEEDS_PROOF)
    await browser.logIn(client.email, PROOF.password)
    t.match(await browser.send('GET', path), isKey)
    t.match(await client.get(path.replace('/json', '')), isKey)
  },
)

t.test('[KEYPROOF9] the signing secret of an outgoing webhook needs the same proofs', async (t) => {
  const account = await people.addAccount()
  const { user_id: botId } = await account.client.must('POST', '/bots', {
    full_name: `Bot ${++bots}`,
    short_name: `b${bots}`,
    bot_type: 3,
    payload_url: '"https://example.com/"',
    interface_type: 1,
  })
  const path = `/json/bots/${botId}/signing_secret`
  const isSecret = { status: 200, body: { signing_secret: /^whsec_/ } }
  const browser = await openOld(account.email, { otp_token: account.code() })
  const replace = (fields: Record<string, string>) => browser.call('POST', `${path}/regenerate`, fields)
  t.match(await browser.send('GET', path), NEEDS_PROOF)
  t.match(await browser.send('GET', path, { fields: PROOF }), NEEDS_PROOF)
  t.match(await replace({}), NEEDS_PROOF)
  t.match(await replace({ password: 'wrong horse' }), refusal('Wrong password!'))
  t.match(await replace(PROOF), refusal('Wrong code!'))
  t.match(await replace({ ...PROOF, otp_token: account.code() }), isSecret)
  const fresh = new Browser(url)
  clock.leap(60_000) // A code counts once.
  await fresh.send('POST', '/json/login', {
    fields: { username: account.email, ...PROOF, otp_token: account.code() },
  })
  t.match(await fresh.send('GET', path), isSecret)
})

/** A person with a second key and a device, in two browsers. */
async function equip() {
  const client = await people.addPerson()
  const second = createApiKey()
  await services.committer.submit(addApiKey(client.userId as UserId, second))
  const { device_id } = await client.must('POST', '/register_client_device')
  await client.must('POST', '/users/me/android_gcm_reg_id', { token: `token of ${client.userId}` })
  const browser = await openOld(client.email)
  const other = await openOld(client.email)
  const devices = async () => (await sql`select from client_devices where user_id = ${client.userId}`).count
  const tokens = async () =>
    (await sql`select from push_tokens where user_id = ${client.userId} and not is_removed`).count
  return { client, second: withKey(client, second), device_id, browser, other, devices, tokens }
}

t.test('[KEYPROOF5] a new password ends all keys, devices and other sessions, in one commit', async (t) => {
  const { client, second, browser, other, devices, tokens } = await equip()
  t.same([await devices(), await tokens()], [1, 1])
  const queue = await client.register({ event_types: ['device'] })
  const fields = { old_password: PROOF.password, new_password: NEXT }
  const before = state.appliedId
  t.equal((await browser.call('PATCH', '/json/settings', fields)).status, 200)
  for (const one of [client, second]) t.match(await one.get('/users/me'), INVALID)
  t.notOk(await isIn(other))
  t.ok(await isIn(browser))
  t.same([await devices(), await tokens(), hashesOf(client)], [0, 0, []])
  const types = await sql`select event ->> 'type' as type from event_log where id > ${before} order by id`
  t.same(
    types.map(({ type }) => type),
    ['password_set', 'login_sessions_changed', 'api_keys_changed', 'device/remove'],
  )
  t.ok(queue)
  const again = await server.anyone.post('/fetch_api_key', { username: client.email, password: NEXT })
  t.ok(await isValid(withKey(client, again.body.api_key)))
})

t.test('[KEYPROOF6] a new password keeps the keys if its person asks for that', async (t) => {
  const { client, second, browser, other, devices, tokens } = await equip()
  const fields = { old_password: PROOF.password, new_password: NEXT, keep_api_keys: 'true' }
  t.equal((await browser.call('PATCH', '/json/settings', fields)).status, 200)
  for (const one of [client, second]) t.ok(await isValid(one))
  t.same([await devices(), await tokens()], [1, 1])
  t.notOk(await isIn(other), 'other sessions end all the same')
})

t.test('[KEYPROOF7] a program that changes the password goes on with its key alone', async (t) => {
  const { client, second, browser } = await equip()
  await second.must('PATCH', '/settings', { old_password: PROOF.password, new_password: NEXT })
  t.ok(await isValid(second))
  t.match(await client.get('/users/me'), INVALID)
  t.notOk(await isIn(browser))
})

t.test('[KEYPROOF8] other settings, and a wrong password, end no key', async (t) => {
  const { client, second, browser, devices } = await equip()
  const wrong = { old_password: 'wrong horse', new_password: NEXT }
  t.equal((await browser.call('PATCH', '/json/settings', wrong)).status, 400)
  const others = { starred_message_counts: 'false', keep_api_keys: 'false' }
  t.equal((await browser.call('PATCH', '/json/settings', others)).status, 200)
  for (const one of [client, second]) t.ok(await isValid(one))
  t.equal(await devices(), 1)
})
