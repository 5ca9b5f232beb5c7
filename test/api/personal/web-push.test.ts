/** Subscriptions of browsers to web push, and test notifications through a worker and a push service. */

import t from 'tap'
import type { UserId } from '../../../server/domain/ids.ts'
import { createLogger } from '../../../server/logger.ts'
import { startWorker } from '../../../workers/worker.ts'
import { Browser } from '../../harness/browser/browser.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startPushService } from '../../harness/providers/start-push-service.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { addUser, giveKeyBack } from '../../harness/worlds/add-user.ts'

const PATH = '/users/me/web_push'
const PASSWORD = 'correct horse battery'
const service = await startPushService(t)
const server = await startTestServer(t, { env: { ...service.env, PUSH_TEST_SECONDS: '15' } })
const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
t.teardown(() => worker.close())
const member = server.as('member')
const { sql, passwords, state } = server.node.services

await sql`update users set password_hash = ${await passwords.hash(PASSWORD)} where bot_type is null`

const listOf = async (client: Client) => (await client.must('GET', PATH)).subscriptions
const add = async (client: Client, fields: Fields = service.subscribe().fields): Promise<number> =>
  (await client.must('POST', PATH, fields)).web_push_id

async function loggedIn(): Promise<Browser> {
  const browser = new Browser(server.node.url)
  await browser.logIn(emailOf('member2'), PASSWORD)
  return browser
}

t.test('[WEBPUSH4] a subscription is added, listed and removed, and only its user sees it', async (t) => {
  const { fields } = service.subscribe()
  let id = 0
  const events = await expectConsistent(server, async () => {
    id = await add(member, fields)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] }, 'no client hears of it')
  t.equal(await add(member, fields), id, 'the same again changes nothing')
  t.match(await listOf(member), [
    { id, service: '127.0.0.1', last_success_at: null, last_answer: null, is_current: false },
  ])
  t.equal((await listOf(member)).length, 1)
  t.same(await listOf(server.as('owner')), [])
  expectRefusal(t, await server.as('owner').delete(`${PATH}/${id}`), 'Unknown subscription to web push')
  expectRefusal(t, await server.as('owner').post(`${PATH}/${id}/test`), 'Unknown subscription to web push')
  const { public_key } = await member.must('GET', PATH)
  t.equal(Buffer.from(public_key ?? '', 'base64url').length, 65)
  t.equal((await server.as('owner').must('GET', PATH)).public_key, public_key, 'there is one key')
  await member.must('DELETE', `${PATH}/${id}`)
  t.same(await listOf(member), [])
  expectRefusal(t, await member.delete(`${PATH}/${id}`), 'Unknown subscription to web push')
  const rows = await sql<{ event: string }[]>`
    select event::text as event from event_log where event->>'type' = 'web_push_added'`
  t.ok(rows.length > 0)
  for (const secret of [fields.auth, fields.p256dh, fields.endpoint])
    t.notOk(JSON.stringify(rows).includes(secret), 'the log has no secrets')
})

