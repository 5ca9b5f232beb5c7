/** Test notifications through the queue, the worker and the relay, with the failures of each. */

import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import type { Answer, Fields } from '../harness/client/client.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import { startRedis } from '../log/start-redis.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { type OddAnswer, type PushRelay, startPushRelay } from '../harness/providers/start-push-relay.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

const logger = createLogger('silent')
const done = { status: 200, body: { result: 'success', msg: '' } }
const NO_DEVICE = ['No active registered push device', { code: 'NO_ACTIVE_PUSH_DEVICE' }] as const
const MISCONFIGURED = [
  'Push notification configuration issue on server, contact the server administrator or retry later.',
  { status: 403, code: 'ADMIN_ACTION_REQUIRED' },
] as const
const UNREACHABLE = [
  'Network error while connecting to the push notification service.',
  { status: 502, code: 'FAILED_TO_CONNECT_BOUNCER' },
] as const
const FAILED = [
  'Internal server error on the push notification service, retry later.',
  { status: 502, code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' },
] as const

async function start(
  t: TestContext,
  relay: PushRelay,
  options: { redis?: boolean; env?: Record<string, string> } = {},
) {
  const server = await startTestServer(t, { ...options, env: { ...relay.env, ...options.env } })
  const member = server.as('member')
  const startOne = async () => {
    const worker = await startWorker({ config: server.config, logger })
    let isClosed = false
    const close = async () => {
      if (!isClosed) await worker.close()
      isClosed = true
    }
    t.teardown(close)
    return { close }
  }
  return {
    member,
    owner: server.as('owner'),
    /** From another process of the same server. */
    env: {
      ...relay.env,
      ...options.env,
      DATABASE_URL: server.databaseUrl,
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: server.config.redisPrefix,
    },
    sql: server.node.services.sql,
    startWorker: startOne,
    test: (fields: Fields = {}): Promise<Answer> =>
      member.post('/mobile_push/e2ee/test_notification', fields),
    testTokens: (fields: Fields = {}): Promise<Answer> =>
      member.post('/mobile_push/test_notification', fields),
    addPhone: async () => {
      const phone = relay.createPhone()
      const { device_id } = await member.must('POST', '/register_client_device')
      await member.must('POST', '/mobile_push/register', {
        device_id,
        ...phone.keyFields,
        ...phone.tokenFields,
      })
      return { phone, id: device_id as number }
    },
    isKnown: async (id: number) => {
      const { devices } = await member.must('POST', '/register', { fetch_event_types: ['device'] })
      return (devices[id]?.push_token_id ?? null) !== null
    },
  }
}

t.test('[PUSH6] through Redis, a test is sent to one device or all, encrypted for each', async (t) => {
  const relay = await startPushRelay(t)
  const { startWorker, addPhone, isKnown, test, member, owner, sql } = await start(t, relay, { redis: true })
  const [one, other, unknown] = [await addPhone(), await addPhone(), await addPhone()]
  t.same(relay.requests, [], 'without a worker nothing is sent')
  expectRefusal(t, await test(), ...NO_DEVICE)
  const workers = [await startWorker(), await startWorker()] // Both get all jobs, and one runs each.
  await pollUntil(
    'the leftover device is registered',
    async () => (await isKnown(one.id)) && isKnown(other.id),
  )
  await pollUntil('all are registered', () => isKnown(unknown.id))
  t.match(await test({ device_id: one.id }), done)
  t.same([one.phone.received.length, other.phone.received.length], [1, 0])
  t.match(await test(), done)
  t.same([one.phone.received.length, other.phone.received.length], [2, 1])

  relay.forget(unknown.phone)
  expectRefusal(t, await test({ device_id: unknown.id }), ...NO_DEVICE)
  await pollUntil('the relay has reported the lost token', async () => !(await isKnown(unknown.id)))
  const count = relay.requests.length
  expectRefusal(t, await test({ device_id: unknown.id }), ...NO_DEVICE)
  expectRefusal(t, await test({ device_id: 0 }), ...NO_DEVICE)
  const foreign = { device_id: one.id }
  expectRefusal(t, await owner.post('/mobile_push/e2ee/test_notification', foreign), ...NO_DEVICE)
  t.equal(relay.requests.length, count, 'the relay is asked no more')
  t.match(await test(), done)

  await member.must('POST', '/remove_client_device', { device_id: other.id })
  t.match(await test(), done)
  t.same([one.phone.received.length, other.phone.received.length], [4, 2])
  const fields = relay.requests.at(-1)?.fields
  const [log] = await sql<{ id: string }[]>`select log_id::text as id from event_counter`
  t.equal(fields?.realm_uuid, log?.id)
  t.notSame(
    one.phone.received.at(-1)?.request.payload.encrypted_data,
    one.phone.received.at(-2)?.request.payload.encrypted_data,
  )
  for (const worker of workers) await worker.close()
})

t.test('[PUSH7] errors of the relay are reported as they are', async (t) => {
  const relay = await startPushRelay(t)
  const { startWorker, addPhone, isKnown, test, testTokens, member } = await start(t, relay)
  const worker = await startWorker()
  const { id, phone } = await addPhone()
  await member.must('POST', '/users/me/android_push_reg_id', { token: 'a' })
  await pollUntil('both are registered', async () => relay.tokens.has('a') && isKnown(id))
  const cases: readonly (readonly [OddAnswer, readonly [string, Fields]])[] = [
    [{ status: 401, body: '{"result":"error"}' }, MISCONFIGURED],
    [{ status: 403 }, MISCONFIGURED],
    [{ status: 404 }, MISCONFIGURED],
    [{ status: 302 }, MISCONFIGURED],
    [{ status: 400, body: '{"result":"error","code":"MISSING_REMOTE_REALM"}' }, MISCONFIGURED],
    [{ status: 400, body: 'what?' }, MISCONFIGURED],
    [{ status: 500 }, FAILED],
    [{ status: 503, body: '{}' }, FAILED],
    [{ status: 429 }, FAILED],
    [{ status: 200, body: 'what?' }, FAILED],
    [{ status: 200, body: `{"result":"success","x":"${'x'.repeat(70_000)}"}` }, FAILED],
    ['broken', UNREACHABLE],
  ]
  for (const [odd, refusal] of cases) {
    relay.odd = odd
    expectRefusal(t, await test(), ...refusal)
    expectRefusal(t, await testTokens(), ...refusal)
  }
  relay.odd = {
    status: 200,
    body: '{"result":"success","android_successfully_sent_count":0,"apple_successfully_sent_count":0}',
  }
  expectRefusal(t, await test(), ...FAILED)
  relay.odd = undefined
  t.equal(phone.received.length, 0)
  t.match(await test(), done)
  await worker.close()
})

t.test(
  '[PUSH8] tokens of older apps are registered at the relay, tested, and removed there again',
  async (t) => {
    const relay = await startPushRelay(t)
    const { startWorker, testTokens, member, sql } = await start(t, relay)
    const worker = await startWorker()
    relay.odd = { status: 403 }
    await member.must('POST', '/users/me/android_push_reg_id', { token: 'a' })
    await pollUntil('one was refused', () => relay.requests.length === 1)
    relay.odd = { status: 500 }
    await member.must('POST', '/users/me/apns_device_token', { token: 'b0', appid: 'org.app' })
    await pollUntil('both were requested', () => relay.requests.length > 1)
    relay.odd = undefined
    await pollUntil('both were registered again', () => relay.tokens.size === 2)
    const registered = relay.requests.filter(({ path }) => path === 'register').map(({ fields }) => fields)
    t.match(
      registered.find(({ token }) => token === 'b0'),
      { user_id: 4, token_kind: 1, ios_app_id: 'org.app' },
    )
    t.match(
      registered.find(({ token }) => token === 'a'),
      { user_id: 4, token_kind: 2, ios_app_id: undefined },
    )
    const answers = async () => {
      const rows = await sql<{ token: string; answer: string | null; isReached: boolean }[]>`
        select token, last_answer as answer, last_success_at is not null as "isReached"
        from push_tokens where not is_removed order by token`
      return rows.map(({ token, answer, isReached }) => [token, answer, isReached])
    }
    t.match(await testTokens({ token: 'a' }), done)
    t.same(
      await answers(),
      [
        ['a', '200', true],
        ['b0', null, false],
      ],
      'the answer is that of the one token',
    )
    t.same(
      relay.received.map(({ token }) => token),
      ['a'],
    )
    t.match(relay.received[0]?.payload, { event: 'test', user_id: 4, realm_name: 'Test Organization' })
    t.match(await testTokens(), done)
    t.same(relay.received.map(({ token }) => token).sort(), ['a', 'a', 'b0'])
    expectRefusal(t, await testTokens({ token: 'b1' }), 'Device not recognized', {
      code: 'INVALID_PUSH_DEVICE_TOKEN',
    })
    relay.tokens.delete('a')
    expectRefusal(t, await testTokens({ token: 'a' }), ...NO_DEVICE)
    t.match(await testTokens(), done, 'one that arrives suffices')
    t.same(await answers(), [
      ['a', 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', true],
      ['b0', '200', true],
    ])
    await member.must('DELETE', '/users/me/apns_device_token', { token: 'b0' })
    await pollUntil('the relay has forgotten it', () => relay.tokens.size === 0)
    expectRefusal(t, await testTokens({ token: 'b0' }), 'Device not recognized', {
      code: 'INVALID_PUSH_DEVICE_TOKEN',
    })
    relay.odd = {
      status: 400,
      body: JSON.stringify({ result: 'error', msg: 'Invalid', code: 'BAD_REQUEST' }),
    }
    await member.must('POST', '/users/me/android_push_reg_id', { token: 'c' })
    const due = () => sql`select from push_tokens where due_at is not null`
    await pollUntil(
      'a token that the relay calls invalid is not registered again',
      async () => (await due()).length === 0,
    )
    await worker.close()
  },
)

t.test(
  '[PUSH9] waiting requests get an answer in time, and a test that nobody waits for is not sent',
  async (t) => {
    const relay = await startPushRelay(t)
    const { startWorker, addPhone, isKnown, test, sql } = await start(t, relay, {
      env: { PUSH_TEST_SECONDS: '8' }, // A busy machine has to send within it; two waits of the test last for all of it.
    })
    const worker = await startWorker()
    const { id, phone } = await addPhone()
    await pollUntil('it is registered', () => isKnown(id))
    // A key of no algorithm that the worker knows.
    const flip = () =>
      sql`update client_devices set push_key = set_byte(push_key, 0, 255 - get_byte(push_key, 0)) where id = ${id}`
    await flip()
    expectRefusal(t, await test(), ...FAILED)
    await flip()
    relay.odd = 'silent'
    expectRefusal(t, await test(), ...UNREACHABLE)
    relay.odd = undefined
    relay.hangUp()
    await worker.close()
    expectRefusal(t, await test(), ...UNREACHABLE)
    const next = await startWorker()
    const { id: later } = await addPhone()
    await pollUntil('the next worker works', () => isKnown(later))
    t.equal(phone.received.length, 0, 'a late one is not sent')

    // A test that a dead worker had claimed, with a lost notification, counts until its end.
    await sql`insert into push_tests (user_id, target, expires_at, is_claimed)
    select 4, '{}', now() + interval '1 hour', true from generate_series(1, 20)`
    expectRefusal(t, await test(), 'API usage exceeded rate limit, try again in 5 seconds', {
      status: 429,
      code: 'RATE_LIMIT_HIT',
      'retry-after': 5,
    })
    await sql`update push_tests set expires_at = now() - interval '1 second'`
    t.match(await test(), done)
    await next.close()
  },
)

t.test(
  '[PUSH10] without Redis a test fails in time; with it, requests from meanwhile are done',
  async (t) => {
    const relay = await startPushRelay(t)
    const redis = await startRedis(t)
    const { startWorker, addPhone, isKnown, test, sql } = await start(t, relay, {
      env: { PUSH_TEST_SECONDS: '6', REDIS_URL: redis.url },
    })
    const worker = await startWorker()
    const { id, phone } = await addPhone()
    await pollUntil('it is registered', () => isKnown(id))
    t.match(await test(), done)
    await redis.kill()
    expectRefusal(t, await test(), ...UNREACHABLE)
    const { id: later } = await addPhone()
    await redis.start()
    await pollUntil('requests from meanwhile are done', () => isKnown(later))
    await pollUntil('tests go through again', async () => (await test({ device_id: id })).status === 200)
    await redis.client.flushall()
    t.match(await test({ device_id: id }), done)
    const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from push_tests where outcome = 'sent'`
    t.equal(phone.received.length, row?.count, 'each was sent once')
    await worker.close()
  },
)

t.test(
  '[PUSH12] a worker killed while it sends fails that test in time, and the next test works',
  async (t) => {
    const relay = await startPushRelay(t)
    const { startWorker, addPhone, isKnown, test, env } = await start(t, relay, {
      redis: true,
      env: { PUSH_TEST_SECONDS: '6' },
    })
    const killed = startWorkerProcess(t, env)
    const { id, phone } = await addPhone()
    await pollUntil('it is registered', () => isKnown(id))
    relay.odd = 'silent'
    relay.requests.length = 0
    const answer = test()
    await pollUntil('the relay was asked', () => relay.requests.length > 0)
    await killed.kill()
    expectRefusal(t, await answer, ...UNREACHABLE)
    relay.odd = undefined
    const worker = await startWorker()
    await pollUntil('tests go through again', async () => (await test()).status === 200)
    t.equal(relay.requests.filter(({ path }) => path === 'e2ee/notify').length, phone.received.length + 1)
    await worker.close()
  },
)
