/** Video calls at a provider, which is a real HTTP server here. */

import t from 'tap'
import { ConfigError, readConfig } from '../../../server/config.ts'
import { addUser, giveKeyBack } from '../../harness/worlds/add-user.ts'
import type { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startCallProvider } from '../../harness/providers/start-call-provider.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const provider = await startCallProvider(t)
const server = await startTestServer(t, { clock, env: { ...provider.env, LOG_LEVEL: 'silent' } })
const { node } = server
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
const INVALID = 'Invalid provider access token'
const FAILED = 'Failed to create video call'

const createCall = (client: Client, fields = {}) => client.post('/calls/provider/create', fields)
const hasToken = async (client: Client): Promise<boolean> =>
  (await client.register({ fetch_event_types: ['has_provider_token'], event_types: [] })).state
    .has_provider_token
const page = `${node.url}/calls/provider/complete`
const open = (query: URLSearchParams) => fetch(`${page}?${query.toString()}`)
const send = (fields: URLSearchParams) => fetch(page, { method: 'POST', body: fields })

/** Authorizes at the provider; returns the answer for the browser of the user. */
async function agree(client: Client): Promise<URLSearchParams> {
  const { url } = await client.must('GET', '/calls/provider/register')
  return provider.agree(url)
}

/** Authorizes this server to create calls for a user. */
async function connect(client: Client): Promise<void> {
  const answer = await send(await agree(client))
  if (answer.status !== 200) throw new Error(`answered with ${answer.status}: ${await answer.text()}`)
}

await t.test('[CALL1] only users who have authorized the provider create calls', async (t) => {
  expectRefusal(t, await createCall(member), INVALID, { code: 'INVALID_PROVIDER_TOKEN' })
  t.equal(await hasToken(member), false)
  const events = await expectConsistent(server, () => connect(member))
  t.match(events.member, [{ type: 'has_provider_token', value: true }])
  t.same([events.owner, events.member2, events.guest], [[], [], []])
  t.equal(await hasToken(member), true)
  t.equal(await hasToken(owner), false)
  const { url } = await member.must('POST', '/calls/provider/create')
  t.match(url, /^https:\/\/calls\.example\.com\/j\/\d+$/)
  t.match(provider.requests.at(-1), {
    path: '/v2/users/me/meetings',
    authorization: /^Bearer access-/,
    fields: { settings: { host_video: true, participant_video: true } },
  })
  await member.must('POST', '/calls/provider/create', { is_video_call: false })
  t.match(provider.requests.at(-1)?.fields, { settings: { host_video: false, participant_video: false } })
  expectRefusal(t, await createCall(member, { is_video_call: 'maybe' }), 'is_video_call is not valid JSON')
  expectRefusal(t, await createCall(guest), INVALID, { code: 'INVALID_PROVIDER_TOKEN' })
})

await t.test('[CALL2] the paths also have their original names', async (t) => {
  t.equal((await member.post('/calls/zoom/create')).status, 200)
  t.equal((await member.get('/calls/zoom/register')).status, 200)
})

await t.test(
  '[CALL3] a return from the provider asks for confirmation of the account, and loading the page changes nothing',
  async (t) => {
    const back = await agree(owner)
    for (let count = 0; count < 2; count++) {
      const opened = await open(back)
      t.equal(opened.status, 200)
      const text = await opened.text()
      t.match(text, 'The owner (owner@example.com)')
      t.match(text, `value="${back.get('code')}"`)
      t.match(opened.headers.get('content-security-policy'), "default-src 'none'")
      t.equal(opened.headers.get('cache-control'), 'no-store')
      t.equal(opened.headers.get('referrer-policy'), 'strict-origin')
    }
    t.equal(await hasToken(owner), false)
    t.equal((await send(back)).status, 200)
    t.equal(await hasToken(owner), true)
  },
)

