/** Tokens of older apps, and push notifications without a relay. */

import t from 'tap'
import { addApiKey } from '../../harness/worlds/account-changes.ts'
import { createApiKey } from '../../../server/changes/passwords.ts'
import { readConfig } from '../../../server/config.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { addUser, giveKeyBack } from '../../harness/worlds/add-user.ts'
import { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const ANDROID = '/users/me/android_push_reg_id'
const APNS = '/users/me/apns_device_token'
const done = { status: 200, body: { result: 'success', msg: '' } }
const UNKNOWN_TOKEN = ['Device not recognized', { code: 'INVALID_PUSH_DEVICE_TOKEN' }] as const
const MISCONFIGURED =
  'Push notification configuration issue on server, contact the server administrator or retry later.'

const server = await startTestServer(t)
const member = server.as('member')
const bot = server.as('bot')
const { sql } = server.node.services

const tokensOf = async (userId: number) =>
  (
    await sql<{ kind: string; token: string; app: string | null }[]>`
      select kind, token, app_id as app from push_tokens where user_id = ${userId} and not is_removed
      order by added_at`
  ).map(({ kind, token, app }) => [kind, token, app])

t.test('[PUSH1] a token is added and removed once, by its owner', async (t) => {
  t.match(await member.post(ANDROID, { token: 'a' }), done)
  t.match(await member.post(ANDROID, { token: 'a' }), done)
  t.match(await member.post(APNS, { token: 'aB01', appid: 'org.Example-1.app' }), done)
  t.match(await member.post(APNS, { token: 'aB01', appid: 'org.other' }), done)
  t.same(await tokensOf(4), [
    ['fcm', 'a', null],
    ['apns', 'aB01', 'org.other'],
  ])
  expectRefusal(t, await server.as('owner').delete(ANDROID, { token: 'a' }), 'Token does not exist')
  expectRefusal(t, await server.as('owner').delete(APNS, { token: 'aB01' }), 'Token does not exist')
  expectRefusal(t, await member.delete(ANDROID, { token: 'aB01' }), 'Token does not exist')
  t.match(await member.delete(ANDROID, { token: 'a' }), done)
  t.match(await member.delete(APNS, { token: 'aB01' }), done)
  t.same(await tokensOf(4), [])
  expectRefusal(t, await member.delete(ANDROID, { token: 'a' }), 'Token does not exist')
  t.match(await member.post(ANDROID, { token: 'a' }), done)
  t.match(await member.delete('/users/me/android_gcm_reg_id', { token: 'a' }), done, 'by its older name')
})

t.test('[PUSH2] a token has 1 to 4096 characters, of iOS in hexadecimal or base64', async (t) => {
  const wrong = 'Empty or invalid length token'
  for (const token of ['', 'x'.repeat(4_097), '😀'.repeat(4_097)]) {
    expectRefusal(t, await member.post(ANDROID, { token }), wrong)
    expectRefusal(t, await member.delete(ANDROID, { token }), wrong)
    expectRefusal(t, await member.post(APNS, { token, appid: 'x' }), wrong)
    expectRefusal(t, await member.delete(APNS, { token }), wrong)
  }
  for (const token of ['abc', 'xy', 'aa bb', ' ']) {
    expectRefusal(t, await member.post(APNS, { token, appid: 'x' }), 'Invalid APNS token')
    expectRefusal(t, await member.delete(APNS, { token }), 'Invalid APNS token')
  }
  for (const token of ['😀'.repeat(4_096), ' ']) {
    t.match(await member.post(ANDROID, { token }), done)
    t.match(await member.delete(ANDROID, { token }), done)
  }
  const longest = 'a0'.repeat(2_048)
  t.match(await member.post(APNS, { token: longest, appid: 'a'.repeat(255) }), done)
  t.match(await member.delete(APNS, { token: longest }), done)
  for (const appid of ['', 'a b', 'a/b', 'ä']) {
    expectRefusal(t, await member.post(APNS, { token: 'aa', appid }), 'Invalid appid')
  }
  expectRefusal(
    t,
    await member.post(APNS, { token: 'aa', appid: 'a'.repeat(256) }),
    'appid is too long (limit: 255 characters)',
  )
  expectRefusal(t, await member.delete(ANDROID), "Missing 'token' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'token',
  })
})

