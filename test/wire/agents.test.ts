/** Agents: the Model Context Protocol at `/mcp`, by the official client and by single requests. */

import t from 'tap'
import { type Agent, callTool, connectAgent, postAgent } from '../harness/client/agent.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { Client, Fields } from '../harness/client/client.ts'
import { makeRandom } from '../events/make-random.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { deactivateUser } from '../harness/worlds/account-changes.ts'

const LIMIT = 60
const clock = new ManualClock()
const server = await startTestServer(t, { clock, env: { RATE_LIMIT_USER_PER_MINUTE: String(LIMIT) } })
const { url } = server.node
const [owner, member, guest, bot] = [
  server.as('owner'),
  server.as('member'),
  server.as('guest'),
  server.as('bot'),
]
await owner.subscribe(['general', 'other'], { principals: [1, 4, 6, 7] })
await owner.subscribe(['hidden'], { principals: [1], invite_only: true })
const idOf = async (stream: string) => (await owner.must('GET', '/get_stream_id', { stream })).stream_id
const [GENERAL, HIDDEN] = [await idOf('general'), await idOf('hidden')] as const
const HELLO = await owner.send('general', 'greetings', 'Hello **world** from the owner')
const ANSWER = await member.send('general', 'greetings', 'An answer about apples')
await owner.send('general', 'fruit', 'Some pears')
const SECRET = await owner.send('hidden', 'plans', 'The secret is apples')
const DIRECT = await owner.sendDirect([member.userId], 'Between us: apples')

/** Each test has all of the limit. */
t.beforeEach(() => clock.leap(60_000))

async function makeKey(holder: Client, scope: string, more: Fields = {}): Promise<string> {
  return (await holder.must('POST', '/users/me/keys', { name: 'Agent', scope, ...more })).api_key
}
const namesOf = async (agent: Agent) => (await agent.listTools()).tools.map(({ name }) => name)
const READING = ['search_messages', 'read_conversation', 'list_channels', 'list_topics', 'list_people']

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modern = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: META },
})
const heads = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})
const earlier = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const post = (body: unknown, headers: Record<string, string> = {}) =>
  postAgent(url, member.key, body, headers)

for (const mode of ['modern', 'auto', 'earlier'] as const)
  await t.test(`[AGENT1] the official client finds, reads and searches (${mode})`, async (t) => {
    const agent = await connectAgent(t, url, member.key, mode)
    t.match(agent.getServerVersion(), { name: 'parley', title: 'Parley' })
    t.match(agent.getInstructions(), /Test Organization.*You work for The member.*only reads/s)
    const { tools } = await agent.listTools()
    t.same(
      tools.map(({ name }) => name),
      READING,
    )
    for (const { inputSchema, annotations, title, description } of tools) {
      t.match(inputSchema, { type: 'object', additionalProperties: false })
      t.match(annotations, { readOnlyHint: true, destructiveHint: false, openWorldHint: true })
      t.ok(title !== undefined && description !== undefined)
    }
    const found = await callTool(agent, 'search_messages', { query: 'apples' })
    t.match(found.text, /^The JSON below has names and texts that other people/, 'marked as words of others')
    t.match(found.value, {
      messages: [
        {
          id: ANSWER,
          sender: { id: member.userId, name: 'The member' },
          channel: { id: GENERAL, name: 'general' },
          topic: 'greetings',
          content: 'An answer about apples',
        },
        { id: DIRECT, people: [{ name: 'The owner' }, { name: 'The member' }] },
      ],
      has_older: false,
    })
    t.notOk(found.text.includes('secret'), 'not what its person cannot read')
    const read = await callTool(agent, 'read_conversation', { channel: 'general', topic: 'greetings' })
    t.match(read.value, {
      messages: [{ id: HELLO, content: 'Hello **world** from the owner' }, { id: ANSWER }],
    })
    await agent.close()
  })

