/** The log-in of agents by OAuth: the official client from end to end, each step with what must not pass, and attacks. */

import { IssuerMismatchError, UnauthorizedError } from '@modelcontextprotocol/client'
import t from 'tap'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { rotateAddressSecret } from '../../db/accounts/signing-secrets.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { endExpiredKeys } from '../../server/changes/users/named-keys.ts'
import { Browser } from '../harness/browser/browser.ts'
import { postAgent } from '../harness/client/agent.ts'
import {
  agentWith,
  allow,
  newVerifier,
  press,
  REDIRECT_URL,
  StoredLogin,
} from '../harness/client/agent-login.ts'
import type { Client } from '../harness/client/client.ts'
import { startOutside } from '../harness/providers/start-outside.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

const outside = await startOutside(t)
const clock = new ManualClock()
const server = await startTestServer(t, {
  clock,
  env: { ...outside.env, LOG_LEVEL: 'silent', RATE_LIMIT_ADDRESS_PER_MINUTE: '100000' },
})
const { node } = server
const { url, services } = node
const { sql } = services
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['general'], { principals: [owner.userId, member.userId] })
t.beforeEach(() => clock.leap(60_000)) // Each test has all of the limits.

const PASSWORD = 'a good password'
async function openAs(client: Client): Promise<Browser> {
  await storePasswordHash(sql, client.userId as UserId, await services.passwords.hash(PASSWORD))
  const browser = new Browser(url)
  const { status } = await browser.logIn(client.email, PASSWORD)
  if (status !== 200) throw new Error(`the log-in answered ${status}`)
  return browser
}
type Json = Record<string, unknown>
const readJson = async (answer: Response) => ({
  status: answer.status,
  headers: answer.headers,
  body: (await answer.json()) as Json,
})
const register = async (description: unknown) =>
  readJson(
    await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof description === 'string' ? description : JSON.stringify(description),
    }),
  )
const clientId = async (name = 'Notes', urls: readonly string[] = [REDIRECT_URL]) =>
  String((await register({ client_name: name, redirect_uris: urls })).body.client_id)
const post = async (path: string, fields: Json) =>
  readJson(
    await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields as Record<string, string>) }),
  )
