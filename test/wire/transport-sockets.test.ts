/** WebSockets by the contract of the seam, on each transport; and what only the one on `node:http` decides itself. */

import { once } from 'node:events'
import t, { type Test } from 'tap'
import { WebSocket as WsClient } from 'ws'
import { loadTransport } from '../../server/wire/transport/load-transport.ts'
import { createNodeTransport } from '../../server/wire/transport/node.ts'
import { NODE_LIMITS } from '../../server/wire/transport/node-limits.ts'
import { loadUws } from '../../server/wire/transport/uws.ts'
import type { App, Transport, WebSocket, WebSocketRoute } from '../../server/wire/transport/transport.ts'
import { pollUntil } from '../services/poll-until.ts'
import { answer, connect, head, readAll, startTransport, TRANSPORTS, UWS } from './start-transport.ts'

const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', KEY] as const
const MIB = 1024 * 1024

/** The sockets of a route and their events in order. */
interface Seen {
  readonly sockets: WebSocket<{ name: string }>[]
  readonly events: string[]
}

function addSockets(app: App, changes: Partial<WebSocketRoute<{ name: string }>> = {}): Seen {
  const seen: Seen = { sockets: [], events: [] }
  const note = (ws: WebSocket<{ name: string }>, event: string) =>
    void seen.events.push(`${ws.getUserData().name} ${event}`)
  app.ws<{ name: string }>('/socket', {
    frameBytesMax: 1024,
    bufferedBytesMax: 4 * MIB,
    idleSeconds: 60,
    admit(res, req) {
      const name = req.getQuery() ?? ''
      if (name !== '') return { name }
      answer(res, 'no name', '403 Forbidden')
      return undefined
    },
    open(ws) {
      seen.sockets.push(ws)
      note(ws, 'open')
    },
    message(ws, message, isBinary) {
      const text = Buffer.from(new Uint8Array(message)).toString()
      note(ws, `${isBinary ? 'binary' : 'text'} ${text}`)
      if (!isBinary) ws.send(`${text}é`)
    },
    ping: (ws, message) => note(ws, `ping ${Buffer.from(new Uint8Array(message)).toString()}`),
    drain: (ws) => note(ws, 'drain'),
    close: (ws) => note(ws, 'close'),
    ...changes,
  })
  app.any('/*', (res, req) => {
    res.onAborted(() => undefined)
    const path = req.getUrl()
    void readAll(res).then((body) => answer(res, `${path} ${body.toString()};`))
  })
  return seen
}

/** A rule that holds on each transport. */
function rule(
  title: string,
  check: (
    t: Test,
    start: (changes?: Partial<WebSocketRoute<{ name: string }>>) => Promise<Seen & { port: number }>,
    transport: Transport,
  ) => Promise<void>,
): void {
  t.test(title, async (t) => {
    for (const [name, transport] of TRANSPORTS) {
      await t.test(name, async (t) => {
        const start = async (changes: Partial<WebSocketRoute<{ name: string }>> = {}) => {
          let seen: Seen = { sockets: [], events: [] }
          const { port } = await startTransport(t, transport, (app) => {
            seen = addSockets(app, changes)
          })
          return { ...seen, port }
        }
        await check(t, start, transport)
      })
    }
  })
}

/** A client, with the frames that it got. */
async function open(t: Test, port: number, name: string, protocols: string[] = []) {
  const socket = new WsClient(`ws://127.0.0.1:${port}/socket?${name}`, protocols)
  t.teardown(() => socket.terminate())
  const frames: string[] = []
  socket.on('message', (data: Buffer) => frames.push(data.toString()))
  socket.on('error', () => undefined)
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await once(socket, 'open')
  return { socket, frames, closed }
}

