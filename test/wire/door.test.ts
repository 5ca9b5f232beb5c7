/** Requests refused by their head alone, and requests that browsers make for other sites. */

import { once } from 'node:events'
import t from 'tap'
import { ApiError } from '../../server/errors/api-error.ts'
import { createApiKey } from '../../server/changes/passwords.ts'
import { Client } from '../harness/client/client.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { MultipartHeads } from '../../server/wire/multipart-head.ts'
import { openConnection, sendRaw } from './send-raw.ts'
import { startEcho } from './start-echo.ts'

const FORM = 'application/x-www-form-urlencoded'
const KIB = 1024

function head(method: string, path: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

const server = await startTestServer(t, { env: { PUBLIC_URL: 'https://chat.example.com' } })
const { port } = server.node
const member = server.as('member')
const { authorization } = member

t.test('[DOOR1] 401, 404, 405 and 429 are sent before any of the body arrives', async (t) => {
  const limits = { perUser: 1, perAddress: 1, logins: 1 }
  const echo = await startEcho(t, { limits, limitClock: new ManualClock() })
  const { email } = echo.client
  const wrong = new Client(echo.url, 0, email, createApiKey()).authorization
  const body = { 'Content-Type': FORM, 'Content-Length': 1_000_000 }
  const cases: [status: number, method: string, path: string, authorization: string][] = [
    [404, 'POST', '/api/v1/nothing', ''],
    [404, 'POST', '/nothing', ''],
    [405, 'PUT', '/api/v1/echo', ''],
    [405, 'PUT', '/join/abc', ''],
    [401, 'POST', '/api/v1/echo', wrong],
    [429, 'POST', '/api/v1/echo', ''],
    [429, 'POST', '/api/v1/echo', echo.client.authorization],
  ]
  t.equal((await echo.client.get('/echo')).status, 200)
  for (const [status, method, path, given] of cases) {
    const headers = { ...body, ...(given === '' ? {} : { Authorization: given }) }
    const answer = await sendRaw(echo.port, head(method, path, headers))
    t.equal(answer.status, status, `${method} ${path}`)
  }
})

t.test('[DOOR2] the rest of a refused body is discarded, in chunks or by its length', async (t) => {
  for (const [headers, rest] of [
    [{ 'Content-Length': 3_000_000 }, 'x'.repeat(3_000_000)],
    [{ 'Transfer-Encoding': 'chunked' }, `${`10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(40)}0\r\n\r\n`],
  ] as const) {
    const socket = await openConnection(port)
    t.teardown(() => socket.destroy())
    t.equal((await sendRaw(socket, head('POST', '/api/v1/messages', headers))).status, 401)
    const next = head('GET', '/api/v1/users/me', { Authorization: authorization })
    t.equal((await sendRaw(socket, [rest, next])).status, 200)
  }
})

t.test('[DOOR3] without an account, a body of more than 64 KiB is refused', async (t) => {
  for (const path of ['/api/v1/fetch_api_key', '/join/abc', '/calls/zoom/complete']) {
    const long = { 'Content-Type': FORM, 'Content-Length': 64 * KIB + 1 }
    t.equal(
      (await sendRaw(port, head('POST', path, long))).status,
      path.startsWith('/calls') ? 404 : 413,
      path,
    )
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const chunked = head('POST', path, { 'Content-Type': FORM, 'Transfer-Encoding': 'chunked' })
    const answer = await sendRaw(port, [chunked, ...Array<string>(5).fill(chunk)])
    t.equal(answer.status, path.startsWith('/calls') ? 404 : 413, path)
  }
})

t.test('[DOOR4] waiting bodies are bounded per user and per address', async (t) => {
  // Each has sent everything except its last byte.
  const wait = async (path: string, bytes: number, headers: Record<string, string> = {}) => {
    const socket = await openConnection(port)
    t.teardown(() => socket.destroy())
    socket.write(head('POST', path, { 'Content-Type': FORM, 'Content-Length': bytes, ...headers }))
    socket.write(Buffer.alloc(bytes - 1, 'x'))
    const answered = once(socket, 'data').then(([data]: Buffer[]) => Number(String(data).split(' ')[1]))
    return { socket, answered }
  }
  const settle = async (bytes: number, path: string, headers?: Record<string, string>) => {
    const waiting = await Promise.all(Array.from({ length: 30 }, () => wait(path, bytes, headers)))
    // A body without a place is answered at once, whatever its client does.
    t.equal(await Promise.race(waiting.map(({ answered }) => answered)), 503, path)
    return waiting
  }
  const anonymous = await settle(64 * KIB, '/api/v1/fetch_api_key')
  const owned = await settle(1024 * KIB, '/api/v1/messages', { Authorization: authorization })

  const logIn = await server.anyone.post('/fetch_api_key', { username: 'member@example.com', password: 'x' })
  t.equal(logIn.status, 401, 'a short body always finds room')
  const content = 'y'.repeat(9_000)
  const message = { type: 'direct', to: [member.userId], content }
  t.equal((await server.as('member2').post('/messages', message)).status, 200, 'others have their own')
  for (const { socket } of [...anonymous, ...owned]) socket.destroy()
})

t.test('[DOOR5] a request with two body lengths is refused, and the connection ends', async (t) => {
  for (const lines of [
    { 'Content-Length': 3, 'content-length': 5 },
    { 'Content-Length': 5, 'content-length': 3 },
    { 'Content-Length': '', 'content-length': 5 },
    { 'Transfer-Encoding': 'gzip, chunked' },
    { 'Transfer-Encoding': 'xchunked' },
    { 'Transfer-Encoding': 'chunked', 'transfer-encoding': 'identity' },
  ] as Record<string, string | number>[]) {
    for (const path of ['/api/v1/messages', '/api/v1/tus', '/join/abc']) {
      const bytes = `${head('POST', path, lines)}abcde`
      const answer = await sendRaw(port, bytes)
      t.match(answer, { status: 400, body: /ambiguous/ }, `${path} ${JSON.stringify(lines)}`)
      t.equal(answer.headers.get('connection'), 'close')
    }
  }
  const both = head('POST', '/api/v1/messages', { 'Content-Length': 5, 'Transfer-Encoding': 'chunked' })
  const refused = await sendRaw(port, `${both}0\r\n\r\n`)
  t.same([refused.status, refused.headers.get('connection')], [400, 'close'])
})

t.test(
  '[DOOR6] changing requests from pages of other sites are refused, whatever their credentials',
  async (t) => {
    const refused = {
      result: 'error',
      msg: 'Requests from pages of other sites are refused',
      code: 'CSRF_FAILED',
    }
    const foreign: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://chat.example.com' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.example.com' },
      { Origin: 'https://evil.example.com' },
      { Origin: 'https://chat.example.com.evil.com' },
      { Origin: 'null' },
      { Origin: 'file://' },
    ]
    const own: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'https://chat.example.com' },
      { Origin: `http://x` },
    ]
    const to = encodeURIComponent(`[${member.userId}]`)
    const send = (headers: Record<string, string>) => {
      const body = `type=direct&to=${to}&content=hello`
      const all = {
        'Content-Type': FORM,
        'Content-Length': body.length,
        Authorization: authorization,
        ...headers,
      }
      return sendRaw(port, head('POST', '/api/v1/messages', all) + body)
    }
    for (const headers of foreign) {
      const answer = await send(headers)
      t.equal(answer.status, 403, JSON.stringify(headers))
      t.same(JSON.parse(answer.body), refused)
      for (const [method, path] of [
        ['DELETE', '/api/v1/users/me/status'],
        ['POST', '/api/v1/fetch_api_key'],
        ['POST', '/api/v1/tus'],
        ['POST', '/join/abc'],
        ['GET', '/api/v1/events/stream?queue_id=x'],
        ['GET', '/api/v1/events/stream?queue_id=x&ticket=y'],
      ] as const) {
        const stream = path.includes('stream')
          ? {
              Connection: 'Upgrade',
              Upgrade: 'websocket',
              'Sec-WebSocket-Version': '13',
              'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
            }
          : {}
        const all = { Authorization: authorization, ...headers, ...stream }
        const expected = method === 'DELETE' ? 405 : 403
        t.equal((await sendRaw(port, head(method, path, all))).status, expected, `${method} ${path}`)
      }
      t.equal(
        (await sendRaw(port, head('GET', '/api/v1/users/me', { Authorization: authorization, ...headers })))
          .status,
        200,
      )
    }
    for (const headers of own) t.equal((await send(headers)).status, 200, JSON.stringify(headers))
  },
)

t.test('[DOOR7] every response forbids browsers to guess its type', async (t) => {
  for (const path of [
    '/api/v1/users/me',
    '/api/v1/server_settings',
    '/health/live',
    '/nothing',
    '/join/abc',
    '/api/v1/tus',
  ]) {
    const { headers } = await fetch(server.node.url + path)
    t.equal(headers.get('x-content-type-options'), 'nosniff', path)
    await fetch(server.node.url + path)
  }
})

t.test('[DOOR8] long part headers are refused, and forms in any encoding are decoded alike', async (t) => {
  const echo = await startEcho(t)
  const post = (parts: readonly string[], type = 'multipart/form-data; boundary=xyz') => {
    const body = parts.join('\r\n')
    const headers = { Authorization: echo.client.authorization, 'Content-Type': type }
    return sendRaw(echo.port, [
      head('POST', '/api/v1/echo', { ...headers, 'Content-Length': Buffer.byteLength(body) }),
      body,
    ])
  }
  const disposition = 'Content-Disposition: form-data; name="words"'
  for (const long of [
    `${disposition}${';'.repeat(78_000)}`,
    `${disposition}; name*=utf-8''${'%41'.repeat(20_000)}`,
    `${disposition}\r\nX-Long: ${'x'.repeat(9_000)}`,
  ]) {
    const answer = await post(['--xyz', long, '', 'a', '--xyz--', ''])
    t.equal(answer.status, 400)
    t.equal(JSON.parse(answer.body).msg, 'The headers of a part of the request body are too long')
  }
  const fits = await post(['--xyz', `${disposition}; x="${'x'.repeat(8_000)}"`, '', 'a', '--xyz--', ''])
  t.same(JSON.parse(fits.body).given, { words: 'a' })
  const many = Array<string[]>(900)
    .fill(['--xyz', `${disposition}; x="${'x'.repeat(300)}"`, '', 'a'])
    .flat()
  t.equal((await post([...many, '--xyz--', ''])).status, 400, 'so is their sum over all parts')

  for (const [text, words] of [
    ['a+b%20c', 'a b c'],
    ['%C3%BC+%e2%82%ac', 'ü €'],
    ['ü€', 'ü€'],
    ['%zz%4%', '%zz%4%'],
    ['%ff', '\ufffd'],
    ['a=b', 'a=b'],
    ['%00', undefined],
  ] as const) {
    for (const type of [FORM, undefined]) {
      const answer =
        type === FORM ? await post([`words=${text}`], FORM) : await post([`words=${text}&whole=1`], FORM)
      t.equal(JSON.parse(answer.body).given?.words, words, text)
    }
  }
})

t.test('[DOOR10] part headers count alike, however a body is cut into pieces', async (t) => {
  const headers = (bytes: number) => `Content-Disposition: form-data; name="${'x'.repeat(bytes)}"`
  const bodyOf = (...parts: [head: number, content: number][]) =>
    Buffer.from(
      parts.map(([head, content]) => `--xyz\r\n${headers(head)}\r\n\r\n${'y'.repeat(content)}\r\n`).join(''),
    )
  const measure = (body: Buffer, step: number) => {
    const heads = new MultipartHeads('xyz')
    for (let start = 0; start < body.length; start += step) heads.push(body.subarray(start, start + step))
  }
  const fits = bodyOf([10, 20_000], ...Array<[number, number]>(50).fill([300, 10]), [10, 10])
  const long = bodyOf([10, 100], [9_000, 10])
  for (const step of [1, 2, 3, 5, 7, 1_000, 1_000_000]) {
    t.doesNotThrow(() => measure(fits, step), `${step} bytes at a time`)
    t.throws(() => measure(long, step), ApiError, `${step} bytes at a time`)
  }
})

t.test('[DOOR9] the parameters of an operation bound its body, and types bound each parameter', async (t) => {
  const post = (path: string, body: string) => {
    const headers = { Authorization: authorization, 'Content-Type': FORM, 'Content-Length': body.length }
    return sendRaw(port, [head('POST', `/api/v1${path}`, headers), body])
  }
  const status = { status_text: 'x'.repeat(60) }
  t.equal((await post('/users/me/status', new URLSearchParams(status).toString())).status, 200)
  const padded = await post('/users/me/status', `status_text=y&more=${'x'.repeat(60 * KIB)}`)
  t.equal(padded.status, 200)
  const long = await post('/users/me/status', `status_text=y&more=${'x'.repeat(100 * KIB)}`)
  t.equal(long.status, 413)
  for (const [value, msg] of [
    ['1'.repeat(100_000), 'messages is not a list'],
    [`[${'1'.repeat(700_000)}]`, 'messages is too long'],
    [`[${Array<string>(10_001).fill('1').join(',')}]`, 'messages is too long (limit: 10000 items)'],
  ] as const) {
    const answer = await post('/messages/flags', `op=add&flag=read&messages=${value}`)
    t.equal(answer.status, 400)
    t.equal(JSON.parse(answer.body).msg, msg)
  }
})