const tokens = (fields: Json) => post('/oauth/token', fields)
const RESOURCE = `${url}/mcp`
/** The path of the page, for a client that asks as it should. */
const pathFor = (fields: Readonly<Record<string, string | undefined>>) => {
  const given = {
    response_type: 'code',
    redirect_uri: REDIRECT_URL,
    code_challenge_method: 'S256',
    state: 'st&te',
    resource: RESOURCE,
    ...fields,
  }
  return `/oauth/authorize?${new URLSearchParams(
    Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined),
  ).toString()}`
}
/** A code with all that redeems it. */
async function getCode(browser: Browser, allowed = 'read', id?: string) {
  const client_id = id ?? (await clientId())
  const { verifier, challenge } = newVerifier()
  const answer = await allow(browser, pathFor({ client_id, code_challenge: challenge }), { allowed })
  return {
    grant_type: 'authorization_code',
    client_id,
    code: answer.get('code') ?? '',
    redirect_uri: REDIRECT_URL,
    code_verifier: verifier,
    resource: RESOURCE,
  }
}
const asks = async (token: unknown) =>
  (await postAgent(url, String(token), { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status
const toolsOf = async (token: unknown) => {
  const { body } = await postAgent(url, String(token), { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return (body as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)
}
const keysOf = async (client: Client) => (await client.must('GET', '/users/me/keys')).keys
const revokeAll = async () => {
  for (const one of [owner, member])
    for (const { id } of await keysOf(one)) await one.must('DELETE', `/users/me/keys/${id}`)
}
const INVALID = { status: 400, body: { error: 'invalid_grant' } }
const asMember = await openAs(member)

await t.test(
  '[AGENTIN1] the official client logs in, reads, and writes if its person allows it',
  async (t) => {
    const login = new StoredLogin()
    const first = agentWith(login, url)
    await t.rejects(first.connect(), UnauthorizedError)
    const asked = login.asked
    t.equal(asked?.origin, url)
    t.match(Object.fromEntries(asked?.searchParams ?? []), {
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: RESOURCE,
      redirect_uri: REDIRECT_URL,
      state: 'a state',
    })
    const answer = await allow(asMember, `${asked?.pathname}${asked?.search}`, { allowed: 'messages' })
    t.same([answer.get('state'), answer.get('iss')], ['a state', url])
    const mixedUp = new URLSearchParams(answer)
    mixedUp.set('iss', 'https://evil.example')
    await t.rejects(first.transport.finishAuth(mixedUp), IssuerMismatchError, 'the answer of another server')
    await first.transport.finishAuth(answer)
    t.match(login.stored, { token_type: 'Bearer', expires_in: 3600, scope: 'messages' })
    const { agent, connect } = agentWith(login, url)
    t.teardown(() => agent.close())
    await connect()
    const names = (await agent.listTools()).tools.map(({ name }) => name)
    t.ok(names.includes('send_message'))
    const sent = await agent.callTool({
      name: 'send_message',
      arguments: { channel: 'general', topic: 'agents', content: 'by an agent' },
    })
    t.notOk(sent.isError, JSON.stringify(sent))
    t.match(await keysOf(member), [{ name: 'Test agent', scope: 'messages' }])

    const before = login.stored?.access_token
    clock.leap(3_600_000)
    t.equal(await asks(before), 401, 'an hour later the token is over')
    const again = await agent.callTool({ name: 'list_channels', arguments: {} })
    t.notOk(again.isError, 'and the client renews it by itself')
    t.not(login.stored?.access_token, before)
    const [key, ...others] = await keysOf(member)
    t.same(others, [], 'it is the same key')
    await member.must('DELETE', `/users/me/keys/${key?.id}`)
    t.equal(await asks(login.stored?.access_token), 401, 'revoked in the settings')
    t.match(
      await tokens({
        grant_type: 'refresh_token',
        client_id: login.client?.client_id,
        refresh_token: login.stored?.refresh_token,
      }),
      INVALID,
    )
  },
)

await t.test('[AGENTIN2] a 401 leads to the descriptions, which say where and how to log in', async (t) => {
  const refused = await postAgent(url, 'x', { jsonrpc: '2.0', id: 1, method: 'ping' })
  t.equal(refused.status, 401)
  t.match(
    refused.headers.get('www-authenticate'),
    `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", realm=`,
  )
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])
    t.match(await readJson(await fetch(url + path)), {
      status: 200,
      body: { resource: RESOURCE, authorization_servers: [url], scopes_supported: ['read', 'messages'] },
    })
  const { body, headers } = await readJson(await fetch(`${url}/.well-known/oauth-authorization-server`))
  t.same(body, {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    registration_endpoint: `${url}/oauth/register`,
    revocation_endpoint: `${url}/oauth/revoke`,
    scopes_supported: ['read', 'messages'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  })
  t.equal(headers.get('cache-control'), 'public, max-age=300')
  for (const [method, path] of [
    ['POST', '/.well-known/oauth-authorization-server'],
    ['GET', '/oauth/token'],
    ['PUT', '/oauth/register'],
    ['GET', '/oauth/revoke'],
  ] as const)
    t.equal((await fetch(url + path, { method })).status, 405, `${method} ${path}`)
  const off = await startTestServer(t, { env: { AGENT_LOG_INS: 'off' } })
  const without = await postAgent(off.node.url, 'x', {})
  t.match(without.headers.get('www-authenticate'), /^Bearer realm=/)
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize'])
    t.equal((await fetch(off.node.url + path)).status, 404, path)
})

await t.test(
  '[AGENTIN3] a client registers itself with addresses that cannot lead elsewhere, and fills no table',
  async (t) => {
    const good = [
      'https://agents.example.com/back?x=1',
      'http://localhost/',
      'http://[::1]:8080/',
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ]
    const { status, body, headers } = await register({ client_name: ' No\u202etes\n ', redirect_uris: good })
    t.equal(status, 201)
    t.equal(headers.get('cache-control'), 'no-store')
    t.match(body, { client_name: 'Notes', redirect_uris: good, token_endpoint_auth_method: 'none' })
    t.notOk('client_secret' in body)
    for (const wrong of [
      'http://agents.example.com/',
      'http://127.0.0.1.example.com/',
      'http://10.0.0.1/',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://user:pw@agents.example.com/',
      'https://agents.example.com/#x',
      'https://agents.example.com',
      'HTTPS://agents.example.com/',
      ' https://agents.example.com/',
      'https://agents.example.com/\u0000',
      'mailto:x@example.com',
      '',
      7,
      null,
      `https://agents.example.com/${'x'.repeat(500)}`,
    ])
      t.match(
        await register({ redirect_uris: ['https://agents.example.com/', wrong] }),
        { status: 400, body: { error: 'invalid_redirect_uri' } },
        String(wrong),
      )
    for (const wrong of [
      {},
      [],
      null,
      { redirect_uris: [] },
      { redirect_uris: {} },
      { redirect_uris: Array(11).fill('http://localhost/') },
    ])
      t.equal((await register(wrong)).status, 400, JSON.stringify(wrong))
    t.equal(
      (
        await register({
          redirect_uris: [`https://a.example/${'x'.repeat(480)}`, `https://b.example/${'x'.repeat(480)}`],
        })
      ).status,
      400,
      'an id that is too long for a link',
    )
    t.match(await register('{'), { status: 400, body: { error: 'invalid_client_metadata' } })
    t.equal(
      (await fetch(`${url}/oauth/register`, { method: 'POST', body: 'x'.repeat(2_000_000) })).status,
      413,
    )
    t.equal((await sql`select from agent_grants where name = 'Notes'`).length, 0)
  },
)

await t.test('[AGENTIN4] nobody is led to an address that is not that of the client', async (t) => {
  const client_id = await clientId()
  const { challenge: code_challenge } = newVerifier()
  const refused = async (fields: Record<string, string | undefined>, what: string) => {
    const answer = await asMember.send('GET', pathFor({ client_id, code_challenge, ...fields }))
    t.equal(answer.status, 400, what)
    t.equal(answer.headers.get('location'), null, what)
    t.notMatch(answer.text, 'evil.example', what)
  }
  for (const redirect_uri of [
    undefined,
    '',
    'https://evil.example/',
    'http://127.0.0.1:7777/callback/',
    'http://127.0.0.1:7777/other',
    'http://127.0.0.1:7777/callback?x=1',
    'http://127.0.0.1:7777@evil.example/callback',
    'http://localhost:7777/callback',
    'https://127.0.0.1:7777/callback',
    '//evil.example/callback',
    'javascript:alert(1)',
  ])
    await refused({ redirect_uri }, String(redirect_uri))
  const [text, signature] = client_id.split('.')
  for (const id of [
    '',
    '.',
    'x',
    `${client_id}x`,
    `x${client_id}`,
    `${text}.`,
    `.${signature}`,
    'x'.repeat(1_001),
  ])
    await refused({ client_id: id }, `the client ${id.slice(0, 40)}`)
  const other = Buffer.from(JSON.stringify(['Notes', 'https://evil.example/'])).toString('base64url')
  await refused(
    { client_id: `${other}.${signature}`, redirect_uri: 'https://evil.example/' },
    'a forged client',
  )
  const port = await asMember.send(
    'GET',
    pathFor({ client_id, code_challenge, redirect_uri: 'http://127.0.0.1:1234/callback' }),
  )
  t.equal(port.status, 200, 'only the port on the own computer may differ')
  t.match(port.headers.get('content-security-policy'), "form-action 'self' http://127.0.0.1:1234;")
})

await t.test(
  '[AGENTIN5] mistakes of the client are answered to it, with the state and the issuer',
  async (t) => {
    const client_id = await clientId()
    const { challenge: code_challenge } = newVerifier()
    const cases: readonly [Record<string, string | undefined>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: undefined }, 'unsupported_response_type'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ code_challenge: `${'a'.repeat(42)}!` }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
      [{ resource: url }, 'invalid_target'],
    ]
    for (const [fields, error] of cases) {
      const { status, headers } = await asMember.send(
        'GET',
        pathFor({ client_id, code_challenge, ...fields }),
      )
      t.equal(status, 303, error)
      const back = new URL(headers.get('location') ?? '')
      t.equal(back.origin + back.pathname, REDIRECT_URL)
      t.same(
        Object.fromEntries(back.searchParams),
        { error, state: 'st&te', iss: url },
        JSON.stringify(fields),
      )
    }
    const elsewhere = 'https://evil.example/callback'
    const stranger = await clientId('Notes', [elsewhere])
    const wrong = { client_id: stranger, redirect_uri: elsewhere, code_challenge, response_type: 'token' }
    const page = await asMember.send('GET', pathFor(wrong))
    t.equal(page.status, 400, 'nobody is led to another host unasked')
    t.equal(page.headers.get('location'), null)
    const [, link = ''] = /<a href="(https:[^"]+)">Back to evil\.example<\/a>/.exec(page.text) ?? []
    const answer = new URL(link.replaceAll('&amp;', '&'))
    t.equal(answer.origin + answer.pathname, elsewhere)
    t.same(Object.fromEntries(answer.searchParams), {
      error: 'unsupported_response_type',
      state: 'st&te',
      iss: url,
    })
    const path = pathFor({ client_id, code_challenge, state: undefined, resource: undefined })
    const denied = await press(asMember, path, { decision: 'deny' })
    t.same(
      Object.fromEntries(new URL(denied.headers.get('location') ?? '').searchParams),
      { error: 'access_denied', iss: url },
      'a person who does not allow it, at a client that sends no state',
    )
  },
)