rule('[SOCKET1] frames go both ways, uncompressed, and pings are answered', async (t, start) => {
  const { port, events } = await start()
  const { socket, frames } = await open(t, port, 'a', ['first', 'second'])
  t.equal(socket.protocol, 'first')
  t.equal(socket.extensions, '', 'compression was offered')
  for (let count = 0; count < 100; count++) socket.send(String(count))
  socket.send(Buffer.from('bytes'))
  socket.ping('now')
  const [pong] = await once(socket, 'pong')
  t.equal(String(pong), 'now')
  t.same(
    frames,
    Array.from({ length: 100 }, (_, count) => `${count}é`),
  )
  t.same(events.slice(0, 2), ['a open', 'a text 0'])
  t.same(events.slice(-2), ['a binary bytes', 'a ping now'])
})

rule(
  '[SOCKET2] a refused upgrade is an HTTP answer, and other requests go to the next route',
  async (t, start) => {
    const { port, events } = await start()
    const ask = async (method: string, path: string, lines: readonly string[], body = '') => {
      const client = await connect(t, port)
      client.socket.write(`${head(method, path, ...lines)}${body}`)
      return client.until(/;$|no name$|101 Switching/)
    }
    t.match(await ask('GET', '/socket', UPGRADE), /^HTTP\/1\.1 403 Forbidden\r\n/)
    t.match(await ask('GET', '/other', UPGRADE), /\/other ;$/)
    t.match(await ask('GET', '/socket/', UPGRADE), /\/socket\/ ;$/)
    t.match(await ask('GET', '/socket?a', UPGRADE.slice(0, 3)), /\/socket ;$/, 'no key')
    t.match(
      await ask('GET', '/socket?a', [...UPGRADE.slice(0, 3), 'Sec-WebSocket-Key: short']),
      /\/socket ;$/,
    )
    t.match(await ask('POST', '/socket?a', [...UPGRADE, 'Content-Length: 5'], 'hello'), /\/socket hello;$/)
    const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']
    t.match(await ask('POST', '/socket', [...offer, 'Content-Length: 5'], 'hello'), /\/socket hello;$/)
    t.match(await ask('GET', '/socket?a', UPGRADE), /^HTTP\/1\.1 101 Switching Protocols\r\n/)
    t.same(events, ['a open'])
  },
)

rule(
  '[SOCKET3] each end closes a socket with a code, and `close` is called once, before `end` returns',
  async (t, start) => {
    const { port, sockets, events } = await start()
    const first = await open(t, port, 'a')
    first.socket.send('x')
    await pollUntil('it is open', () => first.frames.length)
    sockets[0]?.end(4001, 'the reason')
    t.same(events, ['a open', 'a text x', 'a close'])
    t.same(await first.closed, { code: 4001, reason: 'the reason' })

    const second = await open(t, port, 'b')
    second.socket.close(1000)
    await second.closed
    const third = await open(t, port, 'c')
    third.socket.terminate()
    await pollUntil('all are closed', () => events.length === 7)
    t.same(events.slice(3), ['b open', 'b close', 'c open', 'c close'])
  },
)

rule('[SOCKET4] frames that break the protocol or are too long end the connection', async (t, start) => {
  const { port, events } = await start()
  const cases: Record<string, Buffer> = {
    'too long': Buffer.from([0x81, 0xfe, 0x04, 0x01, 0, 0, 0, 0]),
    'far too long': Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    'not UTF-8': Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]),
    'a compressed frame': Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x61]),
    'a long ping': Buffer.from([0x89, 0xfe, 0x00, 0x7e, 0, 0, 0, 0]),
  }
  for (const [what, bytes] of Object.entries(cases)) {
    const client = await connect(t, port)
    client.socket.write(head('GET', '/socket?a', ...UPGRADE))
    await client.until(/101 Switching[^]*\r\n\r\n/)
    client.socket.write(bytes)
    client.socket.write(Buffer.alloc(2_000))
    await client.closed()
    t.pass(what)
  }
  await pollUntil('all are closed', () => events.filter((event) => event === 'a close').length === 5)
  t.same([...new Set(events)], ['a open', 'a close'], 'none was handed over')
})

