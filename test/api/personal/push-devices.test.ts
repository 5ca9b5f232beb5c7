/** Devices and their registration at the relay, with a worker that BullMQ wakes through PostgreSQL. */

import { Buffer } from 'node:buffer'
import t from 'tap'
import type { Device } from '../../../packages/client/src/index.ts'
import { createLogger } from '../../../server/logger.ts'
import { startWorker } from '../../../workers/worker.ts'
import type { Fields, Queue } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { type Phone, startPushRelay } from '../../harness/providers/start-push-relay.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { BLANK_DEVICE } from '../../../client/store/events/devices.ts'
import { pollUntil } from '../../services/poll-until.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const relay = await startPushRelay(t)
const server = await startTestServer(t, { env: relay.env })
const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
t.teardown(() => worker.close())
await pollUntil('the relay serves the organization', async () => {
  const { realm_push_notifications_enabled } = await server.as('owner').must('POST', '/register')
  return realm_push_notifications_enabled === true
})
const member = server.as('member')
const { sql } = server.node.services
const done = { result: 'success', msg: '' }

const addDevice = async (person: Person = 'member'): Promise<number> =>
  (await server.as(person).must('POST', '/register_client_device')).device_id
const register = (fields: Fields, person: Person = 'member') =>
  server.as(person).post('/mobile_push/register', fields)
const test = (fields: Fields = {}, person: Person = 'member') =>
  server.as(person).post('/mobile_push/e2ee/test_notification', fields)
const devicesOf = async (person: Person = 'member') =>
  (await server.as(person).must('POST', '/register', { fetch_event_types: ['device'] })).devices

/** Waits until the user gets the result of a token. */
async function hear(queue: Queue) {
  const heard: WireEvent[] = []
  await pollUntil('the relay has answered', async () => {
    heard.push(...(await member.events(queue)))
    return heard.some((one) => one.pending_push_token_id === null || one.push_registration_error_code)
  })
  return withoutIds(heard)
}

/** A device of the member that is registered at the relay. */
async function addKnownDevice(phone: Phone): Promise<number> {
  const device_id = await addDevice()
  const queue = await member.register({ event_types: ['device'] })
  t.match(await register({ device_id, ...phone.keyFields, ...phone.tokenFields }), { body: done })
  await hear(queue)
  return device_id
}

t.test('[DEVICE2] a device is registered, tested and removed, and only its user gets events', async (t) => {
  const phone = relay.createPhone()
  let id = 0
  const events = await expectConsistent(server, async () => {
    id = await addDevice()
    t.same((await devicesOf())[id], BLANK_DEVICE)
    const queue = await member.register({ event_types: ['device'] })
    t.same((await register({ device_id: id, ...phone.keyFields, ...phone.tokenFields })).body, done)
    await hear(queue)
    const { push_token_last_updated_timestamp: at, ...known } = (await devicesOf())[id] as Device
    t.ok(Math.abs(Number(at) - Date.now() / 1000) < 600)
    t.same(known, {
      push_key_id: phone.keyId,
      push_token_id: phone.tokenId,
      pending_push_token_id: null,
      push_registration_error_code: null,
    })
    t.same((await test({ device_id: id })).body, done)
    t.same((await test()).body, done)
    t.same((await member.post('/remove_client_device', { device_id: id })).body, done)
  })
  t.same(
    withoutIds(events.member).map(({ push_token_last_updated_timestamp: _at, ...event }) => event),
    [
      { type: 'device', op: 'add', device_id: id },
      {
        type: 'device',
        op: 'update',
        device_id: id,
        push_key_id: phone.keyId,
        pending_push_token_id: phone.tokenId,
        push_registration_error_code: null,
      },
      {
        type: 'device',
        op: 'update',
        device_id: id,
        push_token_id: phone.tokenId,
        pending_push_token_id: null,
      },
      { type: 'device', op: 'remove', device_id: id },
    ],
  )
  t.same([events.owner, events.member2, events.guest], [[], [], []])
  t.same(await devicesOf(), {})
  t.equal(phone.received.length, 2)
  const { content, request } = phone.received[0] as Phone['received'][number]
  t.match(content(), {
    type: 'test',
    user_id: 4,
    realm_name: 'Test Organization',
    realm_url: server.node.url,
    time: Number,
  })
  t.match(request, { token_id: phone.tokenId, fcm_priority: 'high', payload: { push_key_id: phone.keyId } })
})

t.test('[DEVICE14] push notifications are enabled once the relay serves the organization', async (t) => {
  await pollUntil('the organization is announced', () => relay.announced.size > 0)
  const isEnabled = async (one = server) =>
    (await one.as('member').must('POST', '/register')).realm_push_notifications_enabled === true
  t.ok(await isEnabled())
  t.equal((await server.anyone.must('GET', '/server_settings')).push_notifications_enabled, true)
  t.match([...relay.announced.values()], [{ name: 'Test Organization' }])
  t.notOk(await isEnabled(await startTestServer(t)))
})