await t.test('[AGENTIN6] the page says who gets what, and no other site presses its buttons', async (t) => {
  const [asMember, asOwner] = [await openAs(member), await openAs(owner)]
  const client_id = await clientId('<b>Evil</b> & co')
  const { challenge: code_challenge } = newVerifier()
  const path = pathFor({ client_id, code_challenge })
  const out = await new Browser(url).send('GET', path)
  t.equal(out.status, 303)
  const next = new URL(out.headers.get('location') ?? '', url)
  t.equal(next.pathname, '/accounts/login')
  const back = new URL(next.searchParams.get('next') ?? '', url)
  t.equal(back.pathname, '/oauth/authorize')
  t.same(
    Object.fromEntries(back.searchParams),
    Object.fromEntries(new URL(path, url).searchParams),
    'a log-in leads back to the same page',
  )
  const page = await asMember.send('GET', path)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-security-policy'), /frame-ancestors 'none'/)
  t.equal(page.headers.get('cache-control'), 'no-store')
  t.match(page.text, '&lt;b&gt;Evil&lt;/b&gt; &amp; co')
  t.match(page.text, 'a program on this computer gets access')
  t.match(page.text, /value="read"[^>]*checked/)
  t.notMatch(page.text, /value="messages"[^>]*checked/)
  const german = await asMember.send('GET', path, { headers: { 'accept-language': 'de' } })
  t.equal(german.status, 200)
  const fields = { decision: 'allow', allowed: 'messages' }
  const bare = await asMember.send('POST', path, { fields })
  t.equal(bare.status, 403, 'without the token of the page')
  const [, token = ''] =
    /name="csrfmiddlewaretoken" value="([^"]*)"/.exec((await asOwner.send('GET', path)).text) ?? []
  t.equal(
    (await asMember.send('POST', path, { fields: { ...fields, csrfmiddlewaretoken: token } })).status,
    403,
    'of another session',
  )
  const [, own = ''] = /name="csrfmiddlewaretoken" value="([^"]*)"/.exec(page.text) ?? []
  const elsewhere = { origin: 'https://evil.example' }
  t.equal(
    (
      await asMember.send('POST', path, {
        fields: { ...fields, csrfmiddlewaretoken: own },
        headers: elsewhere,
      })
    ).status,
    403,
  )
  t.same(await sql`select from agent_grants where name like '%Evil%'`, [])
  const unpressed = await allow(asMember, path, { allowed: 'anything' })
  t.match(
    await tokens({
      grant_type: 'authorization_code',
      client_id,
      code: unpressed.get('code'),
      redirect_uri: REDIRECT_URL,
      code_verifier: 'x'.repeat(43),
    }),
    INVALID,
  )
  const [grant] = await sql<{ scope: string }[]>`select scope from agent_grants where name like '%Evil%'`
  t.equal(grant?.scope, 'read', 'what is not chosen is not allowed')
})