rule(
  '[SOCKET5] bytes wait for a slow client up to a bound, and `drain` says when they are gone',
  async (t, start) => {
    const { port, sockets, events } = await start({ bufferedBytesMax: 64 * MIB })
    const { socket, frames } = await open(t, port, 'a')
    await pollUntil('it is open', () => sockets.length)
    const [ws] = sockets
    t.equal(ws?.getBufferedAmount(), 0)
    socket.pause()
    const frame = 'y'.repeat(64 * 1024)
    let count = 0
    while ((ws?.getBufferedAmount() ?? 0) < MIB) {
      ws?.send(frame)
      count++
    }
    t.ok((ws?.getBufferedAmount() ?? 0) < 2 * MIB)
    t.notOk(events.includes('a drain'))
    socket.resume()
    await pollUntil(
      'all frames',
      () => frames.length === count,
      () => frames.length,
    )
    await pollUntil('it is empty', () => ws?.getBufferedAmount() === 0)
    await pollUntil('it is said', () => events.includes('a drain'))
    t.ok(frames.every((one) => one === frame))
    ws?.send('last')
    await pollUntil('the socket is usable', () => frames.at(-1) === 'last')
  },
)

rule('[SOCKET6] a closed listener closes its sockets', async (t, _start, transport) => {
  let seen: Seen | undefined
  const server = await startTransport(t, transport, (app) => {
    seen = addSockets(app)
  })
  const { closed } = await open(t, server.port, 'a')
  server.close()
  await closed
  t.same(seen?.events, ['a open', 'a close'])
})

/** Short limits: the same timers as in earnest. */
const QUICK = createNodeTransport({
  ...NODE_LIMITS,
  headMs: 200,
  headLookMs: 50,
  bodyMs: 200,
  stalledMs: 200,
  lingerMs: 50,
  closeMs: 50,
})

t.test(
  '[SOCKET7] on `node:http` a silent or slow client is closed: before a request, within it, after it',
  async (t) => {
    const said: string[] = []
    const server = await startTransport(t, QUICK, (app) => {
      app.get('/long', (res) => {
        res.end(Buffer.alloc(64 * MIB))
        said.push('answered')
        return true
      })
      app.get('/stream', (res) => {
        res.onAborted(() => void said.push('stream'))
        while (res.write('z'.repeat(64 * 1024)));
        return true
      })
      addSockets(app, { idleSeconds: 0.2 })
    })
    const silent = await server.connect()
    const slowHead = await server.connect()
    slowHead.socket.write('GET / HTTP/1.1\r\n')
    const slowBody = await server.connect()
    slowBody.socket.write(`${head('POST', '/', 'Content-Length: 9')}x`)
    const idle = await server.connect()
    idle.socket.write(head('POST', '/', 'Content-Length: 0'))
    const socket = await server.connect()
    socket.socket.write(head('GET', '/socket?a', ...UPGRADE))
    await Promise.all([silent, slowHead, slowBody, idle, socket].map((client) => client.closed()))
    t.equal(silent.text(), '')
    t.match(slowHead.text(), /refused: too_slow$/)
    t.equal(slowBody.text(), '', 'its connection is cut')
    t.match(idle.text(), /\/ ;$/)
    t.match(socket.text(), /101 Switching/)
    const long = await server.connect()
    long.socket.pause().write(head('GET', '/long'))
    await pollUntil('it waits', () => said.includes('answered'))
    const stream = await server.connect() // Only now: it would be closed if it were silent.
    stream.socket.pause().write(head('GET', '/stream'))
    await pollUntil('the later one is cut', () => said.includes('stream')) // An answer that was given whole says nothing.
    for (const client of [long, stream]) {
      client.socket.resume()
      await client.closed()
      t.ok(client.socket.bytesRead < 32 * MIB, `it got ${client.socket.bytesRead} bytes`)
    }
  },
)

