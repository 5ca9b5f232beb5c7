/** People without an account: who lets them in, and what they may ask. */

import t from 'tap'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { hasVisitors } from '../../../server/api/door/has-visitors.ts'
import { OPERATIONS } from '../../../server/api/table.ts'
import { Client } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer, type TestServer } from '../../harness/servers/start-server.ts'

const REFUSED = 'Missing authorization header for basic auth'
const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED' }

/** A server with the channels 1 commons, 2 town and 3 secret, each with one message. */
async function startWithChannels(t: Parameters<typeof startTestServer>[0], env = {}): Promise<TestServer> {
  const server = await startTestServer(t, { clock: new ManualClock(), env })
  const owner = server.as('owner')
  await owner.must('PATCH', '/realm', { enable_spectator_access: true })
  await owner.subscribe(['commons'], { is_web_public: true })
  await owner.subscribe(['town'])
  await owner.subscribe(['secret'], { invite_only: true })
  for (const name of ['commons', 'town', 'secret']) await owner.send(name, 'talk', `in ${name}`)
  return server
}

const page = (client: Client, narrow: unknown, more = {}) =>
  client.get('/messages', { anchor: 'newest', num_before: 100, narrow, apply_markdown: false, ...more })
const PUBLIC = { operator: 'channels', operand: 'web-public' }

t.test(
  '[VISIT1] without credentials the allowed operations answer, and all others as if nobody were allowed',
  async (t) => {
    const { anyone } = await startWithChannels(t)
    const visited: string[] = []
    for (const { method, path, access, takesWebhook } of OPERATIONS) {
      // Senders of webhooks have their key in the address.
      if (access === 'anyone' || takesWebhook) continue
      const { status, body } = await anyone.request(method, path.replaceAll(/\{\w+\}/g, '1'))
      if (status !== 401) visited.push(`${method} ${path}`)
      else t.equal(body.msg, REFUSED, `${method} ${path}`)
    }
    t.same(
      visited.toSorted(),
      // `GET /messages` needs a narrow as well.
      ['GET /messages/{message_id}', 'GET /users/me/{stream_id}/topics', 'POST /register'],
    )
  },
)

t.test(
  '[VISIT2] an organization that allows no visitors refuses them, before and after it did',
  async (t) => {
    const server = await startWithChannels(t)
    const { anyone } = server
    const requests = () =>
      Promise.all([
        page(anyone, [PUBLIC]),
        anyone.get('/messages/1'),
        anyone.get('/users/me/1/topics'),
        anyone.post('/register'),
      ])
    for (const { status } of (await requests()).slice(2)) t.equal(status, 200)
    t.equal((await anyone.must('GET', '/server_settings')).realm_web_public_access_enabled, true)
    await server.as('owner').must('PATCH', '/realm', { enable_spectator_access: false })
    for (const answer of await requests()) expectRefusal(t, answer, REFUSED, UNAUTHORIZED)
    t.equal((await anyone.must('GET', '/server_settings')).realm_web_public_access_enabled, false)
  },
)

t.test('[VISIT3] an operator who allows no web-public channels allows no visitors', async (t) => {
  const server = await startTestServer(t, { env: { WEB_PUBLIC_STREAMS_ENABLED: 'false' } })
  const answer = await server.as('owner').patch('/realm', { enable_spectator_access: true })
  expectRefusal(t, answer, 'Web-public channels are not enabled.')
  expectRefusal(t, await server.anyone.post('/register'), REFUSED, UNAUTHORIZED)
  // The setting may be from before the operator's choice.
  const settings = { ...server.node.services.state.settings, hasSpectatorAccess: true }
  t.equal(hasVisitors({ settings }, false), false)
  t.equal(hasVisitors({ settings }, true), true)
})

t.test('[VISIT4] wrong or outdated credentials are refused, not taken for a visit', async (t) => {
  const server = await startWithChannels(t)
  const { url } = server.node
  const wrong = new Client(url, 0, 'owner@example.com', 'x'.repeat(32))
  expectRefusal(t, await page(wrong, [PUBLIC]), 'Invalid API key', UNAUTHORIZED)
  const { status } = await server.anyone.request('POST', '/register', {}, { authorization: 'Bearer x' })
  t.equal(status, 401)
  const response = await fetch(`${url}/api/v1/users/me/1/topics`, {
    headers: { cookie: `sessionid=${'a'.repeat(43)}` },
  })
  t.equal(response.status, 401)
})

t.test('[VISIT5] visitors are limited by their address, apart from users and from log-ins', async (t) => {
  const server = await startWithChannels(t, { RATE_LIMIT_ADDRESS_PER_MINUTE: '5' })
  const { anyone } = server
  for (let count = 0; count < 5; count++) await anyone.must('POST', '/register', { event_types: [] })
  const { status, headers, body } = await page(anyone, [PUBLIC])
  t.equal(status, 429)
  t.equal(body.code, 'RATE_LIMIT_HIT')
  t.match(headers.get('retry-after'), /^[1-9]\d*$/)
  t.equal((await page(server.as('guest'), [PUBLIC])).status, 200)
  t.equal((await anyone.get('/server_settings')).status, 200)
})