await t.test('[AGENTIN7] a session that is not fresh needs the password, as for each key', async (t) => {
  const browser = await openAs(member)
  clock.leap(11 * 60_000)
  const { challenge: code_challenge } = newVerifier()
  const path = pathFor({ client_id: await clientId(), code_challenge })
  const page = await browser.send('GET', path)
  t.match(page.text, 'name="password"')
  for (const password of ['', 'a wrong password']) {
    const answer = await press(browser, path, { decision: 'allow', password })
    t.equal(answer.status, 403, password)
    t.match(answer.text, 'name="password"')
  }
  t.match(Object.fromEntries(await allow(browser, path, { password: PASSWORD })), { code: /^[\w-]{43}$/ })
  const denied = await press(browser, path, { decision: 'deny' })
  t.match(denied.headers.get('location'), 'error=access_denied', 'refusing needs none')
})

await t.test('[AGENTIN8] a code is for one client, address and verifier, for a minute, once', async (t) => {
  const browser = await openAs(member)
  const other = await clientId('Other')
  for (const [what, change] of [
    ['another client', { client_id: other }],
    ['another address', { redirect_uri: 'http://127.0.0.1:7778/callback' }],
    ['another verifier', { code_verifier: newVerifier().verifier }],
    ['an unknown code', { code: 'x'.repeat(43) }],
  ] as const) {
    const right = await getCode(browser)
    t.match(await tokens({ ...right, ...change }), INVALID, what)
    if (what !== 'an unknown code') t.match(await tokens(right), INVALID, `${what} used it up`)
  }
  const late = await getCode(browser)
  clock.leap(60_000)
  t.match(await tokens(late), INVALID, 'a minute later')
  t.match(await keysOf(member), { length: 0 }, 'none of these made a key')

  const right = await getCode(browser)
  const { grant_type: _, ...withoutType } = right
  for (const [fields, error] of [
    [{ ...right, code_verifier: '' }, 'invalid_request'],
    [{ ...right, code_verifier: 'short' }, 'invalid_request'],
    [{ ...right, resource: 'https://evil.example/mcp' }, 'invalid_target'],
    [{ ...right, grant_type: 'password' }, 'unsupported_grant_type'],
    [withoutType, 'invalid_request'],
  ] as const)
    t.match(await tokens(fields), { status: 400, body: { error } }, JSON.stringify(fields).slice(0, 80))
  const made = await tokens(right)
  t.match(made, { status: 200, body: { token_type: 'Bearer', expires_in: 3600, scope: 'read' } })
  t.equal(made.headers.get('cache-control'), 'no-store')
  t.notOk((await toolsOf(made.body.access_token)).includes('send_message'), 'read only')
  t.match(await tokens(right), INVALID)
  t.equal(await asks(made.body.access_token), 401, 'a code that is shown again ends what it gave')
  t.match(
    await tokens({
      grant_type: 'refresh_token',
      client_id: right.client_id,
      refresh_token: made.body.refresh_token,
    }),
    INVALID,
  )
  const raced = await getCode(browser)
  const both = await Promise.all([tokens(raced), tokens(raced)])
  t.same(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [200, 400],
    'of two at once one wins',
  )
  await revokeAll()
})

