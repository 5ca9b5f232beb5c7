/** The contract of the seam between the server and the library that speaks HTTP, on each transport. */

import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import type { HttpResponse, Transport } from '../../server/wire/transport/transport.ts'
import { pollUntil } from '../services/poll-until.ts'
import {
  answer,
  type Client,
  connect,
  describeHead,
  head,
  readAll,
  startTransport,
  TRANSPORTS,
} from './start-transport.ts'

const MIB = 1024 * 1024

/** A rule that holds on each transport. */
function rule(title: string, check: (t: Test, transport: Transport, name: string) => Promise<void>): void {
  t.test(title, async (t) => {
    for (const [name, transport] of TRANSPORTS) await t.test(name, async (t) => check(t, transport, name))
  })
}

/** Bytes without a pattern that a lost or repeated piece would keep. */
function makeBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at)
  return bytes
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The body of the last answer. */
function bodyOf(text: string): string {
  return text.slice(text.lastIndexOf('\r\n\r\n') + 4)
}

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
  'an old version': 'GET /a HTTP/1.0\r\nHost: x\r\n\r\n',
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

rule('[TRANSPORT5] a body arrives whole and once, however it is sent', async (t, transport) => {
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res) => {
      res.onAborted(() => undefined)
      void readAll(res).then((body) => answer(res, `${body.length} ${hashOf(body)};`))
    }),
  )
  const bytes = makeBytes(3 * MIB + 1)
  const hash = `${bytes.length} ${hashOf(bytes)};`
  const client = await server.connect()
  const answers = async (count: number) => {
    await pollUntil(
      `${count} answers`,
      () => client.text().split(';').length > count,
      () => client.socket.bytesWritten,
    )
    return bodyOf(client.text())
  }
  client.socket.write(head('POST', '/', `Content-Length: ${bytes.length}`))
  client.socket.write(bytes)
  t.equal(await answers(1), hash)

  client.socket.write(head('POST', '/', 'Transfer-Encoding: Chunked'))
  for (let start = 0, size = 1; start < bytes.length; start += size, size = 1 + ((size * 7) % 300_000)) {
    const chunk = bytes.subarray(start, start + size)
    client.socket.write(`${chunk.length.toString(16)}\r\n`)
    client.socket.write(chunk)
    client.socket.write('\r\n')
  }
  client.socket.write('0\r\n\r\n')
  t.equal(await answers(2), hash)

  const small = Buffer.from('hello')
  client.socket.write(head('POST', '/', 'Content-Length: 5'))
  for (const byte of small) {
    client.socket.write(Buffer.from([byte]))
    await new Promise((resolve) => void setImmediate(resolve))
  }
  t.equal(await answers(3), `5 ${hashOf(small)};`)
})

rule(
  '[TRANSPORT6] a client that waits for `100 Continue` gets it once, before the answer',
  async (t, transport) => {
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res) => {
        res.onAborted(() => undefined)
        void readAll(res).then((body) => answer(res, `${body.toString()};`))
      }),
    )
    const client = await server.connect()
    for (const expect of ['100-continue', '100-continue']) {
      const start = client.text().length
      client.socket.write(head('POST', '/', 'Content-Length: 5', `Expect: ${expect}`))
      await pollUntil('a sign', () => client.text().slice(start).startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
      client.socket.write('hello')
      await pollUntil('an answer', () => client.text().slice(start).endsWith('hello;'))
      t.equal(client.text().slice(start).split('HTTP/1.1').length, 3)
    }
  },
)

rule(
  '[TRANSPORT7] a paused body stops its client, and arrives whole after it is resumed',
  async (t, transport) => {
    let res: HttpResponse | undefined
    let isHeld = true
    let arrived = 0
    const hash = createHash('sha256')
    let isWhole = false
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (given) => {
        res = given
        given.onAborted(() => undefined)
        given.onData((chunk, isLast) => {
          hash.update(new Uint8Array(chunk))
          arrived += chunk.byteLength
          if (isHeld && !isLast) given.pause()
          isWhole ||= isLast
        })
      }),
    )
    const bytes = makeBytes(32 * MIB)
    const client = await server.connect()
    client.socket.write(head('POST', '/', `Content-Length: ${bytes.length}`))
    let isSent = false
    client.socket.write(bytes, () => {
      isSent = true
    })
    await pollUntil('some bytes', () => arrived > 0)
    // The buffers of the system take some; then nothing arrives any more.
    const seen: number[] = []
    await pollUntil(
      'the client stands',
      () => seen.push(arrived) > 5 && seen.at(-5) === arrived,
      () => arrived,
    )
    t.notOk(isSent)
    t.ok(arrived < 16 * MIB, `${arrived} bytes`)
    isHeld = false
    res?.resume()
    await pollUntil(
      'the whole body',
      () => isWhole,
      () => arrived,
    )
    t.equal(arrived, bytes.length)
    t.equal(hash.digest('hex'), hashOf(bytes))
  },
)