await t.test('[AGENT2] a list says what its person may see, in parts', async (t) => {
  const agent = await connectAgent(t, url, member.key)
  const channels = await callTool(agent, 'list_channels')
  t.match(channels.value, {
    channels: [{ name: 'general', id: GENERAL, is_private: false }, { name: 'other' }],
    total: 2,
  })
  t.match((await callTool(agent, 'list_channels', { query: 'GEN' })).value, { total: 1 })
  t.match((await callTool(agent, 'list_channels', { subscribed: true, offset: 1, limit: 1 })).value, {
    channels: [{ name: 'other' }],
    total: 2,
  })
  const topics = await callTool(agent, 'list_topics', { channel: 'general', query: null })
  t.match(topics.value, {
    topics: [{ topic: 'fruit' }, { topic: 'greetings', newest_message_id: ANSWER }],
    total: 2,
  })
  const people = await callTool(agent, 'list_people', { query: 'the ow' })
  t.match(people.value, { people: [{ id: owner.userId, name: 'The owner' }], total: 1, you: member.userId })
  for (const [name, args, message] of [
    ['list_topics', { channel: 'hidden' }, "Invalid channel name 'hidden'"],
    ['list_topics', { channel: 'nowhere' }, "Invalid channel name 'nowhere'"],
    ['list_topics', { channel: HIDDEN }, 'Invalid channel ID'],
    ['list_topics', { channel: 9999 }, 'Invalid channel ID'],
    ['list_topics', {}, 'Name a channel.'],
    ['list_channels', { limit: 0 }, 'Invalid limit'],
    ['list_channels', { limit: 201 }, 'Invalid limit'],
    ['list_channels', { offset: -1 }, 'Invalid offset'],
    ['list_channels', { limits: 3 }, 'Unknown argument: limits'],
    ['list_people', { query: 'q'.repeat(101) }, 'query is too long (limit: 100 characters)'],
  ] as const) {
    const { isError, text } = await callTool(agent, name, args)
    t.match({ isError, text }, { isError: true, text: message })
  }
})

await t.test('[AGENT3] pages of a conversation follow each other, and each has a limit', async (t) => {
  const agent = await connectAgent(t, url, member.key)
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push(await owner.send('other', 'long', `message ${n}`))
  const read = async (args: object, tool = 'read_conversation') => {
    const { value } = await callTool(agent, tool, { channel: 'other', topic: 'long', ...args })
    const { messages, ...around } = value as { messages: { id: number }[] }
    return { ids: messages.map(({ id }) => id), ...around }
  }
  const page = (from: number, to: number, has_older: boolean, has_newer: boolean) => ({
    ids: ids.slice(from, to),
    has_older,
    has_newer,
  })
  t.same(await read({ limit: 2 }), page(3, 5, true, false))
  t.same(await read({ limit: 2, before: ids[3] }), page(1, 3, true, true))
  t.same(await read({ limit: 2, after: ids[0] }), page(1, 3, true, true))
  t.same(await read({ limit: 3, around: ids[2] }), page(1, 4, true, true))
  t.same(await read({ limit: 50 }), page(0, 5, false, false))
  t.match(await read({ query: 'message', limit: 1, before: ids[2] }, 'search_messages'), { ids: [ids[1]] })
  await owner.send('other', 'whole', 'x'.repeat(10_000))
  const whole = await callTool(agent, 'read_conversation', { channel: 'other', topic: 'whole' })
  t.match(whole.value, { messages: [{ content: /^x{4000}$/, is_cut: true }] })
  for (const [args, message] of [
    [{ limit: 51, channel: 'other' }, 'Invalid limit'],
    [{}, 'Name a channel or people.'],
    [{ channel: 'other', people: [1] }, 'Name either a channel or people.'],
    [{ topic: 'x', people: [1] }, 'Name either a channel or people.'],
    [{ channel: 'other', before: 5, after: 6 }, 'Name only one of before, after and around.'],
    [{ channel: 'other', around: 'x' }, 'around is not an integer'],
    [{ people: Array.from({ length: 21 }, () => 1) }, 'people is too long (limit: 20 items)'],
    [{ people: ['me'] }, 'me is neither an id nor an email address.'],
    [{ people: ['nobody@example.com'] }, 'No such user'],
  ] as const) {
    const { isError, text } = await callTool(agent, 'read_conversation', args)
    t.match({ isError, text }, { isError: true, text: message })
  }
  t.match(await callTool(agent, 'search_messages', {}), {
    isError: true,
    text: 'Name at least one condition.',
  })
  t.match(await callTool(agent, 'search_messages', { query: 'q'.repeat(501) }), { isError: true })
  const direct = await callTool(agent, 'read_conversation', { people: ['owner@example.com'] })
  t.match(direct.value, { messages: [{ id: DIRECT }] })
  const stranger = await connectAgent(t, url, guest.key)
  const others = await callTool(stranger, 'search_messages', { query: 'Between', everywhere: true })
  t.same(others.value, { messages: [], has_older: false, has_newer: false })
})