await t.test(
  '[AGENTIN9] tokens that renew are replaced, and an old one that is shown again ends the key',
  async (t) => {
    const browser = await openAs(member)
    const right = await getCode(browser)
    const first = (await tokens(right)).body
    const refresh = (token: unknown, client_id = right.client_id) =>
      tokens({ grant_type: 'refresh_token', client_id, refresh_token: token, resource: RESOURCE })
    t.match(await refresh(first.refresh_token, await clientId('Other')), INVALID, 'of another client')
    t.match(await refresh(''), { status: 400, body: { error: 'invalid_request' } })
    t.match(await refresh(first.access_token), INVALID)
    const second = (await refresh(first.refresh_token)).body
    t.equal(await asks(first.access_token), 401, 'the former text of the key is over')
    t.equal(await asks(second.access_token), 200)
    t.match(await refresh(first.refresh_token), INVALID)
    t.equal(await asks(second.access_token), 200, 'a client that asked twice')
    clock.leap(11_000)
    t.match(await refresh(first.refresh_token), INVALID)
    t.equal(await asks(second.access_token), 401, 'a copy')
    t.match(await refresh(second.refresh_token), INVALID)
    t.same(await keysOf(member), [])

    const kept = (await tokens(await getCode(await openAs(member), 'read', right.client_id))).body
    clock.leap(29 * 24 * 3_600_000)
    const renewed = (await refresh(kept.refresh_token)).body
    t.equal(await asks(renewed.access_token), 200, 'each renewal has thirty days')
    clock.leap(30 * 24 * 3_600_000)
    t.match(await refresh(renewed.refresh_token), INVALID)
    await endExpiredKeys(services)
    await cleanUp(sql, new Date(clock.nowMs()))
    t.equal((await sql`select from agent_grants`).length, 0, 'and leaves nothing behind')
  },
)