/** Sends a body of known length as the server does with files: what is not taken is sent again from the offset. */
function sendByEnd(res: HttpResponse, bytes: Buffer, pieceBytes: number) {
  const counts = { refused: 0, taken: 0, isOver: false }
  let at = 0
  const tryEnd = (from: number, to: number) => {
    let isTaken = false
    res.cork(() => {
      isTaken = res.tryEnd(bytes.subarray(from, to), bytes.length)[0]
    })
    return isTaken
  }
  const send = (): boolean => {
    while (at < bytes.length) {
      const isTaken = tryEnd(at, Math.min(bytes.length, at + pieceBytes))
      at = Math.min(bytes.length, at + pieceBytes)
      if (!isTaken) {
        counts.refused++
        return false
      }
      counts.taken++
    }
    counts.isOver = true
    return true
  }
  res.onWritable((offset) => {
    const start = at - ((at - 1) % pieceBytes) - 1
    return tryEnd(Math.max(offset, start), at) ? send() : false
  })
  send()
  return counts
}

rule(
  '[TRANSPORT8] a body of known length waits for its client, and no byte is lost or sent twice',
  async (t, transport) => {
    const bytes = makeBytes(16 * MIB + 3)
    let counts: ReturnType<typeof sendByEnd> | undefined
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res) => {
        res.onAborted(() => undefined)
        counts = sendByEnd(res, bytes, 64 * 1024)
      }),
    )
    const client = await server.connect()
    client.socket.pause()
    client.socket.write(head('GET', '/'))
    await pollUntil('back-pressure', () => counts?.refused)
    t.notOk(counts?.isOver, 'the rest waits')
    t.ok((counts?.taken ?? 0) * 64 * 1024 < 12 * MIB, 'only the buffers of the system are filled')
    client.socket.resume()
    await pollUntil(
      'the whole body',
      () => counts?.isOver,
      () => client.socket.bytesRead,
    )
    const length = bytes.length + (client.text().indexOf('\r\n\r\n') + 4)
    await pollUntil(
      'the last byte',
      () => client.socket.bytesRead === length,
      () => client.socket.bytesRead,
    )
    t.match(client.text().slice(0, 500), new RegExp(`content-length: ${bytes.length}\r\n`, 'i'))
    t.equal(hashOf(Buffer.from(client.text(), 'latin1').subarray(-bytes.length)), hashOf(bytes))

    client.socket.write(head('GET', '/'))
    await pollUntil(
      'the next answer',
      () => client.socket.bytesRead === 2 * length,
      () => client.socket.bytesRead,
    )
  },
)

rule(
  '[TRANSPORT9] a body of unknown length says when bytes wait, and when they were sent',
  async (t, transport) => {
    const piece = 'é'.repeat(8 * 1024)
    let pieces = 0
    let isWaiting = false
    let res: HttpResponse | undefined
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (given) => {
        res = given
        given.onAborted(() => undefined)
        given.onWritable(() => {
          isWaiting = !given.write(':')
          return !isWaiting
        })
        given.cork(() => {
          given.writeHeader('Content-Type', 'text/plain')
          given.write('start:')
        })
      }),
    )
    const client = await server.connect()
    client.socket.write(head('GET', '/'))
    await client.until(/start:/)
    client.socket.pause()
    await pollUntil(
      'back-pressure',
      () => {
        for (let count = 0; count < 64 && !isWaiting; count++) {
          isWaiting = !res?.write(piece)
          pieces++
        }
        return isWaiting
      },
      () => pieces,
    )
    client.socket.resume()
    await pollUntil(
      'the client is up to date',
      () => !isWaiting,
      () => client.socket.bytesRead,
    )
    res?.cork(() => res?.end('end'))
    const text = await client.until(/0\r\n\r\n$/)
    const body = dechunk(text.slice(text.indexOf('\r\n\r\n') + 4))
    t.equal(
      body.replace(/^start:/, '').replaceAll(':', ''),
      `${Buffer.from(piece).toString('latin1').repeat(pieces)}end`,
    )
  },
)

/** Joins chunks. */
function dechunk(text: string): string {
  let body = ''
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at)
    const length = Number.parseInt(text.slice(at, end), 16)
    if (length === 0) return body
    body += text.slice(end + 2, end + 2 + length)
    at = end + 2 + length + 2
  }
}

rule(
  '[TRANSPORT10] a client that leaves ends its request once, whatever it waits for',
  async (t, transport) => {
    const gone: string[] = []
    let started = 0
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        const path = req.getUrl()
        started++
        res.onAborted(() => void gone.push(path))
        if (path === '/body') res.onData(() => undefined)
        if (path === '/known') sendByEnd(res, makeBytes(16 * MIB), 64 * 1024)
        if (path === '/unknown') res.cork(() => void res.write('start'))
        if (path === '/answered') answer(res, 'done')
      }),
    )
    const leave: ((client: Client) => void)[] = [
      ({ socket }) => socket.destroy(),
      ({ socket }) => socket.resetAndDestroy(),
      ({ socket }) => socket.end(),
    ]
    const paths = ['/poll', '/body', '/known', '/unknown', '/answered']
    for (const go of leave) {
      for (const path of paths) {
        const client = await server.connect()
        const before = started
        if (path === '/known') client.socket.pause()
        client.socket.write(head(path === '/body' ? 'POST' : 'GET', path, 'Content-Length: 9'))
        await pollUntil('it started', () => started > before)
        if (path === '/answered') await client.until(/done$/)
        client.socket.resume()
        go(client)
      }
    }
    const expected = paths.slice(0, -1).flatMap((path) => leave.map(() => path))
    await pollUntil(
      () => `all end, of which did ${gone.join()}`,
      () => gone.length >= expected.length,
      () => gone.length,
    )
    t.same(gone.toSorted(), expected.toSorted())
  },
)