await t.test('[AGENT4] a key opens what its scope says, and other credentials nothing', async (t) => {
  t.same(await namesOf(await connectAgent(t, url, await makeKey(member, 'read'))), READING)
  const one = await connectAgent(t, url, await makeKey(member, 'channel', { stream_id: GENERAL }))
  t.same((await namesOf(one)).slice(0, 4), READING.slice(0, 4))
  t.match((await callTool(one, 'search_messages', { query: 'apples' })).value, { messages: [{ id: ANSWER }] })
  t.match((await callTool(one, 'list_channels')).value, { channels: [{ id: GENERAL }], total: 1 })
  t.match((await callTool(one, 'list_topics', { channel: 'General' })).value, { total: 2 })
  for (const [name, args] of [
    ['list_people', {}],
    ['list_topics', { channel: 'other' }],
    ['list_topics', { channel: 'nowhere' }],
    ['read_conversation', { channel: HIDDEN }],
    ['read_conversation', { channel: 9999 }],
    ['read_conversation', { people: [1] }],
    ['search_messages', { people: ['owner@example.com'] }],
  ] as const)
    t.match(
      await callTool(one, name, args),
      { isError: true, text: 'This key is not for this request.' },
      name,
    )
  const list = earlier('tools/list')
  const over = await makeKey(member, 'read', { expires_in_seconds: 60 })
  t.equal((await postAgent(url, over, list)).status, 200)
  clock.leap(60_000)
  const refused = async (authorization: string, msg: string, headers: Record<string, string> = {}) => {
    const answer = await post(list, { authorization, ...headers })
    t.match(answer, { status: 401, body: { result: 'error', code: 'UNAUTHORIZED', msg } }, authorization)
    t.match(answer.headers.get('www-authenticate'), /^Bearer /)
  }
  const missing = 'Missing authorization header with an API key as bearer token'
  await refused(`Bearer ${over}`, 'Invalid API key')
  await refused(`Bearer ${'x'.repeat(32)}`, 'Invalid API key')
  await refused('Bearer x', 'Malformed API key')
  await refused('Bearer ', missing)
  await refused(member.authorization, missing)
  await refused('', missing, { cookie: 'sessionid=1.x' })
  const lost = await makeKey(guest, 'read')
  await server.node.services.committer.submit(deactivateUser(guest.userId as UserId))
  await refused(`Bearer ${guest.key}`, 'Account is deactivated')
  t.not((await postAgent(url, lost, list)).status, 200)
  t.match((await callTool(await connectAgent(t, url, bot.key), 'list_channels')).value, { total: 2 })
})

await t.test('[AGENT5] only POST, JSON and the own origin are served', async (t) => {
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD']) {
    const answer = await fetch(`${url}/mcp`, { method, headers: { authorization: `Bearer ${member.key}` } })
    t.equal(answer.status, 405, method)
    t.equal(answer.headers.get('allow'), 'POST')
    await answer.arrayBuffer()
  }
  const ping = earlier('ping')
  for (const origin of [
    'https://evil.example',
    'null',
    'http://127.0.0.1',
    url.replace('127.0.0.1', 'evil.example'),
  ])
    t.match(await post(ping, { origin }), { status: 403, body: { code: 'CSRF_FAILED' } }, origin)
  t.equal((await post(ping, { origin: url })).status, 200)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
    t.match(
      await post(ping, { 'content-type': type }),
      { status: 415, body: { error: { code: -32600 } } },
      type,
    )
  t.equal((await post(ping, { 'content-type': 'Application/JSON; charset=utf-8' })).status, 200)
  t.match(await post(' '.repeat(1024 * 1024 + 1)), { status: 413, body: { code: 'BAD_REQUEST' } })
  t.match(await post(`${JSON.stringify(ping)}${' '.repeat(1_000_000)}`), { status: 200 })
})