t.test(
  '[WEBPUSH5] a subscription has a public address with TLS, a key on the curve, and 16 secret bytes',
  async (t) => {
    const { fields } = service.subscribe()
    const off = Buffer.from(fields.p256dh, 'base64url')
    off[64] = (off[64] as number) ^ 1
    const wrong: readonly (readonly [string, string])[] = [
      ...[
        '',
        'nothing',
        'http://8.8.8.8/',
        'https://10.0.0.1/',
        'https://[::1]/',
        'https://user@example.org/',
      ].map((endpoint) => ['endpoint', endpoint] as const),
      ['endpoint', 'https://8.8.8.8:8443/'],
      ['endpoint', 'ftp://example.org/'],
      ['p256dh', ''],
      ['p256dh', off.toString('base64url')],
      ['p256dh', fields.auth],
      ['p256dh', '!!'],
      ['auth', ''],
      ['auth', fields.p256dh.slice(0, 80)],
      ['auth', 'AAAA'],
    ]
    for (const [name, value] of wrong)
      expectRefusal(t, await member.post(PATH, { ...fields, [name]: value }), `Invalid \`${name}\``)
    const long = { ...fields, endpoint: `https://example.org/${'x'.repeat(1_000)}` }
    expectRefusal(t, await member.post(PATH, long), 'endpoint is too long (limit: 1000 characters)')
    // Within the limit as it is sent, and beyond it as it is stored.
    const growing = { ...fields, endpoint: `https://example.org/${'ä'.repeat(500)}` }
    expectRefusal(t, await member.post(PATH, growing), 'Invalid `endpoint`')
    expectRefusal(t, await server.as('bot').post(PATH, fields), 'This endpoint does not accept bot requests.')
    expectRefusal(t, await server.as('bot').get(PATH), 'This endpoint does not accept bot requests.')
    expectRefusal(
      t,
      await server.as('bot').delete(`${PATH}/1`),
      'This endpoint does not accept bot requests.',
    )
    expectRefusal(
      t,
      await server.as('bot').post(`${PATH}/1/test`),
      'This endpoint does not accept bot requests.',
    )
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/x:y',
      'https://updates.push.services.mozilla.com/wpush/v2/x',
    ])
      await member.must(
        'DELETE',
        `${PATH}/${await add(member, { ...fields, endpoint, auth: `${fields.auth}==` })}`,
      )
    t.same(await listOf(member), [])
  },
)

t.test(
  '[WEBPUSH6] the 21st subscription replaces the one that was reached the longest time ago',
  async (t) => {
    const ids: number[] = []
    for (let count = 0; count < 20; count++) ids.push(await add(member))
    const [first, second] = ids
    await sql`update web_push_subscriptions set last_success_at = now() where id = ${first as number}`
    const last = await add(member)
    const left = (await listOf(member)).map(({ id }) => id)
    t.equal(left.length, 20)
    t.ok(left.includes(last) && left.includes(first as number) && !left.includes(second as number))
    await sql`delete from web_push_subscriptions`
  },
)

t.test('[WEBPUSH7] a browser belongs to the user who subscribed it last', async (t) => {
  const { fields } = service.subscribe()
  await add(member, fields)
  const id = await add(server.as('owner'), fields)
  t.same(await listOf(member), [])
  // Somebody who only learned the address cannot take it away.
  await add(member, { ...service.subscribe().fields, endpoint: fields.endpoint })
  t.match(await listOf(server.as('owner')), [{ id }])
  const other = await add(server.as('owner'), { ...service.subscribe().fields, endpoint: fields.endpoint })
  t.match(await listOf(server.as('owner')), [{ id: other }], 'new keys replace the former ones')
  t.equal((await listOf(server.as('owner'))).length, 1)
  await sql`delete from web_push_subscriptions`
})

t.test('[WEBPUSH8] a subscription ends with its session, and with all by a new password', async (t) => {
  const [one, other] = [await loggedIn(), await loggedIn()]
  for (const browser of [one, other])
    t.equal((await browser.call('POST', `/json${PATH}`, service.subscribe().fields)).status, 200)
  const currentOf = async (browser: Browser) =>
    ((await browser.send('GET', `/json${PATH}`)).body.subscriptions as { is_current: boolean }[]).map(
      ({ is_current }) => is_current,
    )
  t.same(await currentOf(one), [false, true])
  t.same(await currentOf(other), [true, false])
  await one.call('POST', '/json/logout', {})
  t.same(await currentOf(other), [true])
  const third = await loggedIn()
  await third.call('POST', `/json${PATH}`, service.subscribe().fields)
  const change = { old_password: PASSWORD, new_password: 'wholly different staple' }
  t.equal((await other.call('PATCH', '/json/settings', change)).status, 200)
  t.same(
    await currentOf(other),
    [],
    'also that of the browser that changed it, which has another session now',
  )
  t.equal((await other.call('POST', `/json${PATH}`, service.subscribe().fields)).status, 200)
  t.same(await currentOf(other), [true])
})