await t.test('[AGENTIN10] a token opens the address of agents alone, as its person may', async (t) => {
  const browser = await openAs(member)
  const { body } = await tokens(await getCode(browser))
  const basic = `Basic ${Buffer.from(`${member.email}:${String(body.access_token)}`).toString('base64')}`
  t.equal((await fetch(`${url}/api/v1/users/me`, { headers: { authorization: basic } })).status, 401)
  t.equal(
    (
      await fetch(`${url}/api/v1/users/me`, {
        headers: { authorization: `Bearer ${String(body.access_token)}` },
      })
    ).status,
    401,
  )
  t.equal(await asks(body.access_token), 200)
  for (let count = (await keysOf(member)).length; count < 30; count++)
    await member.must('POST', '/users/me/keys', { name: 'More', scope: 'read' })
  t.match(await tokens(await getCode(await openAs(member))), INVALID, 'no more keys than of other programs')
  await revokeAll()
})

await t.test('[AGENTIN11] a client ends its access', async (t) => {
  for (const kind of ['access_token', 'refresh_token'] as const) {
    const right = await getCode(await openAs(member))
    const { body } = await tokens(right)
    const other = await clientId('Other')
    if (kind === 'refresh_token') {
      await post('/oauth/revoke', { token: body[kind], client_id: other })
      t.equal(await asks(body.access_token), 200, 'not that of another client')
    }
    t.equal((await post('/oauth/revoke', { token: body[kind], client_id: right.client_id })).status, 200)
    t.equal(await asks(body.access_token), 401, kind)
    t.match(
      await tokens({
        grant_type: 'refresh_token',
        client_id: right.client_id,
        refresh_token: body.refresh_token,
      }),
      INVALID,
    )
  }
  t.equal((await post('/oauth/revoke', { token: 'x' })).status, 200, 'an unknown token opens nothing')
  t.match(await post('/oauth/revoke', {}), { status: 400, body: { error: 'invalid_request' } })
  t.equal((await post('/oauth/revoke', { token: member.key })).status, 200)
  t.equal((await member.get('/users/me')).status, 200, 'no other key ends so')
})

