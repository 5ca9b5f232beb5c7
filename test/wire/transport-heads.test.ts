/** The contract of transports: heads, routes, and requests that nobody can read. */

import t from 'tap'
import type { HttpResponse } from '../../server/wire/transport/transport.ts'
import { pollUntil } from '../services/poll-until.ts'
import { answer, describeHead, head, readAll, startTransport } from './start-transport.ts'
import { bodyOf, rulesOf } from './transport-rule.ts'

const rule = rulesOf(t)

rule('[TRANSPORT1] a head is read as sent: escapes, odd bytes, duplicate headers', async (t, transport) => {
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res, req) =>
      answer(res, JSON.stringify({ ...describeHead(req), first: req.getHeader('x-a') })),
    ),
  )
  const read = async (bytes: string | Buffer) => {
    const client = await server.connect()
    client.socket.write(bytes)
    return JSON.parse(Buffer.from(bodyOf(await client.until(/\}$/)), 'latin1').toString())
  }
  t.same(await read(head('PATCH', '/a%2Fb//c/../.;"<>{}|\\^`%zz?x=?&y=#1%', 'X-A: 1 ', 'x-a:2', 'X-a:')), {
    method: 'PATCH',
    path: '/a%2Fb//c/../.;"<>{}|\\^`%zz',
    query: 'x=?&y=#1%',
    headers: [
      ['host', 'x'],
      ['x-a', '1'],
      ['x-a', '2'],
      ['x-a', ''],
    ],
    first: '1',
  })
  t.match(await read(head('brew', '/a?b')), { method: 'brew', path: '/a', query: 'b' }, 'any method')
})

rule('[TRANSPORT2] routes compare paths as sent, from the most specific on', async (t, transport) => {
  const name = (route: string) => (res: HttpResponse) => answer(res, `${route};`)
  const server = await startTransport(t, transport, (app) => {
    app.get('/one/stream', (res, req) => {
      if (req.getHeader('accept') !== 'stream') return false
      answer(res, 'stream;')
      return true
    })
    app.any('/one', name('one'))
    app.any('/one/*', name('below'))
    app.any('/*', name('rest'))
  })
  const client = await server.connect()
  const ask = async (method: string, path: string, ...lines: string[]) => {
    const start = client.text().length
    client.socket.write(head(method, path, ...lines))
    await pollUntil('an answer', () => client.text().indexOf(';', start) > 0)
    return bodyOf(client.text())
  }
  t.equal(await ask('GET', '/one'), 'one;')
  t.equal(await ask('DELETE', '/one?x'), 'one;')
  for (const path of ['/one/', '/one/two', '/one//two/three'])
    t.equal(await ask('POST', path), 'below;', path)
  for (const path of ['/', '/ones', '//one', '/o%6ee', '/ONE', '/two'])
    t.equal(await ask('GET', path), 'rest;', path)
  t.equal(await ask('GET', '/one/stream', 'Accept: stream'), 'stream;')
  t.equal(await ask('POST', '/one/stream', 'Accept: stream'), 'below;')
  t.equal(await ask('GET', '/one/stream'), 'below;')
})