rule('[TRANSPORT11] the server can close a connection in the middle of an answer', async (t, transport) => {
  let order = ''
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res) => {
      res.onAborted(() => {
        order += 'gone;'
      })
      res.cork(() => void res.write('start'))
      setImmediate(() => {
        res.close()
        order += 'closed;'
      })
    }),
  )
  const client = await server.connect()
  client.socket.write(head('GET', '/'))
  await client.closed()
  t.equal(order, 'gone;closed;')
  t.notMatch(client.text(), /0\r\n\r\n$/, 'the answer is not whole')
})

rule(
  '[TRANSPORT12] connections are kept, until the answer or the client says that it is the last',
  async (t, transport) => {
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        const path = req.getUrl()
        res.cork(() => {
          res.writeStatus(path === '/none' ? '304 Not Modified' : '200 OK')
          res.writeHeader('X-Own', path)
          if (path === '/head') res.writeHeader('Content-Length', '1000')
          if (path === '/head' || path === '/none') res.endWithoutBody()
          else res.end('é;', path === '/last')
        })
      }),
    )
    const client = await server.connect()
    client.socket.write(head('HEAD', '/head'))
    t.match(await client.until(/x-own: \/head[^]*\r\n\r\n$/i), /content-length: 1000\r\n/i)
    client.socket.write(head('GET', '/none'))
    t.match(await client.until(/x-own: \/none[^]*\r\n\r\n$/i), /HTTP\/1\.1 304 Not Modified\r\n/)
    for (let count = 0; count < 3; count++) {
      client.socket.write(head('GET', '/more'))
      await pollUntil('an answer', () => client.text().split(';').length === count + 2)
    }
    t.match(client.text(), /content-length: 3\r\n/i)
    t.notMatch(client.text(), /connection: close/i)
    client.socket.write(head('GET', '/last'))
    await client.closed()
    t.match(client.text(), /x-own: \/last\r\n[^]*connection: close[^]*;$/i)

    const other = await server.connect()
    other.socket.write(head('GET', '/more', 'Connection: close'))
    await other.closed()
    t.match(other.text(), /;$/)
  },
)

rule(
  '[TRANSPORT13] the rest of a body that is refused is skipped, and the connection serves the next request',
  async (t, transport) => {
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => answer(res, `${req.getUrl()};`)),
    )
    const client = await server.connect()
    client.socket.write(head('POST', '/long', `Content-Length: ${3 * MIB}`))
    await client.until(/\/long;/)
    client.socket.write(Buffer.alloc(3 * MIB, head('GET', '/hidden')))
    client.socket.write(head('POST', '/chunks', 'Transfer-Encoding: chunked'))
    await client.until(/\/chunks;/)
    client.socket.write(`5\r\nhello\r\n0\r\n\r\n${head('GET', '/next')}`)
    await client.until(/\/next;/)
    t.notMatch(client.text(), /hidden/)
  },
)

rule('[TRANSPORT14] requests that follow each other at once are answered in order', async (t, transport) => {
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res, req) => answer(res, `${req.getUrl()};`)),
  )
  const client = await server.connect()
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}`)
  client.socket.write(paths.map((path) => head('GET', path)).join(''))
  await client.until(/\/49;/)
  t.same(
    [...client.text().matchAll(/(\/\d+);/g)].map(([, path]) => path),
    paths,
  )
})

rule('[TRANSPORT15] the address of a client is that of its connection', async (t, transport) => {
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res) => answer(res, `${Buffer.from(res.getRemoteAddressAsText()).toString()};`)),
  )
  const client = await server.connect()
  client.socket.write(head('GET', '/', 'X-Forwarded-For: 192.0.2.1'))
  t.equal(bodyOf(await client.until(/;$/)), '127.0.0.1;')
})

rule(
  '[TRANSPORT16] a stopped listener serves its connections, and a closed one ends them',
  async (t, transport) => {
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        if (req.getUrl() === '/held') res.onAborted(() => undefined)
        else answer(res, `${req.getUrl()};`)
      }),
    )
    const idle = await server.connect()
    idle.socket.write(head('GET', '/before'))
    await idle.until(/\/before;/)
    const held = await server.connect()
    held.socket.write(head('GET', '/held'))
    await t.rejects(
      transport.createApp(() => undefined).listen('127.0.0.1', server.port),
      'the port is taken',
    )
    server.stop()
    server.stop()
    await t.rejects(connect(t, server.port))
    idle.socket.write(head('GET', '/after'))
    await idle.until(/\/after;/)
    t.notOk(held.isClosed())
    server.close()
    await Promise.all([idle.closed(), held.closed()])
  },
)
