/** The contract of transports: bodies of requests and of answers. */

import { createHash } from 'node:crypto'
import t from 'tap'
import type { HttpResponse } from '../../server/wire/transport/transport.ts'
import { pollUntil } from '../services/poll-until.ts'
import { answer, head, readAll, startTransport } from './start-transport.ts'
import { bodyOf, hashOf, makeBytes, MIB, rulesOf, sendByEnd } from './transport-rule.ts'

const rule = rulesOf(t)

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
        res?.cork(() => {
          for (let count = 0; count < 64 && !isWaiting; count++) {
            isWaiting = !res?.write(piece)
            pieces++
          }
        })
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