await t.test('[AGENT6] versions are negotiated, and headers must agree with the message', async (t) => {
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const begun = await post(earlier('initialize', { protocolVersion: version, capabilities: {} }))
    t.match(begun, {
      status: 200,
      body: { result: { protocolVersion: version, capabilities: { tools: {} } } },
    })
    t.match(await post(earlier('ping'), { 'mcp-protocol-version': version }), {
      status: 200,
      body: { result: {} },
    })
  }
  for (const asked of ['2026-07-28', '1999-01-01', undefined, 7])
    t.match(await post(earlier('initialize', { protocolVersion: asked })), {
      body: { result: { protocolVersion: '2025-11-25' } },
    })
  t.match(await post(modern('server/discover'), heads('server/discover')), {
    status: 200,
    body: {
      id: 1,
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'parley' } },
      },
    },
  })
  const list = modern('tools/list')
  const call = modern('tools/call', { name: 'list_channels', arguments: {} })
  const coded = `=?base64?${Buffer.from('list_channels').toString('base64')}?=`
  t.match(await post(call, heads('tools/call', coded)), { status: 200, body: { result: { content: [{}] } } })
  const withMeta = (meta: object) => ({ ...list, params: { _meta: { ...META, ...meta } } })
  const [VERSION, CAPABILITIES] = [
    'io.modelcontextprotocol/protocolVersion',
    'io.modelcontextprotocol/clientCapabilities',
  ]
  const old = { ...heads('tools/list'), 'mcp-protocol-version': '2099-01-01' }
  const refused: readonly [object, Record<string, string>, number, number][] = [
    [list, { 'mcp-method': 'tools/list' }, 400, -32020],
    [list, { 'mcp-protocol-version': '2026-07-28' }, 400, -32020],
    [list, heads('tools/call'), 400, -32020],
    [call, heads('tools/call'), 400, -32020],
    [call, heads('tools/call', 'list_people'), 400, -32020],
    [withMeta({ [VERSION]: '2099-01-01' }), heads('tools/list'), 400, -32020],
    [withMeta({ [VERSION]: '2099-01-01' }), old, 400, -32022],
    [withMeta({ [VERSION]: 7 }), heads('tools/list'), 400, -32602],
    [withMeta({ [CAPABILITIES]: null }), heads('tools/list'), 400, -32602],
    [earlier('tools/list'), heads('tools/list'), 400, -32602],
    [earlier('initialize'), heads('initialize'), 400, -32020],
    [earlier('tools/list'), { 'mcp-protocol-version': '2099-01-01' }, 400, -32022],
    [modern('ping'), heads('ping'), 404, -32601],
    [modern('resources/list'), heads('resources/list'), 404, -32601],
    [earlier('resources/list'), {}, 200, -32601],
    [earlier('server/discover'), {}, 200, -32601],
    [earlier('tools/list', { cursor: 'x' }), {}, 200, -32602],
    [earlier('tools/call', {}), {}, 200, -32602],
    [earlier('tools/call', { name: 'constructor' }), {}, 200, -32602],
    [earlier('tools/call', { name: 'list_channels', arguments: [] }), {}, 200, -32602],
  ]
  for (const [body, headers, status, code] of refused)
    t.match(
      await post(body, headers),
      { status, body: { id: 1, error: { code } } },
      JSON.stringify({ body, headers }),
    )
})