t.test('[DEVICE22] everybody hears of a relay that begins or ceases to serve, once', async (t) => {
  const phone = relay.createPhone()
  const device_id = await addKnownDevice(phone)
  const changed = (value: boolean) => ({
    type: 'realm',
    op: 'update',
    property: 'push_notifications_enabled',
    value,
  })
  const isEnabled = async () =>
    (await server.anyone.must('GET', '/server_settings')).push_notifications_enabled
  const events = await expectConsistent(server, async () => {
    for (const serves of [false, false, true, true]) {
      relay.serves = serves
      await test({ device_id }) // Its own answer has a limit of time.
      await pollUntil(`clients learn of it: ${serves}`, async () => (await isEnabled()) === serves)
    }
  })
  for (const heard of [events.member, events.guest, events.owner])
    t.same(
      withoutIds(heard).filter(({ type }) => type === 'realm'),
      [changed(false), changed(true)],
    )
  await member.must('POST', '/remove_client_device', { device_id })
})

t.test('[DEVICE23] a server whose operator removed the relay reaches no phones', async (t) => {
  const other = await startTestServer(t)
  const { sql } = other.node.services
  const isOver = async () => (await sql`select from relay_state where can_push`).length === 0
  await sql`insert into relay_state (can_push) values (true)`
  const without = await startWorker({ config: other.config, logger: createLogger('silent') })
  await pollUntil('the worker noted it', isOver)
  await without.close()
})

t.test('[DEVICE3] the key of a device and its sealed data are neither logged nor in a reply', async (t) => {
  const phone = relay.createPhone('apns')
  const id = await addKnownDevice(phone)
  const rows = await sql<{ event: string }[]>`
    select event::text as event from event_log where event->>'type' = 'device/update'`
  t.ok(rows.length > 0)
  const text = JSON.stringify([rows, await devicesOf()])
  const { push_key, encrypted_push_registration } = { ...phone.keyFields, ...phone.tokenFields } as Fields
  for (const secret of [push_key, encrypted_push_registration]) t.notOk(text.includes(secret as string))
  t.same((await test({ device_id: id })).body, done)
  t.match(phone.received[0]?.request, {
    http_headers: { apns_priority: 10, apns_push_type: 'alert' },
    payload: { aps: { 'mutable-content': 1 } },
  })
  await member.must('POST', '/remove_client_device', { device_id: id })
})

t.test('[DEVICE4] key and token are replaced separately, and the same values change nothing', async (t) => {
  const phone = relay.createPhone()
  const [nextKey, nextToken] = [relay.createPhone(), relay.createPhone()]
  const device_id = await addKnownDevice(phone)
  const queue = await member.register({ event_types: ['device'] })
  t.same((await register({ device_id, ...phone.keyFields })).body, done)
  t.same((await register({ device_id, ...phone.tokenFields })).body, done)
  t.same((await register({ device_id, ...phone.keyFields, ...phone.tokenFields })).body, done)
  t.same(await member.events(queue), [])
  t.same((await register({ device_id, ...nextKey.keyFields })).body, done)
  t.same(withoutIds(await member.events(queue)), [
    { type: 'device', op: 'update', device_id, push_key_id: nextKey.keyId },
  ])
  t.same((await register({ device_id, ...nextToken.tokenFields })).body, done)
  const heard = await hear(queue)
  t.match(heard, [
    { pending_push_token_id: nextToken.tokenId, push_registration_error_code: null },
    { push_token_id: nextToken.tokenId, pending_push_token_id: null },
  ])
  t.notOk('push_key_id' in heard[0])
  // The phone with the last token lacks the last key, so it could not read a message.
  const rows = await sql<
    { key: Buffer }[]
  >`select push_key as key from client_devices where id = ${device_id}`
  t.ok(rows[0]?.key.subarray(1).equals(nextKey.key))
  await member.must('POST', '/remove_client_device', { device_id })
})

t.test('[DEVICE5] a refusal by the relay is sent to the user, who may try again', async (t) => {
  const phone = relay.createPhone()
  const device_id = await addDevice()
  const queue = await member.register({ event_types: ['device'] })
  const fields = { device_id, ...phone.keyFields, ...phone.tokenFields }
  for (const [wrong, code] of [
    [{ bouncer_public_key: 'an older one' }, 'INVALID_BOUNCER_PUBLIC_KEY'],
    [{ encrypted_push_registration: 'nonsense' }, 'BAD_REQUEST'],
  ] as const) {
    t.same((await register({ ...fields, ...wrong })).body, done)
    t.match(await hear(queue), [
      { pending_push_token_id: phone.tokenId },
      { type: 'device', op: 'update', device_id, push_registration_error_code: code },
    ])
    t.match((await devicesOf())[device_id], {
      push_token_id: null,
      pending_push_token_id: phone.tokenId,
      push_registration_error_code: code,
    })
  }
  expectRefusal(t, await test({ device_id }), 'No active registered push device', {
    code: 'NO_ACTIVE_PUSH_DEVICE',
  })
  t.same((await register(fields)).body, done)
  await hear(queue)
  t.same((await test({ device_id })).body, done)
  await member.must('POST', '/remove_client_device', { device_id })
})

