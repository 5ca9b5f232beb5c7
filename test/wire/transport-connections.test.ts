/** The contract of transports: connections, and their ends. */

import t from 'tap'
import { pollUntil } from '../services/poll-until.ts'
import { answer, type Client, connect, head, startTransport } from './start-transport.ts'
import { bodyOf, makeBytes, MIB, rulesOf, sendByEnd } from './transport-rule.ts'

const rule = rulesOf(t)

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
    await t.rejects(transport.createApp(() => undefined).listen('127.0.0.1', server.port), {
      message: /^the port is taken/,
    })
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