await t.test(
  '[AGENT7] notifications and answers are accepted, batches only by versions that have them',
  async (t) => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } },
      { jsonrpc: '2.0', id: 4, result: {} },
      { jsonrpc: '2.0', id: 4, error: { code: 1, message: 'no' } },
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
    ])
      t.match(await post(body), { status: 202, body: undefined })
    const batch = [
      earlier('ping', {}, 'a'),
      { jsonrpc: '2.0', method: 'x' },
      7,
      earlier('tools/list', {}, 'b'),
      earlier('initialize', {}, 'c'),
      modern('tools/list', {}, 'd'),
    ]
    const answered = {
      status: 200,
      body: [
        { id: 'a', result: {} },
        { id: null, error: { code: -32600 } },
        { id: 'b', result: { tools: [{}] } },
        { id: 'c', error: { code: -32600 } },
        { id: 'd', error: { code: -32600 } },
      ],
    }
    t.match(await post(batch), answered)
    t.match(await post(batch, { 'mcp-protocol-version': '2025-03-26' }), answered)
    const isInvalid = { status: 400, body: { id: null, error: { code: -32600 } } }
    for (const version of ['2025-06-18', '2025-11-25', '2026-07-28', '1'])
      t.match(await post(batch, { 'mcp-protocol-version': version }), isInvalid)
    const pings = (length: number) => Array.from({ length }, (_, id) => earlier('ping', {}, id))
    t.match(await post(pings(20)), { status: 200, body: { length: 20 } })
    for (const body of [
      pings(21),
      [],
      7,
      null,
      'text',
      {},
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0' },
    ])
      t.match(
        await post(JSON.stringify(body)),
        { status: 400, body: { error: { code: -32600 } } },
        JSON.stringify(body).slice(0, 50),
      )
    for (const id of [null, 1.5, {}, [], true]) t.match(await post(earlier('ping', {}, id)), isInvalid)
    for (const body of ['', '{', 'nothing', `${'['.repeat(100)}${']'.repeat(100)}`])
      t.match(
        await post(body),
        { status: 400, body: { id: null, error: { code: -32700 } } },
        body.slice(0, 20),
      )
  },
)

