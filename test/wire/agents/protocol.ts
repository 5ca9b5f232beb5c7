/** The protocol of agents: requests, versions, batches, limits, and bodies that make no sense. */

import type { Test } from 'tap'
import { postAgent } from '../../harness/client/agent.ts'
import { type AgentWorld, modern, earlier, heads, META, READING } from './agent-world.ts'
import { makeRandom } from '../../events/make-random.ts'

export async function checkRequests(t: Test, world: AgentWorld): Promise<void> {
  const { url, member, post } = world
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
}

export async function negotiateVersions(t: Test, world: AgentWorld): Promise<void> {
  const { post } = world
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
}

export async function sendBatches(t: Test, world: AgentWorld): Promise<void> {
  const { post } = world
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
    t.match(await post(body), { status: 400, body: { id: null, error: { code: -32700 } } }, body.slice(0, 20))
}

export async function countOperations(t: Test, world: AgentWorld): Promise<void> {
  const { member, post } = world
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
}

export async function sendOddBodies(t: Test, world: AgentWorld): Promise<void> {
  const { clock, url, member, HELLO, makeKey } = world
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
}