t.test('[VISIT6] visitors read the web-public channels, and no others', async (t) => {
  const { anyone } = await startWithChannels(t)
  const contents = async (...narrow: unknown[]) => {
    const { status, body } = await page(anyone, narrow)
    return status === 200 ? body.messages.map(({ content }: { content: string }) => content) : status
  }
  const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated })
  t.same(await contents(PUBLIC), ['in commons'])
  t.same(await contents(['streams', 'web-public']), ['in commons'])
  t.same(await contents(['channel', 'commons']), ['in commons'])
  t.same(await contents(['stream', 1], ['topic', 'talk']), ['in commons'])
  t.same(await contents(['stream', 1], ['topic', 'other']), [])
  for (const hidden of ['town', 'secret', 'absent', 2, 3, 99]) {
    t.equal(await contents(['channel', hidden]), 401, `${hidden}`)
    t.equal(await contents(PUBLIC, ['channel', hidden]), 400, `${hidden}`)
  }
  for (const narrow of [[], [term('channels', 'public')], [term('channels', 'web-public', true)]])
    t.equal(await contents(...narrow), 401, JSON.stringify(narrow))
  t.same(await contents(PUBLIC, term('channels', 'public')), ['in commons'])
  t.same(await contents(PUBLIC, term('channels', 'archived')), [])
  t.same(await contents(PUBLIC, term('channel', 'commons', true)), [])
  t.equal(await contents(PUBLIC, ['channels', 'nonsense']), 400)
})

t.test('[VISIT7] no operator shows a visitor other messages', async (t) => {
  const server = await startWithChannels(t)
  const { anyone } = server
  const direct = await server.as('owner').sendDirect([4], 'in private')
  for (const term of [
    ['is', 'unread'],
    ['is', 'starred'],
    ['is', 'mentioned'],
    ['is', 'resolved'],
    ['is', 'followed'],
    ['is', 'dm'],
    ['in', 'home'],
    ['in', 'all'],
    ['dm', 'owner@example.com'],
    ['dm', [1]],
    ['dm-including', [1]],
    ['nonsense', 'x'],
  ])
    expectRefusal(t, await page(anyone, [PUBLIC, term]), REFUSED, UNAUTHORIZED)
  const { messages } = (await page(server.as('owner'), [])).body
  const ids: number[] = [...messages.map(({ id }: { id: number }) => id), direct + 1]
  t.ok(ids.includes(direct))
  for (const narrow of [
    ...ids.map((id) => [PUBLIC, ['id', id]]),
    ...ids.map((id) => [
      ['channel', 'commons'],
      ['topic', 'talk'],
      ['with', id],
    ]),
    ...ids.map((id) => [PUBLIC, ['near', id]]),
    [PUBLIC, ['sender', 1]],
    [PUBLIC, ['sender', 'user1@127.0.0.1']],
    [PUBLIC, ['search', 'in']],
    [PUBLIC, { operator: 'search', operand: 'commons', negated: true }],
    [PUBLIC, { operator: 'has', operand: 'link', negated: true }],
  ]) {
    const { status, body } = await page(anyone, narrow)
    t.equal(status, 200, JSON.stringify(body))
    for (const { content } of body.messages) t.equal(content, 'in commons', JSON.stringify(narrow))
  }
  const given = await page(anyone, [PUBLIC], { message_ids: ids, anchor: undefined, num_before: undefined })
  t.same(
    given.body.messages.map(({ content }: { content: string }) => content),
    ['in commons'],
  )
})

t.test('[VISIT8] one message is readable in a web-public channel; elsewhere it looks absent', async (t) => {
  const server = await startWithChannels(t)
  const owner = server.as('owner')
  const ids = await Promise.all(
    ['commons', 'town', 'secret'].map(async (name) => {
      const { body } = await page(owner, [['channel', name]])
      return body.messages.at(-1).id as number
    }),
  )
  const [open, ...hidden] = ids as [number, number, number]
  const { message, raw_content } = await server.anyone.must('GET', `/messages/${open}`)
  t.match(message, { content: '<p>in commons</p>', flags: ['read'] })
  t.equal(raw_content, 'in commons')
  const direct = await owner.sendDirect([4], 'in private')
  for (const id of [...hidden, direct, 999])
    expectRefusal(t, await server.anyone.get(`/messages/${id}`), 'Invalid message(s)')
  t.same((await server.anyone.must('GET', '/users/me/1/topics')).topics, [{ name: 'talk', max_id: open }])
  for (const id of [2, 3, 99])
    expectRefusal(t, await server.anyone.get(`/users/me/${id}/topics`), 'Invalid channel ID')
})

t.test(
  '[VISIT9] a visitor cannot find out accounts by a sender, and begins at the newest message',
  async (t) => {
    const { anyone } = await startWithChannels(t)
    for (const sender of [4, 99, 'user4@127.0.0.1', 'user99@127.0.0.1', '99']) {
      const { status, body } = await page(anyone, [PUBLIC, ['sender', sender]])
      t.equal(status, 200)
      t.same(body.messages, [], `${sender}`)
    }
    for (const sender of ['owner@example.com', 'nobody@example.com', 'me'])
      t.equal((await page(anyone, [PUBLIC, ['sender', sender]])).status, 400, sender)
    const { body } = await page(anyone, [PUBLIC], { anchor: 'first_unread', num_after: 10 })
    t.equal(body.messages.length, 1)
    t.equal(body.found_newest, true)
  },
)