await t.test('[CALL4] a state is valid once, for ten minutes, and only for its authorization', async (t) => {
  const used = await agree(member)
  t.equal((await send(used)).status, 200)
  t.equal((await send(used)).status, 400)
  const another = await server.startAnotherNode()
  t.equal(
    (await fetch(`${another.node.url}/calls/provider/complete`, { method: 'POST', body: used })).status,
    400,
  )
  const late = await agree(member)
  clock.advance(600_000)
  t.equal((await open(late)).status, 200)
  clock.advance(1)
  const opened = await open(late)
  t.equal(opened.status, 400)
  t.match(await opened.text(), 'This link has expired.')
  t.equal((await send(late)).status, 400)
  const { ticket } = await member.must('POST', '/events/ticket')
  for (const state of [ticket, 'nonsense', '', `${used.get('state')}x`]) {
    t.equal((await open(new URLSearchParams({ code: 'code', state }))).status, 400, state)
  }
})

await t.test('[CALL5] a refusal at the provider, or a forged code, stores no token', async (t) => {
  const member2 = server.as('member2')
  const { url } = await member2.must('GET', '/calls/provider/register')
  const state = new URL(url).searchParams.get('state') ?? ''
  const denied = await open(new URLSearchParams({ error: 'access_denied', state }))
  t.equal(denied.status, 400)
  t.match(await denied.text(), 'The provider refused.')
  t.equal((await open(new URLSearchParams({ state }))).status, 400)
  t.equal((await open(new URLSearchParams({ code: 'x'.repeat(4_097), state }))).status, 400)
  const escaped = await open(new URLSearchParams({ code: '"><script>', state }))
  t.match(await escaped.text(), 'value="&quot;&gt;&lt;script&gt;"')
  t.equal((await send(new URLSearchParams({ code: '"><script>', state }))).status, 400)
  const failing = await agree(member2)
  provider.odd.set('/oauth/token', [{ status: 500 }])
  t.equal((await send(failing)).status, 502)
  provider.odd.set('/oauth/token', [{ status: 200, body: '{"access_token":7}' }])
  t.equal((await send(await agree(member2))).status, 502)
  t.equal(await hasToken(member2), false)
  const wrongMethod = await fetch(page, { method: 'DELETE' })
  t.equal(wrongMethod.status, 405)
})

await t.test(
  '[CALL6] an expired token is renewed once, however many calls need it on any process',
  async (t) => {
    provider.secondsLeft = 120
    await connect(member)
    provider.secondsLeft = 3600
    const another = await server.startAnotherNode()
    clock.advance(59_000)
    await member.must('POST', '/calls/provider/create')
    clock.advance(1_000)
    const before = provider.requests.length
    const clients = [member, another.as('member'), member, another.as('member')]
    const answers = await Promise.all(clients.map((client) => createCall(client)))
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const renewals = provider.requests.slice(before).filter(({ path }) => path === '/oauth/token')
    t.match(renewals, [{ fields: { grant_type: 'refresh_token' } }])
    t.equal(renewals.length, 1)
    // The refresh token from that reply is the valid one.
    clock.advance(3_600_000)
    await member.must('POST', '/calls/provider/create')
  },
)

await t.test(
  '[CALL7] a token that the provider revoked is deleted, and its user gets an event',
  async (t) => {
    await connect(member)
    const events = await expectConsistent(server, async () => {
      provider.forget()
      expectRefusal(t, await createCall(member), INVALID, { code: 'INVALID_PROVIDER_TOKEN' })
    })
    t.match(events.member, [{ type: 'has_provider_token', value: false }])
    t.equal(events.member?.length, 1)
    t.same([events.owner, events.member2, events.guest], [[], [], []])
    t.equal(await hasToken(member), false)
    const count = provider.requests.length
    expectRefusal(t, await createCall(member), INVALID, { code: 'INVALID_PROVIDER_TOKEN' })
    t.equal(provider.requests.length, count, 'the provider is not asked')
    // The same for a token that cannot be renewed, or that has expired.
    for (const refreshToken of [undefined, 'unknown']) {
      const body = JSON.stringify({ access_token: 'one', refresh_token: refreshToken, expires_in: 10 })
      provider.odd.set('/oauth/token', [{ status: 200, body }])
      await connect(member)
      t.equal(await hasToken(member), true)
      expectRefusal(t, await createCall(member), INVALID, { code: 'INVALID_PROVIDER_TOKEN' })
      t.equal(await hasToken(member), false)
    }
  },
)