await t.test('[AGENT8] operations of an agent count against the limit of its person', async (t) => {
  const remaining = async (body: unknown) => Number((await post(body)).headers.get('x-ratelimit-remaining'))
  const call = (name: string, args: object = {}) => earlier('tools/call', { name, arguments: args })
  const before = await remaining(earlier('ping'))
  t.equal(await remaining(earlier('ping')), before - 1, 'a request without operations counts once')
  t.equal(await remaining(call('list_channels')), before - 2, 'one with an operation no more')
  t.equal(await remaining(call('list_topics', { channel: 'general' })), before - 4, 'each operation')
  const batch = Array.from({ length: 20 }, () => call('list_topics', { channel: 'general' }))
  await post(batch)
  const spent = await post(batch)
  t.match(
    (spent.body as { result: object }[]).at(-1),
    { result: { isError: true, content: [{ text: /^API usage exceeded rate limit/ }] } },
    'the rest of a batch is refused as errors of tools',
  )
  const refused = await post(earlier('ping'))
  t.match(refused, { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  t.equal((await member.get('/users/me')).status, 429, 'it is the same limit')
})

await t.test(
  '[AGENT10] messages of an agent are marked for all, and all that it writes is in the audit log',
  async (t) => {
    const key = await makeKey(member, 'messages')
    const { keys } = await member.must('GET', '/users/me/keys')
    const keyId = keys.at(-1)?.id
    const queue = await owner.register({ event_types: ['message', 'reaction'] })
    const agent = await connectAgent(t, url, key, 'modern')
    t.same(await namesOf(agent), [...READING, 'send_message', 'add_reaction', 'save_draft'])
    const { tools } = await agent.listTools()
    t.match(
      tools.slice(READING.length).map(({ annotations }) => annotations),
      [false, true, false].map((idempotentHint) => ({
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint,
      })),
    )
    const sent = await callTool(agent, 'send_message', {
      channel: 'general',
      topic: 'greetings',
      content: 'Sent by an **agent**',
    })
    const { message_id: id } = sent.value as { message_id: number }
    await callTool(agent, 'send_message', { people: ['owner@example.com'], content: 'Directly' })
    const reacted = await callTool(agent, 'add_reaction', { message_id: HELLO, emoji: ':tada:' })
    t.same(reacted.value, { message_id: HELLO })
    const draft = await callTool(agent, 'save_draft', {
      channel: GENERAL,
      topic: 'later',
      content: 'Not yet',
    })
    const { draft_id: draftId } = draft.value as { draft_id: number }
    t.match(await owner.events(queue), [
      { type: 'message', message: { id, client: 'MCP', sender_id: member.userId } },
      { type: 'message', message: { client: 'MCP', content: 'Directly' } },
      { type: 'reaction', message_id: HELLO, emoji_name: 'tada', user_id: member.userId },
    ])
    const read = await callTool(agent, 'read_conversation', {
      channel: 'general',
      topic: 'greetings',
      limit: 1,
    })
    t.match(read.value, { messages: [{ id, sent_by_agent: true, content: 'Sent by an **agent**' }] })
    const own = await member.must('GET', '/messages', { message_ids: [id] })
    t.match(own.messages, [{ id, flags: [] }], 'its person has not read it')
    t.match((await member.must('GET', '/drafts')).drafts, [
      { id: draftId, content: 'Not yet', topic: 'later' },
    ])
    const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: ['agent_wrote'] })
    const details = { user_id: member.userId, key_id: keyId, program: 'test-agent', message_id: null }
    t.match(
      entries.map((entry) => ({ by: entry.acting_user_id, ...entry.details })),
      [
        { ...details, wrote: 'draft', stream_id: null },
        { ...details, wrote: 'reaction', stream_id: GENERAL, message_id: HELLO },
        { ...details, wrote: 'message', stream_id: null },
        { ...details, wrote: 'message', stream_id: GENERAL },
      ].map((one) => ({ by: member.userId, ...one })),
    )
    const robot = await connectAgent(t, url, bot.key, 'earlier')
    const byBot = await callTool(robot, 'send_message', { channel: 'general', topic: 't', content: 'c' })
    t.equal(byBot.isError, false)
    const newest = await owner.must('GET', '/realm/audit_log', { kinds: ['agent_wrote'] })
    t.match(newest.entries[0], { details: { user_id: bot.userId, key_id: null, program: 'node' } })
  },
)