t.test('[PUSH62] a token of iOS may come in base64, and is the same in hexadecimal', async (t) => {
  const bytes = Buffer.alloc(32, 0xa7)
  const [hex, base64] = [bytes.toString('hex'), bytes.toString('base64')]
  t.match(await member.post(APNS, { token: base64, appid: 'x' }), done)
  t.match(await member.post(APNS, { token: hex, appid: 'x' }), done)
  t.same(await tokensOf(4), [['apns', hex, 'x']])
  // Without a relay the request fails after it finds the token.
  for (const token of [hex, base64]) {
    const misconfigured = { status: 403, code: 'ADMIN_ACTION_REQUIRED' }
    expectRefusal(
      t,
      await member.post('/mobile_push/test_notification', { token }),
      MISCONFIGURED,
      misconfigured,
    )
  }
  t.match(await member.delete(APNS, { token: base64 }), done)
  t.same(await tokensOf(4), [])
  t.match(await member.post(APNS, { token: hex, appid: 'x' }), done)
  t.match(await member.delete(APNS, { token: hex }), done)
  for (const token of [base64.slice(0, -1), `${base64}=`, `${base64.slice(0, -2)}*=`, '====']) {
    expectRefusal(t, await member.post(APNS, { token, appid: 'x' }), 'Invalid APNS token')
  }
})