await t.test(
  '[CALL8] many concurrent calls that are refused each get an answer, and one event is sent',
  async (t) => {
    await connect(member)
    const queue = await member.register({ event_types: ['has_provider_token'] })
    provider.forget()
    const answers = await Promise.all([1, 2, 3].map(() => createCall(member)))
    t.same(
      answers.map(({ body }) => body.code),
      Array.from({ length: 3 }, () => 'INVALID_PROVIDER_TOKEN'),
    )
    t.match(await member.events(queue), [{ type: 'has_provider_token', value: false }])
    t.equal((await member.events(queue)).length, 0)
  },
)

await t.test(
  '[CALL9] an unknown account, or any other answer of the provider, keeps the token',
  async (t) => {
    await connect(member)
    const path = '/v2/users/me/meetings'
    provider.odd.set(path, [{ status: 404, body: '{"code":1001}' }])
    expectRefusal(t, await createCall(member), 'Unknown provider user email.', {
      code: 'UNKNOWN_PROVIDER_USER',
    })
    const odd = [
      { status: 500 },
      { status: 429, body: '{}' },
      { status: 201, body: 'not JSON' },
      { status: 201, body: '[]' },
      { status: 201, body: '{"join_url":"javascript:alert(1)"}' },
      { status: 201, body: `{"join_url":"https://example.com/${'x'.repeat(2_048)}"}` },
      { status: 201, body: `{"join_url":"https://example.com","more":"${'x'.repeat(70_000)}"}` },
      { status: 307, headers: { location: `${provider.url}/elsewhere` } },
    ]
    for (const answer of odd) {
      provider.odd.set(path, [answer])
      expectRefusal(t, await createCall(member), FAILED)
    }
    t.notOk(
      provider.requests.some(({ path }) => path === '/elsewhere'),
      'it redirects nowhere else',
    )
    t.equal((await createCall(member)).status, 200)
    // A renewal that fails for other reasons than the token.
    clock.advance(3_600_000)
    provider.odd.set('/oauth/token', [
      { status: 503 },
      { status: 401 },
      { status: 400, body: '{"error":"invalid_client"}' },
    ])
    expectRefusal(t, await createCall(member), FAILED)
    expectRefusal(t, await createCall(member), FAILED)
    expectRefusal(t, await createCall(member), FAILED)
    t.equal((await createCall(member)).status, 200)
  },
)

await t.test(
  '[CALL10] a client that requests the event by its original name gets it under that name',
  async (t) => {
    const [neutral, original, both, all] = [
      await owner.register({ event_types: ['has_provider_token'] }),
      await owner.register({ event_types: ['has_zoom_token'] }),
      await owner.register({ event_types: ['has_zoom_token', 'has_provider_token'] }),
      await owner.register(),
    ]
    await connect(owner)
    const typesOf = async (queue: typeof neutral) => (await owner.events(queue)).map(({ type }) => type)
    t.same(await typesOf(neutral), ['has_provider_token'])
    t.same(await typesOf(original), ['has_zoom_token'])
    t.same(await typesOf(both), ['has_provider_token'])
    t.same(await typesOf(all), ['has_provider_token'])
    t.match(original.state, { has_provider_token: true, has_zoom_token: true })
  },
)