await t.test('[AGENT11] an agent writes only with a key for it, and only what its person may', async (t) => {
  const sends = ['send_message', { channel: 'general', topic: 't', content: 'never' }] as const
  const reacts = ['add_reaction', { message_id: HELLO, emoji: 'eyes' }] as const
  const drafts = ['save_draft', { channel: 'general', topic: 't', content: 'never' }] as const
  const written = async () => {
    const { messages } = await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1 })
    const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: ['agent_wrote'] })
    return [messages.at(-1)?.id, entries.length]
  }
  const elsewhere = await owner.sendDirect([member.userId], 'not in the channel')
  const before = await written()
  for (const [key, text] of [
    [member.key, /^With the API key of a person an agent only reads\./],
    [await makeKey(member, 'read'), 'This key is not for this request.'],
  ] as const) {
    const agent = await connectAgent(t, url, key)
    for (const [name, args] of [sends, reacts, drafts])
      t.match(await callTool(agent, name, args), { isError: true, text })
  }
  const one = await connectAgent(t, url, await makeKey(member, 'channel', { stream_id: GENERAL }))
  t.same(await namesOf(one), [...READING.slice(0, 4), 'send_message', 'add_reaction'])
  const reaction = await callTool(one, 'add_reaction', { message_id: elsewhere, emoji: 'eyes' })
  t.match(reaction, { isError: true, text: 'Invalid message(s)' })
  for (const [name, args] of [
    drafts,
    ['send_message', { channel: 'other', topic: 't', content: 'never' }],
    ['send_message', { channel: HIDDEN, topic: 't', content: 'never' }],
    ['send_message', { people: [1], content: 'never' }],
  ] as const)
    t.match(await callTool(one, name, args), { isError: true, text: 'This key is not for this request.' })
  const agent = await connectAgent(t, url, await makeKey(member, 'messages'))
  for (const [name, args, text] of [
    ['send_message', { channel: 'hidden', topic: 't', content: 'c' }, "Invalid channel name 'hidden'"],
    [
      'send_message',
      { channel: HIDDEN, topic: 't', content: 'c' },
      `Channel with ID '${HIDDEN}' does not exist`,
    ],
    ['send_message', { channel: 9999, topic: 't', content: 'c' }, "Channel with ID '9999' does not exist"],
    ['send_message', { channel: 'general', content: 'c' }, 'Name a topic of the channel.'],
    ['send_message', { content: 'c' }, 'Name a channel or people.'],
    ['send_message', { people: [1], topic: 't', content: 'c' }, 'Name either a channel or people.'],
    ['send_message', { people: [1] }, "Missing 'content' argument"],
    ['send_message', { people: [1], content: ' ' }, 'Message must not be empty'],
    [
      'send_message',
      { people: [1], content: 'c'.repeat(10_001) },
      'content is too long (limit: 10000 characters)',
    ],
    [
      'send_message',
      { channel: 'general', topic: 't'.repeat(61), content: 'c' },
      'topic is too long (limit: 60 characters)',
    ],
    ['add_reaction', { message_id: SECRET, emoji: 'eyes' }, 'Invalid message(s)'],
    ['add_reaction', { message_id: 999_999, emoji: 'eyes' }, 'Invalid message(s)'],
    ['add_reaction', { message_id: HELLO, emoji: 'no such emoji' }, "Emoji 'no such emoji' does not exist"],
    ['save_draft', { channel: HIDDEN, topic: 't', content: 'c' }, 'Invalid channel ID'],
  ] as const)
    t.match(await callTool(agent, name, args), { isError: true, text }, JSON.stringify(args).slice(0, 80))
  t.same(await written(), before, 'nothing was sent, and nothing is in the audit log')
  const longest = await callTool(agent, 'send_message', { people: [1], content: 'c'.repeat(10_000) })
  t.equal(longest.isError, false)
})

await t.test('[AGENT9] no body makes the server fail', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const key = await makeKey(member, 'messages')
  const random = makeRandom(seed)
  const { below: int } = random
  const pick = <Item>(items: readonly Item[]) => random.pick(items)
  const odd = [
    null,
    0,
    -1,
    1e99,
    '',
    'x',
    [],
    {},
    true,
    '__proto__',
    'constructor',
    '\u0000',
    '\ud800',
    [[[]]],
    { a: { b: [] } },
  ]
  const names = [...READING, 'send_message', 'add_reaction', 'save_draft', '__proto__', '']
  const methods = [
    'tools/call',
    'tools/list',
    'initialize',
    'ping',
    'server/discover',
    'notifications/x',
    'toString',
  ]
  const params = [
    'content',
    'message_id',
    'emoji',
    'channel',
    'topic',
    'people',
    'query',
    'limit',
    'before',
    'offset',
    'sender',
    'only',
    '__proto__',
  ]
  const value = () => (int(3) === 0 ? HELLO : pick(odd))
  for (let n = 0; n < 300; n++) {
    if (n % 20 === 0) clock.leap(60_000)
    const args = Object.fromEntries(Array.from({ length: int(4) }, () => [pick(params), value()]))
    const body = {
      jsonrpc: int(9) === 0 ? value() : '2.0',
      id: int(5) === 0 ? value() : n,
      method: int(9) === 0 ? value() : pick(methods),
      params:
        int(9) === 0
          ? value()
          : {
              name: int(9) === 0 ? value() : pick(names),
              arguments: int(9) === 0 ? value() : args,
              ...(int(3) === 0 ? { _meta: int(2) === 0 ? value() : { ...META, extra: value() } } : {}),
            },
    }
    const sent = int(9) === 0 ? [body, value()] : body
    const headers = int(3) === 0 ? heads(pick(methods), pick(READING)) : {}
    const { status } = await postAgent(url, key, sent, headers)
    t.ok(status < 500, `${status} to ${JSON.stringify({ sent, headers })}`)
  }
})
