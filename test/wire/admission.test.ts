/** Admission of requests, and the errors of refused ones. */

import t from 'tap'
import { createApiKey } from '../../server/changes/passwords.ts'
import { OPERATIONS } from '../../server/api/table.ts'
import { addUser, deactivate } from '../harness/worlds/add-user.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { openConnection, sendRaw } from './send-raw.ts'
import { startEcho } from './start-echo.ts'

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

t.test('[ADM1] invalid credentials are refused with 401, each kind with its message', async (t) => {
  const server = await startTestServer(t)
  const member = server.as('member')
  const owner = server.as('owner')
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  const wrongKey = createApiKey()
  const { email, key } = member
  const cases: [what: string, header: string | undefined, msg: string][] = [
    ['no header', undefined, 'Missing authorization header for basic auth'],
    ['another scheme', `Bearer ${key}`, 'Invalid authorization header for basic auth'],
    ['a scheme alone', 'Basic', 'Invalid authorization header for basic auth'],
    ['no base64', 'Basic !!!', 'Invalid authorization header for basic auth'],
    ['no colon', basic(email), 'Invalid authorization header for basic auth'],
    ['no name', basic(`:${key}`), 'Invalid authorization header for basic auth'],
    ['no key', basic(`${email}:`), 'Malformed API key'],
    ['a short key', basic(`${email}:abc`), 'Malformed API key'],
    ['a long key', basic(`${email}:${key}x`), 'Malformed API key'],
    ['a key with a stroke', basic(`${email}:${key.slice(1)}-`), 'Malformed API key'],
    ['a wrong key', basic(`${email}:${wrongKey}`), 'Invalid API key'],
    ["another user's key", basic(`${email}:${owner.key}`), 'Invalid API key'],
    ['an unknown address', basic(`nobody@example.com:${key}`), 'Invalid API key'],
    ['a hostile address', basic(`__proto__:${key}`), 'Invalid API key'],
    ['a null character', basic(`${email}\0:${key}`), 'Invalid API key'],
    ['a deactivated account', gone.authorization, 'Account is deactivated'],
    ['a deactivated account, a wrong key', basic(`${gone.email}:${wrongKey}`), 'Invalid API key'],
  ]
  for (const [what, authorization, msg] of cases) {
    const response = await fetch(`${server.node.url}/api/v1/users/me`, {
      headers: authorization === undefined ? {} : { authorization },
    })
    t.equal(response.status, 401, what)
    t.same(await response.json(), { result: 'error', msg, code: 'UNAUTHORIZED' }, what)
    t.equal(response.headers.get('www-authenticate'), 'Basic realm="zulip"', what)
  }
})

t.test('[ADM2] scheme and address ignore case', async (t) => {
  const server = await startTestServer(t)
  const { email, key, userId } = server.as('member')
  for (const header of [
    basic(`${email.toUpperCase()}:${key}`),
    basic(`${email}:${key}`).replace('Basic', 'bAsIC'),
  ]) {
    const response = await fetch(`${server.node.url}/api/v1/users/me`, { headers: { authorization: header } })
    t.equal(response.status, 200)
    t.equal(((await response.json()) as { user_id: number }).user_id, userId)
  }
})

t.test('[ADM3] public operations ignore credentials, right or wrong', async (t) => {
  const server = await startTestServer(t)
  for (const authorization of ['', 'Basic !!!', basic('a:b'), server.as('guest').authorization]) {
    const response = await fetch(`${server.node.url}/api/v1/server_settings`, {
      headers: authorization === '' ? {} : { authorization },
    })
    t.equal(response.status, 200, authorization)
  }
})

t.test('[ADM4] only public operations succeed without credentials', async (t) => {
  const server = await startTestServer(t)
  for (const { method, path, access, takesWebhook } of OPERATIONS) {
    if (access === 'anyone') continue
    const answer = await server.anyone.request(method, path.replaceAll(/\{\w+\}/g, '1'))
    // Senders of webhooks have the key in the address.
    t.equal(answer.status, takesWebhook ? 400 : 401, `${method} ${path}`)
    const missing = takesWebhook
      ? "Missing 'api_key' argument"
      : 'Missing authorization header for basic auth'
    t.equal(answer.body.msg, missing)
  }
})

t.test(
  '[ADM5] an unknown path is 404; a known one with another method is 405 with the allowed ones',
  async (t) => {
    const { url, client } = await startEcho(t)
    const headers = { authorization: client.authorization }
    for (const path of [
      '/',
      '/api',
      '/api/v1',
      '/api/v2/echo',
      '/api/v1/',
      '/api/v1/nothing',
      '/api/v1x/echo',
      '/echo',
    ]) {
      const response = await fetch(url + path, { headers })
      t.equal(response.status, 404, path)
      t.same(await response.json(), { result: 'error', msg: 'No such endpoint', code: 'NOT_FOUND' })
      t.equal(response.headers.get('content-type'), 'application/json')
    }
    for (const method of ['PUT', 'OPTIONS', 'get']) {
      const answer = await sendRaw(
        Number(new URL(url).port),
        `${method} /api/v1/echo HTTP/1.1\r\nHost: x\r\n\r\n`,
      )
      t.equal(answer.status, 405, method)
      t.same(JSON.parse(answer.body), {
        result: 'error',
        msg: 'Method Not Allowed',
        allowed_methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      })
      t.equal(answer.headers.get('allow'), 'GET, HEAD, POST, PATCH, DELETE')
    }
  },
)

t.test('[ADM6] a revoked key is refused at once', async (t) => {
  const server = await startTestServer(t)
  const user = await addUser(server, 'fired')
  t.equal((await user.get('/users/me')).status, 200)
  await deactivate(server, user.userId)
  const { status, body } = await user.get('/users/me')
  t.same({ status, msg: body.msg }, { status: 401, msg: 'Account is deactivated' })
})

t.test('[ADM7] each response has its own request id in a header, not in the body', async (t) => {
  const server = await startTestServer(t)
  const ids = new Set<string | null>()
  const bodies: string[] = []
  for (const path of [
    '/api/v1/users/me',
    '/api/v1/server_settings',
    '/nothing',
    '/health/live',
    '/docs',
    '/api/v1/openapi.json',
  ]) {
    const response = await fetch(server.node.url + path)
    ids.add(response.headers.get('x-request-id'))
    if (!path.startsWith('/docs')) bodies.push(await response.text())
    else await response.arrayBuffer()
  }
  t.equal(ids.size, 6)
  for (const id of ids) t.match(id, /^[a-z0-9]+-[a-z0-9]+$/)
  for (const id of ids) t.notOk(bodies.some((body) => body.includes(String(id))))
})

t.test('[ADM8] a response to HEAD has no body, and the connection stays usable', async (t) => {
  const { port, client } = await startEcho(t)
  const socket = await openConnection(port)
  t.teardown(() => socket.destroy())
  for (const [method, status] of [
    ['HEAD /api/v1/echo', 401],
    ['HEAD /api/v1/nothing', 404],
  ] as const) {
    const head = await sendRaw(socket, `${method} HTTP/1.1\r\nHost: x\r\n\r\n`, { isHead: true })
    t.equal(head.status, status)
    t.equal(head.body, '')
  }
  const next = await sendRaw(
    socket,
    `GET /api/v1/echo?whole=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${client.authorization}\r\n\r\n`,
  )
  t.equal(next.status, 200)
  t.same(JSON.parse(next.body).given, { whole: 1 })
})
