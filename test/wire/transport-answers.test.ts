/** The contract of transports: answers that their clients do not read, requests behind them, and last answers. */

import t from 'tap'
import type { HttpResponse } from '../../server/wire/transport/transport.ts'
import { pollUntil } from '../services/poll-until.ts'
import { answer, head, startTransport, TRANSPORTS } from './start-transport.ts'
import { bodyOf, hashOf, makeBytes, MIB, rulesOf } from './transport-rule.ts'

const rule = rulesOf(t)
/** More than the system takes for a connection whose client reads nothing. */
const PIPELINED = 100

function whole(res: HttpResponse, body: string | Uint8Array, onWaiting = (_bytes: number) => () => {}): void {
  res.cork(() => {
    res.writeStatus('200 OK')
    res.endWhole(body, onWaiting)
  })
}

rule('[TRANSPORT19] an answer arrives whole, however slowly its client reads', async (t, transport) => {
  const bytes = makeBytes(24 * MIB)
  const taken: string[] = []
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res, req) => {
      const path = req.getUrl()
      const body = path === '/text' ? 'é'.repeat(12 * MIB) : path === '/short' ? 'short' : bytes
      whole(res, body, (count) => {
        taken.push(`${path} waits ${count > 0}`)
        return () => void taken.push(`${path} is taken`)
      })
    }),
  )
  for (const path of ['/bytes', '/text']) {
    const client = await server.connect()
    client.socket.pause()
    client.socket.write(head('GET', path))
    await pollUntil('it waits', () => taken.includes(`${path} waits true`))
    client.socket.resume()
    await pollUntil('it is taken', () => taken.includes(`${path} is taken`))
    await client.until(/content-length: 25165824\r\n/i)
    await pollUntil(
      'all bytes',
      () => bodyOf(client.text()).length === 24 * MIB,
      () => client.text().length,
    )
    const expected = path === '/text' ? Buffer.from('é'.repeat(12 * MIB)) : bytes
    t.equal(hashOf(Buffer.from(bodyOf(client.text()), 'latin1')), hashOf(expected))
    client.socket.write(head('GET', '/short'))
    t.equal(bodyOf(await client.until(/short$/)), 'short', 'the connection goes on')
  }
  t.equal(taken.length, 4, 'a short answer does not wait')
})

rule(
  '[TRANSPORT20] the requests behind an answer that waits are not served, and one answer waits at most',
  async (t, transport) => {
    const body = makeBytes(MIB)
    let served = 0
    let waits = 0
    let taken = 0
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        if (req.getUrl() === '/other') {
          answer(res, 'other')
          return
        }
        served++
        whole(res, body, () => {
          waits++
          return () => void taken++
        })
      }),
    )
    const client = await server.connect()
    client.socket.pause()
    client.socket.write(head('GET', '/big').repeat(PIPELINED))
    await pollUntil('one waits', () => waits > 0)
    const other = await server.connect()
    other.socket.write(head('GET', '/other'))
    await other.until(/other$/)
    t.ok(served < PIPELINED / 2, `${served} of ${PIPELINED} are served`)
    t.ok(waits - taken <= 1, `${waits} wait, ${taken} are taken`)
    client.socket.destroy()
    await pollUntil('nothing waits', () => waits === taken)
  },
)

rule('[TRANSPORT21] an answer that may not wait ends its connection', async (t, transport) => {
  let isAsked = false
  const server = await startTransport(t, transport, (app) =>
    app.any('/*', (res) => {
      res.onAborted(() => undefined)
      res.cork(() =>
        res.endWhole(makeBytes(24 * MIB), () => {
          isAsked = true
          return undefined
        }),
      )
    }),
  )
  const client = await server.connect()
  client.socket.pause()
  client.socket.write(head('GET', '/'))
  await pollUntil('it is asked', () => isAsked)
  client.socket.resume()
  await client.closed()
  t.ok(client.text().length < 24 * MIB)
})

rule(
  '[TRANSPORT22] after a last answer the rest of the body is dropped, and then the connection ends',
  async (t, transport) => {
    let served = 0
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        served++
        const refuse = (isUnread: boolean) =>
          res.cork(() => {
            res.writeStatus('413 Payload Too Large')
            res.endLast('too large', 'drop', isUnread)
          })
        if (req.getUrl() === '/head') return refuse(true)
        res.onAborted(() => undefined)
        let isRefused = false
        res.onData((chunk, isLast) => {
          if (isRefused) return res.onRest?.(chunk.byteLength, isLast)
          isRefused = true
          setImmediate(() => refuse(false))
        })
      }),
    )
    for (const path of ['/head', '/read']) {
      const client = await server.connect()
      client.socket.write(head('POST', path, `Content-Length: ${20 * MIB}`))
      client.socket.write(Buffer.alloc(MIB))
      await client.until(/too large\s*$/)
      t.match(client.text(), /^HTTP\/1\.1 413 [^]*connection: close\r\n/i)
      // Each write resolves when it is sent: a closed connection would refuse some.
      for (let sent = 1; sent < 20; sent++)
        await new Promise<void>((resolve, reject) =>
          client.socket.write(Buffer.alloc(MIB), (error) => (error ? reject(error) : resolve())),
        )
      client.socket.write(head('GET', '/behind'))
      await client.closed()
      t.equal(client.text().match(/HTTP/g)?.length, 1)

      const long = await server.connect()
      long.socket.write(head('POST', path, `Content-Length: ${1024 * MIB}`))
      long.socket.write(Buffer.alloc(MIB))
      await long.until(/too large\s*$/)
      const more = () => long.socket.writable && long.socket.write(Buffer.alloc(MIB), more)
      more()
      await long.closed()
      t.ok(long.socket.bytesWritten < 1024 * MIB, 'not all of a long body is read')
    }
    t.equal(served, 4)
  },
)