await t.test('[CALL11] tokens are sealed in the database, and are in no event and no reply', async (t) => {
  await connect(member)
  const rows = await node.services.sql<{ sealed: Buffer }[]>`select sealed from provider_tokens`
  const secrets = provider.requests.flatMap(
    ({ authorization }) => /access-\d+/.exec(authorization ?? '') ?? [],
  )
  t.ok(secrets.length > 0)
  const log = await node.services.sql`select event::text from event_log`
  const held = Buffer.concat([...rows.map(({ sealed }) => sealed), Buffer.from(JSON.stringify(log))])
  t.notMatch(held.toString('latin1'), /access-\d|refresh-\d/)
  // With another client secret tokens are useless; and a row cannot be used for another user.
  await node.services.sql`update provider_tokens set sealed = (
    select sealed from provider_tokens where user_id = ${owner.userId} and is_current) where user_id = ${member.userId}`
  expectRefusal(t, await createCall(member), INVALID, { code: 'INVALID_PROVIDER_TOKEN' })
  t.equal(await hasToken(member), false)
})

await t.test('[CALL60] deactivation deletes the token for good', async (t) => {
  const leaving = await addUser(server, 'leaving')
  await connect(leaving)
  const later = await agree(leaving)
  await owner.must('DELETE', `/users/${leaving.userId}`)
  const rows = await node.services.sql`select from provider_tokens where user_id = ${leaving.userId}`
  t.equal(rows.length, 0)
  t.equal((await send(later)).status, 400)
  await owner.must('POST', `/users/${leaving.userId}/reactivate`)
  await giveKeyBack(server, leaving)
  expectRefusal(t, await createCall(leaving), INVALID, { code: 'INVALID_PROVIDER_TOKEN' })
})

await t.test('[CALL12] the organization can choose the provider from the list of services', async (t) => {
  const { state } = await owner.register({ event_types: ['realm'] })
  const service = { name: '127.0.0.1', id: 3 }
  t.match(state.realm_available_video_chat_providers, { video_provider: service, zoom: service })
  await owner.must('PATCH', '/realm', { video_chat_provider: 3 })
  t.equal((await owner.register({ event_types: ['realm'] })).state.realm_video_chat_provider, 3)
})

await t.test('[CALL13] without a provider there is no choice, and calls are refused', async (t) => {
  const without = await startTestServer(t)
  const refused = 'Provider credentials have not been configured'
  expectRefusal(t, await createCall(without.as('member')), refused)
  expectRefusal(t, await without.as('member').get('/calls/provider/register'), refused)
  t.same(
    (await without.as('owner').register({ event_types: ['realm'] })).state
      .realm_available_video_chat_providers,
    {
      disabled: { name: 'None', id: 0 },
      jitsi_meet: { name: 'Jitsi Meet', id: 1 },
    },
  )
  expectRefusal(
    t,
    await without.as('owner').patch('/realm', { video_chat_provider: 3 }),
    'Invalid video_chat_provider',
  )
})

await t.test('[CALL14] the settings of a provider must be complete and use HTTPS', (t) => {
  const { env } = provider
  t.match(readConfig(env).callProvider, { url: provider.url, apiUrl: provider.url })
  t.equal(readConfig({}).callProvider, undefined)
  for (const name of Object.keys(env).filter((one) => one !== 'VIDEO_PROVIDER_CLIENT_ID')) {
    t.throws(
      () => readConfig({ ...env, [name]: '' }),
      new ConfigError(`${name} must be set where VIDEO_PROVIDER_CLIENT_ID is`),
    )
  }
  const open = { ...env, VIDEO_PROVIDER_URL: 'http://calls.example.com' }
  t.throws(
    () => readConfig(open),
    new ConfigError('VIDEO_PROVIDER_URL must be an address that starts with https://'),
  )
  t.end()
})

await t.test('[CALL15] an authorization ends with the API key that started it', async (t) => {
  const bot = server.as('bot')
  const back = await agree(bot)
  await member.must('POST', `/bots/${bot.userId}/api_key/regenerate`)
  t.equal((await send(back)).status, 400)
})