t.test('[PUSH3] a user has at most 100 tokens: new ones replace the oldest', async (t) => {
  await sql`insert into push_tokens (user_id, kind, token, added_at)
    select 1, 'fcm', 'old' || n, to_timestamp(n) from generate_series(1, 100) n`
  t.match(await server.as('owner').post(ANDROID, { token: 'new' }), done)
  const tokens = await tokensOf(1)
  t.equal(tokens.length, 100)
  t.same([tokens[0]?.[1], tokens.at(-1)?.[1]], ['old2', 'new'])
  await sql`update push_tokens set is_removed = true where user_id = 1`
  await sql`insert into push_tokens (user_id, kind, token) values (1, 'apns', 'b0')`
  await server.as('owner').must('DELETE', APNS, { token: 'b0' })
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from push_tokens where user_id = 1`
  t.equal(row?.count, 100, 'without a relay, unregistered tokens do not accumulate')
})

t.test('[PUSH4] bots cannot use push notifications', async (t) => {
  const refused = 'This endpoint does not accept bot requests.'
  expectRefusal(t, await bot.post(ANDROID, { token: 'a' }), refused)
  expectRefusal(t, await bot.delete(ANDROID, { token: 'a' }), refused)
  expectRefusal(t, await bot.post(APNS, { token: 'aa', appid: 'x' }), refused)
  expectRefusal(t, await bot.delete(APNS, { token: 'aa' }), refused)
  expectRefusal(t, await bot.post('/register_client_device'), refused)
  expectRefusal(t, await bot.post('/remove_client_device', { device_id: 1 }), refused)
  expectRefusal(t, await bot.post('/mobile_push/register', { device_id: 1 }), refused)
  expectRefusal(t, await bot.post('/mobile_push/test_notification'), refused)
  expectRefusal(t, await bot.post('/mobile_push/e2ee/test_notification'), refused)
})

t.test(
  '[PUSH5] without a relay nothing is registered, and a test gets an error with the reason',
  async (t) => {
    const { device_id } = await member.must('POST', '/register_client_device')
    expectRefusal(
      t,
      await member.post('/mobile_push/register', { device_id, push_key_id: 1, push_key: 'x' }),
      'Server is not configured to use push notification service.',
      { code: 'PUSH_SERVICE_NOT_CONFIGURED' },
    )
    const test = (fields = {}) => member.post('/mobile_push/e2ee/test_notification', fields)
    const none = { code: 'NO_ACTIVE_PUSH_DEVICE' }
    expectRefusal(t, await test(), 'No active registered push device', none)
    expectRefusal(t, await test({ device_id }), 'No active registered push device', none)
    t.same((await member.post('/mobile_push/test_notification')).body, { result: 'success', msg: '' })
    expectRefusal(t, await member.post('/mobile_push/test_notification', { token: 'gone' }), ...UNKNOWN_TOKEN)
    // The state that a removed relay leaves.
    await sql`update client_devices set push_key = 'x', push_key_id = 1, token_id = 'x', token_kind = 'fcm'`
    const misconfigured = { status: 403, code: 'ADMIN_ACTION_REQUIRED' }
    expectRefusal(t, await test(), MISCONFIGURED, misconfigured)
    expectRefusal(t, await test({ device_id }), MISCONFIGURED, misconfigured)
    await member.must('POST', ANDROID, { token: 'a' })
    expectRefusal(t, await member.post('/mobile_push/test_notification'), MISCONFIGURED, misconfigured)
    t.equal((await member.must('POST', '/register')).realm_push_notifications_enabled, false)
  },
)

t.test('[PUSH11] a relay needs all of its settings, and its key is never sent in the clear', async (t) => {
  const whole = { PUSH_RELAY_URL: 'https://relay.example/', PUSH_RELAY_ID: 'id', PUSH_RELAY_KEY: 'key' }
  t.equal(readConfig({}).pushRelay, undefined)
  t.same(readConfig(whole).pushRelay, { url: 'https://relay.example', id: 'id', key: 'key' })
  t.match(readConfig({ ...whole, PUSH_RELAY_URL: 'http://[::1]:9/x' }).pushRelay, { url: 'http://[::1]:9/x' })
  for (const name of Object.keys(whole)) {
    t.throws(() => readConfig({ ...whole, [name]: '' }), {
      message: 'PUSH_RELAY_URL, PUSH_RELAY_ID and PUSH_RELAY_KEY must be set together',
    })
  }
  const plain = 'PUSH_RELAY_URL must be an address that starts with https://'
  const bare = 'PUSH_RELAY_URL must be an address without credentials, query or fragment'
  for (const [wrong, message] of [
    [{ PUSH_RELAY_URL: 'http://relay.example' }, plain],
    [{ PUSH_RELAY_URL: 'http://127.0.0.1.relay.example' }, plain],
    [{ PUSH_RELAY_URL: 'https://a:b@relay.example' }, bare],
    [{ PUSH_RELAY_URL: 'https://relay.example/?a' }, bare],
    [{ PUSH_RELAY_URL: 'https://relay.example/#a' }, bare],
    [{ PUSH_RELAY_ID: 'a:b' }, 'PUSH_RELAY_ID must not hold a colon'],
  ] as const) {
    t.throws(() => readConfig({ ...whole, ...wrong }), { message })
  }
})

t.test('[DEVICE1] a user has at most 100 devices', async (t) => {
  await sql`insert into client_devices (id, user_id) select -n, 5 from generate_series(1, 99) n`
  const member2 = server.as('member2')
  t.match(await member2.post('/register_client_device'), { status: 200 })
  expectRefusal(t, await member2.post('/register_client_device'), 'Too many devices (maximum 100).')
  t.match(await server.as('owner').post('/register_client_device'), { status: 200 }, "others' do not count")
})

/** Devices and tokens of a user with two of each, and the events of the devices. */
async function equip(person: Client) {
  const ids: number[] = []
  for (const token of ['one', 'two']) {
    ids.push((await person.must('POST', '/register_client_device')).device_id)
    await person.must('POST', ANDROID, { token })
  }
  const devices = async (client = person) =>
    (await client.register({ fetch_event_types: ['device'], event_types: [] })).state.devices
  return { ids, devices }
}

t.test('[PUSH60] deactivation removes the devices and tokens of a user', async (t) => {
  const leaving = await addUser(server, 'leaving')
  const { devices } = await equip(leaving)
  const owner = server.as('owner')
  await owner.must('DELETE', `/users/${leaving.userId}`)
  t.same(await tokensOf(leaving.userId), [])
  t.same(
    await sql`select is_removed, due_at is not null as is_due from push_tokens where user_id = ${leaving.userId}`,
    [
      { is_removed: true, is_due: true },
      { is_removed: true, is_due: true },
    ],
    'the relay deletes them',
  )
  await owner.must('POST', `/users/${leaving.userId}/reactivate`)
  await giveKeyBack(server, leaving)
  t.same(await devices(), {})
  t.ok((await sql`select from client_devices where user_id = 5`).length > 0, "others' stay")
})

t.test('[PUSH61] regenerating the key removes the devices; adding a key does not', async (t) => {
  const loser = await addUser(server, 'loser')
  const { ids, devices } = await equip(loser)
  const queue = await loser.register({ event_types: ['device'] })
  await server.node.services.committer.submit(addApiKey(loser.userId as UserId, createApiKey()))
  t.equal(Object.keys(await devices()).length, 2)
  const { api_key } = await loser.must('POST', '/users/me/api_key/regenerate')
  const anew = new Client(server.node.url, loser.userId, loser.email, api_key)
  t.match(
    await anew.events(queue),
    ids.map((device_id) => ({ type: 'device', op: 'remove', device_id })),
  )
  t.same(await devices(anew), {})
  t.same(await tokensOf(loser.userId), [])
})