rule(
  '[TRANSPORT23] a cut connection ends with its answer, and serves nothing that came with it',
  async (t, transport) => {
    const paths: string[] = []
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        paths.push(req.getUrl())
        res.cork(() => {
          res.writeStatus('400 Bad Request')
          res.endLast(req.getCaseSensitiveMethod() === 'HEAD' ? undefined : 'ambiguous', 'cut', true)
        })
      }),
    )
    const client = await server.connect()
    client.socket.write(`${head('POST', '/first', 'Content-Length: 0')}${head('GET', '/second')}`)
    await client.closed()
    t.match(client.text(), /^HTTP\/1\.1 400 [^]*connection: close\r\n[^]*ambiguous\s*$/i)
    const asked = await server.connect()
    asked.socket.write(head('HEAD', '/first'))
    await asked.closed()
    t.match(asked.text(), /^HTTP\/1\.1 400 [^]*connection: close\r\n(?:[^]*\r\n)?\r\n$/i)
    const hidden = await server.connect()
    hidden.socket.write(`${head('HEAD', '/first')}${head('GET', '/second')}`)
    await hidden.closed()
    t.same(paths, ['/first', '/first', '/first'])
  },
)

rule(
  '[TRANSPORT24] requests that wait for the answers before them are answered in order, or not begun',
  async (t, transport, name) => {
    const paths: string[] = []
    let gone = 0
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        const path = req.getUrl()
        let isGone = false
        paths.push(path)
        res.onAborted(() => {
          isGone = true
          gone++
        })
        res.onData((_chunk, isLast) => {
          if (isLast) setTimeout(() => isGone || whole(res, `${path};`), path === '/0' ? 30 : 0)
        })
      }),
    )
    const expected = Array.from({ length: 50 }, (_, index) => `/${index}`)
    const client = await server.connect()
    client.socket.write(expected.map((path) => `${head('POST', path, 'Content-Length: 2')}ab`).join(''))
    if (name === 'uws') {
      await client.closed()
      t.same([paths, gone, client.text()], [['/0'], 1, ''], 'the library takes one at a time')
      return
    }
    await client.until(/\/49;/)
    t.same(
      [...client.text().matchAll(/(\/\d+);/g)].map(([, path]) => path),
      expected,
    )
    client.socket.write(`${head('GET', '/good')}not HTTP\r\n\r\n`)
    await client.closed()
    t.match(client.text(), /\/good;HTTP\/1\.1 400 [^]*refused: malformed$/, 'the good one is answered first')
  },
)

t.test(
  '[TRANSPORT25] on node:http, HTTP/1.0 is answered, and its connection ends unless it is to be kept',
  async (t) => {
    const [, transport] = TRANSPORTS.find(([name]) => name === 'node') ?? []
    if (!transport) throw new Error('there is no node:http')
    const server = await startTransport(t, transport, (app) =>
      app.any('/*', (res, req) => {
        if (req.getUrl() === '/pieces') {
          res.write('one ')
          res.end('two')
        } else whole(res, `${req.getUrl()};`)
      }),
    )
    const ask = async (bytes: string) => {
      const client = await server.connect()
      client.socket.write(bytes)
      await client.closed()
      return client.text()
    }
    t.match(await ask('OPTIONS / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 [^]*connection: close\r\n[^]*\/;$/i)
    t.match(await ask('GET /a HTTP/1.0\r\nHost: x\r\nConnection: close\r\n\r\n'), /\/a;$/)
    t.match(await ask('POST /a HTTP/1.0\r\nContent-Length: 2\r\n\r\nab'), /\/a;$/)
    t.match(await ask('GET /pieces HTTP/1.0\r\n\r\n'), /\r\n\r\none two$/, 'without chunks')
    t.match(
      await ask('POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
      /refused: ambiguous$/,
    )
    const kept = await server.connect()
    kept.socket.write('GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
    await kept.until(/\/a;$/)
    kept.socket.write('GET /b HTTP/1.0\r\n\r\n')
    await kept.until(/\/b;$/)
  },
)