t.test(
  '[DEVICE6] a relay that is absent or refuses this server is called again until the deadline',
  async (t) => {
    const phone = relay.createPhone()
    const device_id = await addDevice()
    const queue = await member.register({ event_types: ['device'] })
    relay.requests.length = 0
    relay.odd = { status: 503 }
    t.same((await register({ device_id, ...phone.keyFields, ...phone.tokenFields })).body, done)
    await pollUntil('requested', () => relay.requests.length > 0)
    expectRefusal(
      t,
      await register({ device_id, ...phone.tokenFields }),
      'A registration for the device already in progress.',
    )
    t.same(
      (await register({ device_id, ...phone.keyFields })).body,
      done,
      'the key may be replaced meanwhile',
    )
    relay.odd = { status: 403 }
    const count = relay.requests.length
    await pollUntil('requested again', () => relay.requests.length > count)
    relay.odd = undefined
    t.match((await hear(queue)).at(-1), { push_token_id: phone.tokenId, pending_push_token_id: null })

    relay.odd = 'broken'
    const both = [relay.createPhone(), relay.createPhone()]
    const answers = await Promise.all(both.map(({ tokenFields }) => register({ device_id, ...tokenFields })))
    t.same(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 400],
      'one of two at once is too late',
    )
    relay.odd = undefined
    await hear(queue)
    relay.odd = 'broken'
    const other = relay.createPhone()
    t.same((await register({ device_id, ...other.tokenFields })).body, done)
    await pollUntil('it is tried', async () => {
      const rows =
        await sql`update client_devices set tried_since = now() - interval '25 hours', due_at = now()
      where id = ${device_id} and attempts > 0`
      return rows.count > 0
    })
    const heard = await hear(queue)
    relay.odd = undefined
    t.match(heard.at(-1), { push_registration_error_code: 'REQUEST_EXPIRED' })
    t.same((await test({ device_id })).body, done, 'the earlier token stays valid')
    await member.must('POST', '/remove_client_device', { device_id })
  },
)

t.test(
  '[DEVICE7] a registration names a device of the caller, and a complete key, a complete token, or both',
  async (t) => {
    const phone = relay.createPhone()
    const device_id = await addDevice()
    const foreign = await addDevice('owner')
    const { keyFields, tokenFields } = phone
    for (const id of [foreign, 0, -1, 999_999_999]) {
      expectRefusal(t, await register({ device_id: id, ...keyFields, ...tokenFields }), 'Invalid `device_id`')
      expectRefusal(t, await member.post('/remove_client_device', { device_id: id }), 'Invalid `device_id`')
    }
    const incomplete =
      'Missing parameters: must provide either all push key fields, all token fields, or both.'
    const parts = Object.entries({ ...keyFields, ...tokenFields })
    expectRefusal(t, await register({ device_id }), incomplete)
    for (const [name, value] of parts) {
      expectRefusal(t, await register({ device_id, [name]: value }), incomplete)
    }
    expectRefusal(
      t,
      await register({ device_id, ...keyFields }),
      'No push registration exists to rotate key for.',
    )
    expectRefusal(
      t,
      await register({ device_id, ...tokenFields }),
      'No push registration exists to rotate token for.',
    )
    const keyOf = (first: number, length: number) =>
      Buffer.concat([Buffer.of(first), Buffer.alloc(length - 1)]).toString('base64')
    for (const push_key of [
      '',
      'x',
      keyOf(0x31, 32),
      keyOf(0x31, 34),
      keyOf(0x32, 33),
      `${keyOf(0x31, 33)} `,
    ]) {
      const fields = { device_id, ...keyFields, ...tokenFields, push_key }
      expectRefusal(t, await register(fields), 'Invalid `push_key`')
    }
    for (const token_id of ['', 'x', 'AAAAAAAAAA==', 'AAAAAAAAAAAA', '!!!!!!!!!!!=']) {
      const fields = { device_id, ...keyFields, ...tokenFields, token_id }
      expectRefusal(t, await register(fields), 'Invalid `token_id`')
    }
    const misshapen: readonly (readonly [Fields, string])[] = [
      [{ push_key_id: -1 }, 'Invalid push_key_id'],
      [{ push_key_id: 2 ** 32 }, 'Invalid push_key_id'],
      [{ push_key_id: '"1"' }, 'push_key_id is not an integer'],
      [{ push_key: 'A'.repeat(101) }, 'push_key is too long (limit: 100 characters)'],
      [{ token_id: 'A'.repeat(101) }, 'token_id is too long (limit: 100 characters)'],
      [{ token_kind: 'other' }, 'Invalid token_kind'],
      [{ bouncer_public_key: 'A'.repeat(256) }, 'bouncer_public_key is too long (limit: 255 characters)'],
      [{ bouncer_public_key: '' }, 'bouncer_public_key cannot be blank'],
      [
        { encrypted_push_registration: 'A'.repeat(10_001) },
        'encrypted_push_registration is too long (limit: 10000 characters)',
      ],
    ]
    for (const [wrong, msg] of misshapen) {
      expectRefusal(t, await register({ device_id, ...keyFields, ...tokenFields, ...wrong }), msg)
    }
    t.same((await devicesOf())[device_id], BLANK_DEVICE)
  },
)