await t.test(
  '[AGENTIN12] a client may be described at an address, which the guarded way out asks',
  async (t) => {
    const serve = (path: string, more: Json, status = 200) => {
      const id = outside.url + path
      const text = JSON.stringify({
        client_id: id,
        client_name: 'Described',
        redirect_uris: [REDIRECT_URL],
        ...more,
      })
      outside.serve(path, (_, response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(text),
      )
      return id
    }
    const login = new StoredLogin(REDIRECT_URL, serve('/client.json', {}))
    login.client = { client_id: login.clientMetadataUrl ?? '' }
    const browser = await openAs(member)
    const right = await getCode(browser, 'messages', login.clientMetadataUrl)
    t.equal(outside.countOf('/client.json'), 1, 'asked for once, for the page and its button')
    const page = await browser.send(
      'GET',
      pathFor({ client_id: right.client_id, code_challenge: newVerifier().challenge }),
    )
    t.match(page.text, 'It is described at 127.0.0.2.')
    const { body } = await tokens(right)
    t.ok((await toolsOf(body.access_token)).includes('send_message'))
    t.match(await keysOf(member), [{ name: 'Described' }])
    const before = outside.requests.length
    await new Browser(url).send(
      'GET',
      pathFor({ client_id: serve('/unasked.json', {}), code_challenge: newVerifier().challenge }),
    )
    t.equal(outside.requests.length, before, 'strangers have nobody asked')
    outside.serve('/endless.json', (_, response) => response.writeHead(200).end(' '.repeat(20_000)))
    outside.serve('/away.json', (_, response) =>
      response.writeHead(302, { location: login.clientMetadataUrl ?? '' }).end(),
    )
    for (const [what, id] of [
      ['the id of another', serve('/thief.json', { client_id: `${outside.url}/client.json` })],
      ['no addresses', serve('/none.json', { redirect_uris: [] })],
      ['an error', serve('/error.json', {}, 500)],
      ['too long', `${outside.url}/endless.json`],
      ['a redirect', `${outside.url}/away.json`],
      ['no path', `${outside.url}/`],
      ['a fragment', `${outside.url}/client.json#x`],
      ['inside', `${url}/.well-known/oauth-authorization-server`],
      ['another spelling', 'https://127.1/client.json'],
    ] as const) {
      const answer = await browser.send(
        'GET',
        pathFor({ client_id: id, code_challenge: newVerifier().challenge }),
      )
      t.same([answer.status, answer.headers.get('location')], [400, null], what)
    }
    await revokeAll()
  },
)

await t.test(
  '[AGENTIN13] codes and tokens end with the account, with its keys, and with a rotation',
  async (t) => {
    const gone = server.as('member2')
    const browser = await openAs(gone)
    const refresh = ({ client_id }: { client_id: string }, body: Json) =>
      tokens({ grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token })
    const used = await getCode(browser)
    const { body } = await tokens(used)
    const waiting = await getCode(browser)
    await owner.must('DELETE', `/users/${gone.userId}`)
    t.equal(await asks(body.access_token), 401)
    t.match(await refresh(used, body), INVALID)
    t.match(await tokens(waiting), INVALID)
    await owner.must('POST', `/users/${gone.userId}/reactivate`)
    t.match(await refresh(used, body), INVALID, 'nor does a reactivation bring them back')

    const right = await getCode(await openAs(member))
    const made = (await tokens(right)).body
    await rotateAddressSecret(sql)
    const page = await (await openAs(member)).send(
      'GET',
      pathFor({ client_id: right.client_id, code_challenge: newVerifier().challenge }),
    )
    t.equal(page.status, 400, 'a client registers anew after a rotation')
    await member.must('POST', '/users/me/api_key/regenerate')
    t.equal(await asks(made.access_token), 401)
  },
)