t.test('[SOCKET9] on `node:http` a last answer reaches a client that still sends', async (t) => {
  let answered = 0
  const server = await startTransport(t, createNodeTransport(), (app) =>
    app.any('/*', (res) => {
      answer(res, 'too large;', '413 Payload Too Large', true)
      answered++
    }),
  )
  const client = await server.connect()
  client.socket.pause().write(head('POST', '/', `Content-Length: ${20 * MIB}`))
  await pollUntil('the answer', () => answered)
  let isSent = false
  client.socket.write(Buffer.alloc(10 * MIB), () => {
    isSent = true
  })
  await pollUntil('more of the body is sent', () => isSent || client.isClosed())
  t.ok(isSent)
  client.socket.resume()
  t.match(await client.until(/;$/), /^HTTP\/1\.1 413 [^]*connection: close/i)
  await client.closed()
})

t.test('[SOCKET10] on `node:http` at most 32 MiB of a refused body are skipped', async (t) => {
  const server = await startTransport(t, createNodeTransport(), (app) =>
    app.any('/*', (res, req) => answer(res, `${req.getUrl()};`)),
  )
  const chunk = `100000\r\n${'x'.repeat(MIB)}\r\n`
  const send = async (count: number) => {
    const client = await server.connect()
    client.socket.write(head('POST', '/refused', 'Transfer-Encoding: chunked'))
    await client.until(/\/refused;$/)
    for (let sent = 0; sent < count; sent++) client.socket.write(chunk)
    client.socket.write(`0\r\n\r\n${head('GET', '/next')}`)
    await pollUntil(
      'an end',
      () => client.isClosed() || client.text().includes('/next;'),
      () => client.socket.bytesWritten,
    )
    return client.text()
  }
  t.match(await send(32), /\/next;$/)
  t.notMatch(await send(40), /\/next;$/)
})

t.test('[SOCKET8] the transport is the named one, or the faster one that loads', async (t) => {
  if (UWS) t.equal((await loadTransport('uws')).transport.name, 'uWebSockets.js')
  t.equal((await loadTransport('node')).transport.name, 'node:http')
  t.equal((await loadTransport(undefined)).transport.name, UWS ? 'uWebSockets.js' : 'node:http')
  const { transport, reason } = await loadTransport(undefined, () => loadUws(findReleases({})))
  t.equal(transport.name, 'node:http')
  t.match(
    reason,
    /^uWebSockets\.js does not load: 20\.69 has no binary for Node v\d+\.\d+\.\d+ on \w+-\w+; 20\.51 has no binary/,
  )
  await t.rejects(
    loadTransport('uws', () => loadUws(findReleases({}))),
    { message: /^TRANSPORT must be node here: uWebSockets\.js does not load: 20\.69 has no binary/ },
  )
})

t.test(
  '[SOCKET11] the newest release of the library that loads is used, and the log says why no newer one',
  async (t) => {
    const [newest, older] = [{ _cfg: () => undefined }, { _cfg: () => undefined }]
    const both = loadUws(findReleases({ 'uWebSockets.js': newest, 'uWebSockets.js-20.51': older }))
    t.equal(both.uws, newest)
    t.equal(both.reason, '20.69 has a binary for this platform')

    const one = loadUws(findReleases({ 'uWebSockets.js': NEEDS_GLIBC, 'uWebSockets.js-20.51': older }))
    t.equal(one.uws, older)
    t.equal(one.reason, '20.51 has a binary for this platform; 20.69 needs glibc 2.38')

    const { reason } = await loadTransport(undefined, () =>
      loadUws(findReleases({ 'uWebSockets.js': NEEDS_GLIBC })),
    )
    t.match(reason, /: 20\.69 needs glibc 2\.38; 20\.51 has no binary for Node v/)
  },
)

/** The message of a machine with an older C library. */
const NEEDS_GLIBC = new Error(
  "supports only Node.js versions 22, 24 and 26.\n\nError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found",
)

/** A loader of packages that has these. */
function findReleases(packages: Readonly<Record<string, object>>): (name: string) => unknown {
  return (name) => {
    const found = packages[name] ?? new Error(`Cannot find module '${name}'`)
    if (found instanceof Error) throw found
    return found
  }
}