/** Heads that no handler gets, with the reason on `node:http`. */
const UNREADABLE: Readonly<Record<string, string | Buffer>> = {
  'no host': 'GET /a HTTP/1.1\r\n\r\n',
  'two hosts': head('GET', '/a', 'Host: y'),
  'a very old version': 'GET /a HTTP/0.9\r\nHost: x\r\n\r\n',
  'a new version': 'GET /a HTTP/2.0\r\nHost: x\r\n\r\n',
  'a whole address': head('GET', 'http://x/a'),
  'an asterisk': head('OPTIONS', '*'),
  'no slash': head('GET', 'a'),
  'a tunnel': head('CONNECT', 'x:80'),
  'a control character in the path': head('GET', '/a\x01b'),
  'a NUL in the path': head('GET', '/a\0b'),
  'a folded header': head('GET', '/a', 'X-A: 1', ' 2'),
  'a space before the colon': head('GET', '/a', 'X-A : 1'),
  'a bad name': head('GET', '/a', 'X(A: 1'),
  'a control character in a value': head('GET', '/a', 'X-A: a\x01b'),
  'a NUL in a value': head('GET', '/a', 'X-A: a\0b'),
  'lines without a carriage return': 'GET /a HTTP/1.1\nHost: x\n\n',
  'a length beside chunks': head('POST', '/a', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  'long headers': head('GET', '/a', `X-A: ${'x'.repeat(40_000)}`),
  'many headers': head('GET', '/a', ...Array<string>(101).fill('X-A: 1')),
  'another protocol': Buffer.from([
    0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03, 13, 10, 13, 10,
  ]),
}

rule(
  '[TRANSPORT3] unreadable heads are refused, their connections end, and nothing that follows is read',
  async (t, transport, name) => {
    let handled = 0
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res) => {
        handled++
        answer(res, 'handled')
      }),
    )
    for (const [what, bytes] of Object.entries(UNREADABLE)) {
      const client = await server.connect()
      client.socket.write(bytes)
      client.socket.write(head('GET', '/smuggled'))
      await client.closed()
      t.match(client.text(), /^HTTP\/1\.1 (4\d\d|505) [^]*connection: close/i, what)
      t.notMatch(client.text(), /handled/, what)
    }
    t.equal(handled, 0)
    const own = server.refused.filter((reason) => reason !== 'malformed')
    if (name === 'node') {
      t.same(own, ['ambiguous', 'head_too_long', 'head_too_long'])
      t.equal(server.refused.length, Object.keys(UNREADABLE).length)
    } else t.same(server.refused, [], 'uWebSockets.js has pages of its own')
  },
)

/** Lengths and chunks that no body has. */
const MALFORMED_BODIES: readonly (readonly [length: string, body: string])[] = [
  ['Content-Length: +5', 'hello'],
  ['Content-Length: 0x5', 'hello'],
  ['Content-Length: 5, 5', 'hello'],
  ...['zz\r\n', '-1\r\nx\r\n', '+1\r\nx\r\n', '0x1\r\nx\r\n', 'fffffffffffffffff\r\nx'].map(
    (body) => ['Transfer-Encoding: chunked', `${body}0\r\n\r\n`] as const,
  ),
]
/** uWebSockets.js takes these, each in its own way. */
const SLOPPY_BODIES = [
  ' 1\r\nx\r\n',
  '1 \r\nx\r\n',
  '1\r\nx',
  '1\r\nxy\r\n',
  '1;a\nb\r\nx\r\n',
  '5\nhello\n0\n\n',
  '\r\n',
]

rule(
  '[TRANSPORT4] a body of malformed length is refused, and hides no second request',
  async (t, transport, name) => {
    const paths: string[] = []
    let whole = 0
    let gone = 0
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        paths.push(req.getUrl())
        res.onAborted(() => void gone++)
        void readAll(res).then(() => void whole++)
      }),
    )
    const sloppy = SLOPPY_BODIES.map((body) => ['Transfer-Encoding: chunked', `${body}0\r\n\r\n`] as const)
    for (const [length, body] of name === 'node' ? [...MALFORMED_BODIES, ...sloppy] : MALFORMED_BODIES) {
      const client = await server.connect()
      client.socket.write(`${head('POST', '/first', length)}${body}${head('GET', '/second')}`)
      await client.closed()
      t.match(client.text(), /^HTTP\/1\.1 400 [^]*connection: close/i, JSON.stringify(body))
    }
    t.equal(whole, 0)
    t.equal(gone, paths.length)
    t.notOk(paths.includes('/second'))
  },
)

rule('[TRANSPORT17] a header may go on with further headers, in one call', async (t, transport) => {
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res) => {
      res.writeHeader('X-One', 'a: b\r\nX-Two: c\r\nX-Three: d: e')
      res.end('whole')
    }),
  )
  const client = await server.connect()
  client.socket.write(head('GET', '/'))
  const text = await client.until(/whole$/)
  for (const line of ['X-One: a: b', 'X-Two: c', 'X-Three: d: e'])
    t.ok(text.includes(`\r\n${line}\r\n`), line)
})

rule(
  '[TRANSPORT18] an answer in the call of its handler needs no cork to be in one packet',
  async (t, transport) => {
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res) => {
        res.writeHeader('X-One', 'a')
        res.end('whole')
      }),
    )
    const client = await server.connect()
    const packets: string[] = []
    client.socket.on('data', (packet: Buffer) => packets.push(packet.toString('latin1')))
    client.socket.write(head('GET', '/'))
    await client.until(/whole$/)
    t.equal(packets.length, 1)
  },
)