t.test('[WEBPUSH9] a subscription ends with its API key and with the account', async (t) => {
  const leaving = await addUser(server, 'leaving')
  await add(leaving)
  const rows = () => sql`select from web_push_subscriptions where user_id = ${leaving.userId}`
  t.equal((await rows()).length, 1)
  await leaving.must('POST', '/users/me/api_key/regenerate')
  t.equal((await rows()).length, 0)
  await giveKeyBack(server, leaving)
  await add(leaving)
  t.equal((await rows()).length, 1)
  await server.as('owner').must('DELETE', `/users/${leaving.userId}`)
  t.equal((await rows()).length, 0)
  t.ok(state.listOwners.has('devices', leaving.userId as UserId))
})

t.test('[WEBPUSH10] a test notification arrives encrypted, with the proof of the server', async (t) => {
  const browser = service.subscribe()
  const id = await add(member, browser.fields)
  await member.must('POST', `${PATH}/${id}/test`)
  const [push] = browser.received
  t.match(push?.headers, { urgency: 'high', topic: 'test', ttl: '60' })
  t.match(JSON.parse(push?.text ?? ''), {
    web_push: 8030,
    notification: {
      title: 'Test Organization',
      navigate: `${server.node.url}/#settings/sessions`,
      tag: 'test',
    },
  })
  t.match(await listOf(member), [{ last_answer: '201', last_success_at: Number }])
  const { public_key } = await member.must('GET', PATH)
  t.ok(push?.headers.authorization?.endsWith(`k=${public_key}`))
  t.same(service.faults, [])

  const UNREACHABLE = 'Network error while connecting to the push notification service.'
  const FAILED = 'Internal server error on the push notification service, retry later.'
  const REFUSED =
    'Push notification configuration issue on server, contact the server administrator or retry later.'
  const cases = [
    [{ status: 500 }, FAILED, { status: 502, code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' }, '500'],
    [{ status: 429 }, FAILED, { status: 502, code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' }, '429'],
    [{ status: 403 }, REFUSED, { status: 403, code: 'ADMIN_ACTION_REQUIRED' }, '403'],
    [{ status: 413 }, REFUSED, { status: 403, code: 'ADMIN_ACTION_REQUIRED' }, '413'],
    [
      { status: 302, headers: { location: 'http://127.0.0.1/' } },
      REFUSED,
      { status: 403, code: 'ADMIN_ACTION_REQUIRED' },
      '302',
    ],
    ['broken', UNREACHABLE, { status: 502, code: 'FAILED_TO_CONNECT_BOUNCER' }, 'no answer'],
  ] as const
  for (const [odd, message, more, answer] of cases) {
    browser.odd = odd
    expectRefusal(t, await member.post(`${PATH}/${id}/test`), message, more)
    t.match(await listOf(member), [{ last_answer: answer }])
  }
  for (const status of [410, 404]) {
    const gone = service.subscribe()
    const goneId = await add(member, gone.fields)
    gone.odd = { status }
    const refusal = { code: 'NO_ACTIVE_PUSH_DEVICE' }
    expectRefusal(t, await member.post(`${PATH}/${goneId}/test`), 'No active registered push device', refusal)
    t.notOk(
      (await listOf(member)).some((one) => one.id === goneId),
      `${status} ends it`,
    )
  }
  await sql`update web_push_subscriptions set endpoint = 'https://10.0.0.1/'`
  expectRefusal(t, await member.post(`${PATH}/${id}/test`), REFUSED, {
    status: 403,
    code: 'ADMIN_ACTION_REQUIRED',
  })
  t.match(await listOf(member), [{ last_answer: 'address refused' }])
})

t.test('[WEBPUSH11] with WEB_PUSH=off nobody subscribes', async (t) => {
  const off = await startTestServer(t, { env: { ...service.env, WEB_PUSH: 'off' } })
  const one = off.as('member')
  t.match(await one.must('GET', PATH), { public_key: null, subscriptions: [] })
  const refusal = { code: 'PUSH_SERVICE_NOT_CONFIGURED' }
  const message = 'Server is not configured to use push notification service.'
  expectRefusal(t, await one.post(PATH, service.subscribe().fields), message, refusal)
  expectRefusal(t, await one.post(`${PATH}/1/test`), message, refusal)
})
