/** Requests that follow each other at once on a connection, on each transport. */

import t, { type Test } from 'tap'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startEcho } from './start-echo.ts'
import { connect, TRANSPORTS } from './start-transport.ts'

const FORM = 'application/x-www-form-urlencoded'

function onEach(title: string, check: (t: Test, name: 'uws' | 'node') => Promise<void>): void {
  t.test(title, async (t) => {
    for (const [name] of TRANSPORTS) await t.test(name, async (t) => check(t, name))
  })
}

const servers = new Map<string, TestServer>()
for (const [name] of TRANSPORTS) servers.set(name, await startTestServer(t, { env: { TRANSPORT: name } }))

function serverOf(name: string): { server: TestServer; port: number } {
  const server = servers.get(name)
  if (!server) throw new Error(`no server on ${name}`)
  return { server, port: server.node.port }
}

function request(method: string, path: string, authorization: string, body = ''): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: ${authorization}`,
    ...(body === '' ? [] : [`Content-Type: ${FORM}`, `Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

onEach(
  '[PIPE1] changes that arrive in one packet are all answered in order, or none is carried out',
  async (t, name) => {
    const { server, port } = serverOf(name)
    const member = server.as('member')
    const status = async () => (await member.must('GET', `/users/${member.userId}/status`)).status
    const set = (text: string) =>
      request('POST', '/api/v1/users/me/status', member.authorization, `status_text=${text}`)
    await member.must('POST', '/users/me/status', { status_text: 'before' })
    const client = await connect(t, port)
    client.socket.write(set('one') + set('two'))
    await pollUntil('both are answered, or the end', () => {
      return client.isClosed() || countOf(client.text(), /"result":"success"/g) === 2
    })
    if (client.isClosed()) {
      t.equal(name, 'uws', 'node:http answers all')
      t.equal(client.text(), '')
      t.match(await status(), { status_text: 'before' })
      await member.must('POST', '/users/me/status', { status_text: 'again' })
    } else t.match(await status(), { status_text: 'two' })

    const without = `/api/v1/users/me/muted_users/${server.as('member2').userId}`
    const other = await connect(t, port)
    other.socket.write(request('POST', without, member.authorization).repeat(2))
    await pollUntil('both are answered, or the end', () => {
      return other.isClosed() || countOf(other.text(), /"result"/g) === 2
    })
    const muted = (await member.must('POST', '/register', { fetch_event_types: '["muted_users"]' }))
      .muted_users
    t.equal((muted as unknown[]).length, other.isClosed() ? 0 : 1, 'a change without a body')
  },
)

onEach(
  '[PIPE2] a request that comes while a change is in progress waits, and both are answered in order',
  async (t, name) => {
    let running = 0
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const transport = TRANSPORTS.find(([each]) => each === name)?.[1]
    const echo = await startEcho(t, {
      ...(transport && { transport }),
      onRun: () => {
        running++
        return gate
      },
    })
    const ask = (method: string, whole: number, body?: string) =>
      request(method, `/api/v1/echo?whole=${whole}`, echo.client.authorization, body)
    for (const first of [ask('POST', 1, 'words=x'), ask('DELETE', 1)]) {
      const before = running
      const client = await connect(t, echo.port)
      client.socket.write(first)
      await pollUntil('it runs', () => running > before)
      client.socket.write(ask('GET', 2))
      // Once another connection is answered, the packet was read, if it was to be.
      const other = await connect(t, echo.port)
      other.socket.write(request('GET', '/api/v1/absent', ''))
      await other.until(/404/)
      release()
      await client.until(/"whole":2/)
      const given = [...client.text().matchAll(/"whole":(\d)/g)].map(([, whole]) => whole)
      t.same(given, ['1', '2'])
    }
  },
)

/** Declarations of a body that a lenient proxy reads otherwise than a strict one. */
const AMBIGUOUS: readonly (readonly string[])[] = [
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding: chunked, identity'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['Content-Length: 5', 'Content-Length: 5'],
  ['Content-Length: 5', 'Content-Length: 0'],
  ['Content-Length: 0', 'Content-Length: 5'],
  ['Content-Length: 5', 'Transfer-Encoding: chunked'],
]

onEach(
  '[PIPE3] a body of ambiguous length is refused, the connection ends, and nothing that follows is carried out',
  async (t, name) => {
    const { server, port } = serverOf(name)
    const member = server.as('member')
    const status = async () => (await member.must('GET', `/users/${member.userId}/status`)).status
    await member.must('POST', '/users/me/status', { status_text: 'own' })
    const hidden = request('POST', '/api/v1/users/me/status', member.authorization, 'status_text=smuggled')
    const queue = (await member.must('POST', '/register', { event_types: '["message"]' })).queue_id
    const starts = [
      'POST /api/v1/users/me/status',
      'DELETE /api/v1/nothing',
      'GET /api/v1/users/me',
      `GET /api/v1/events/stream?queue_id=${queue}`,
      'POST /api/v1/tus',
      'POST /accounts/login',
      'POST /health/live',
    ]
    for (const start of starts) {
      for (const lines of AMBIGUOUS) {
        for (const body of ['', '5\r\nhello\r\n0\r\n\r\n', 'hello']) {
          const stream = start.includes('/stream') ? ['Accept: text/event-stream'] : []
          const head = [`${start} HTTP/1.1`, 'Host: x', `Authorization: ${member.authorization}`, ...stream]
          const client = await connect(t, port)
          client.socket.write(`${[...head, ...lines].join('\r\n')}\r\n\r\n${body}${hidden}`)
          await client.closed()
          const what = `${start} ${lines.join()} ${JSON.stringify(body)}`
          const answers = countOf(client.text(), /^HTTP/gm)
          if (answers !== 1 || !/^HTTP\/1\.1 400 [^]*connection: close\r\n/i.test(client.text()))
            t.fail(`${what}: ${client.text().slice(0, 2_000)}`)
        }
      }
    }
    t.match(await status(), { status_text: 'own' })
  },
)

onEach(
  '[PIPE4] thousands of small requests whose answers nobody reads do not hold up another client',
  async (t, name) => {
    let running = 0
    const transport = TRANSPORTS.find(([each]) => each === name)?.[1]
    const echo = await startEcho(t, {
      ...(transport && { transport }),
      onRun: async () => void running++,
    })
    const client = await connect(t, echo.port)
    client.socket.pause()
    client.socket.write(request('GET', '/api/v1/echo', echo.client.authorization).repeat(4_000))
    await pollUntil('it begins', () => running > 0)
    const other = await connect(t, echo.port)
    other.socket.write(request('GET', '/api/v1/absent', ''))
    await other.until(/404/)
    t.ok(running < 2_000, `${running} requests run before the other client's`)
    if (name === 'node') {
      client.socket.resume()
      await pollUntil(
        'all are answered',
        () => countOf(client.text(), /"result":"success"/g) === 4_000,
        () => client.text().length,
      )
      t.equal(running, 4_000)
    }
    t.same(echo.bugs, [])
  },
)
