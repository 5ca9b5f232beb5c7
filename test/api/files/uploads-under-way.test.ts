/** Uploads in progress: slow, interrupted, malformed, and many at once. */

import { once } from 'node:events'
import type { Socket } from 'node:net'
import t from 'tap'
import { OPERATIONS } from '../../../server/api/table.ts'
import type { Client } from '../../harness/client/client.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { countStoredBytes, listFiles } from '../../harness/files/stored-files.ts'
import { nodeCount } from '../../harness/servers/two-servers.ts'
import { getFile, mustPostFile, postFile } from '../../harness/client/user-files.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { openConnection, sendRaw } from '../../wire/send-raw.ts'
import { startEcho } from '../../wire/start-echo.ts'

const CRLF = '\r\n'
const MIB = 1024 * 1024
const server = await startTestServer(t, { env: { MAX_FILE_UPLOAD_SIZE: '40' } })
const { sql } = server.node.services
const { port } = server.node
const member = server.as('member')
const owner = server.as('owner')

const PART = `--xyz${CRLF}Content-Disposition: form-data; name="f"; filename="a.txt"${CRLF}${CRLF}`
const END = `${CRLF}--xyz--${CRLF}`

function head(client: Client, headers: Record<string, string | number>): string {
  const all = {
    Host: 'x',
    Authorization: client.authorization,
    'Content-Type': 'multipart/form-data; boundary=xyz',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return ['POST /api/v1/user_uploads HTTP/1.1', ...lines, '', ''].join(CRLF)
}

const countRows = async () => (await sql`select id from uploads`).length
const isEmpty = async () => (await countRows()) === 0 && (await listFiles(server)).length === 0

/** Begins an upload that does not continue. */
async function hold(client: Client, sockets: Socket[], bytes = 1000): Promise<Socket> {
  const socket = await openConnection(port)
  sockets.push(socket)
  socket.write(head(client, { 'Content-Length': bytes + MIB }) + PART + 'x'.repeat(bytes))
  return socket
}

t.test('[UPLOAD40] an interrupted upload leaves nothing behind', async (t) => {
  const sockets: Socket[] = []
  const socket = await hold(member, sockets, 6 * MIB)
  await pollUntil('the file has begun', async () => (await listFiles(server)).length === 1)
  t.equal((await member.must('GET', '/attachments')).attachments.length, 0, 'not visible yet')
  socket.destroy()
  await pollUntil('nothing is left', isEmpty)
  await pollUntil(
    'nor is anything to be deleted',
    async () => (await sql`select key from removed_files`).length === 0,
  )
})

t.test('[UPLOAD41] an upload in pieces of any size is complete', async (t) => {
  const body = `${PART}hello${END}`
  const socket = await openConnection(port)
  t.teardown(() => socket.destroy())
  const answer = sendRaw(socket, head(member, { 'Content-Length': body.length }))
  for (const sign of body) {
    socket.write(sign)
    await new Promise((resolve) => void setImmediate(resolve))
  }
  const { status, body: text } = await answer
  t.equal(status, 200, text)
  t.equal((await getFile(member, JSON.parse(text).url)).bytes.toString(), 'hello')
  const again = await sendRaw(socket, [head(member, { 'Content-Length': body.length }), body])
  t.equal(again.status, 200, 'the connection stays usable')
  const chunks = [
    `${(PART.length + 5).toString(16)}${CRLF}${PART}hello${CRLF}`,
    `${END.length.toString(16)}${CRLF}${END}${CRLF}`,
  ]
  const chunked = await sendRaw(socket, [
    head(member, { 'Transfer-Encoding': 'chunked' }),
    ...chunks,
    `0${CRLF}${CRLF}`,
  ])
  t.equal(chunked.status, 200, 'its length need not be known')
})

t.test('[UPLOAD42] a malformed body is refused with an error and leaves nothing behind', async (t) => {
  const before = await countRows()
  const files = await listFiles(server)
  for (const [body, type] of [
    [`${PART}cut short`, undefined],
    [`--xyz${CRLF}Content-Disp`, undefined],
    ['no part at all', undefined],
    [`${PART}x${END}`, 'multipart/form-data'],
  ] as const) {
    const headers = { 'Content-Length': body.length, ...(type ? { 'Content-Type': type } : {}) }
    const { status, body: text } = await sendRaw(port, [head(member, headers), body])
    t.equal(status, 400, text)
    t.match(JSON.parse(text), { code: 'BAD_REQUEST', msg: /Malformed request body|You must specify a file/ })
  }
  const fields = Array.from(
    { length: 1_100 },
    (_, index) => `--xyz${CRLF}Content-Disposition: form-data; name="f${index}"${CRLF}${CRLF}x${CRLF}`,
  ).join('')
  const many = `${PART}x${CRLF}${fields}--xyz--${CRLF}`
  const { status, body } = await sendRaw(port, [head(member, { 'Content-Length': many.length }), many])
  t.equal(status, 400)
  t.match(JSON.parse(body), { msg: /Too many parameters/ })
  const wide =
    `--xyz${CRLF}Content-Disposition: form-data; name="f"${CRLF}${CRLF}${'x'.repeat(60_000)}${CRLF}`.repeat(
      2,
    ) +
    PART +
    END
  t.equal((await sendRaw(port, [head(member, { 'Content-Length': wide.length }), wide])).status, 413)
  t.equal(await countRows(), before)
  t.same(await listFiles(server), files)
})

t.test('[UPLOAD43] a body that declares too large a size is refused and not stored', async (t) => {
  const before = await countRows()
  const { status, body } = await sendRaw(port, [
    head(member, { 'Content-Length': 100 * MIB }),
    PART,
    ...Array.from({ length: 36 }, () => Buffer.alloc(MIB)),
  ])
  t.equal(status, 400)
  t.match(JSON.parse(body), {
    msg: "File is larger than this server's configured maximum upload size (40 MiB).",
  })
  t.equal(await countRows(), before)
})

t.test('[UPLOAD44] concurrent uploads are limited per user and do not delay others', async (t) => {
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const before = await countRows()
  const held = 8 * nodeCount()
  for (let count = 0; count < held; count++) await hold(member, sockets)
  await pollUntil('all have begun', async () => (await countRows()) === before + held)
  for (let node = 0; node < nodeCount(); node++)
    t.match(await postFile(member, 'x'), { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  t.equal((await postFile(owner, 'x')).status, 200)
  for (const socket of sockets) socket.destroy()
  await pollUntil('a place is free', async () => (await postFile(member, 'x')).status === 200)
})

t.test(
  '[UPLOAD45] a reader who pauses gets every byte once, delays nobody, and may disconnect',
  async (t) => {
    // No two positions are alike, so that misplaced bytes are detected.
    const content = Buffer.from(Uint32Array.from({ length: (30 * MIB) / 4 }, (_, index) => index).buffer)
    const path = encodeURI(await mustPostFile(member, content, 'large.bin'))
    const get = async () => {
      const socket = await openConnection(port)
      socket.write(
        `GET ${path} HTTP/1.1${CRLF}Host: x${CRLF}Authorization: ${member.authorization}${CRLF}${CRLF}`,
      )
      const [first] = (await once(socket, 'data')) as [Buffer]
      return { socket, first }
    }
    const { socket, first } = await get()
    socket.pause() // The buffers of the system hold less than the file.
    t.ok(
      (await getFile(member, path, { headers: { range: 'bytes=8-15' } })).bytes.equals(
        content.subarray(8, 16),
      ),
    )
    const chunks = [first.subarray(first.indexOf(CRLF + CRLF) + 4)]
    let length = chunks[0]?.length ?? 0
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > 4 * MIB) return
      socket.pause() // The server fills the rest of its buffer and keeps a part of a chunk.
      setTimeout(() => socket.resume(), 1)
    })
    socket.resume()
    await pollUntil('everything arrived', () => length >= content.length)
    socket.destroy()
    t.ok(Buffer.concat(chunks).equals(content))
    const gone = await get()
    gone.socket.destroy()
    t.ok((await getFile(member, path)).bytes.equals(content))
  },
)

t.test(
  '[UPLOAD46] a slow upload may take its time; a stalled one is ended and leaves nothing behind',
  async (t) => {
    const { http, port: apart, server: own, client } = await startEcho(t, { operations: OPERATIONS })
    const { sql: ownSql } = own.node.services
    const files = () => listFiles(own)
    const rows = async () => (await ownSql`select id from uploads`).length
    const socket = await openConnection(apart)
    t.teardown(() => socket.destroy())
    const answer = sendRaw(socket, [head(client, { 'Content-Length': 8 * MIB }), PART, 'x'.repeat(1000)])
    await pollUntil('it has begun', async () => (await rows()) === 1)
    const startedMs = performance.now()
    const stored = await countStoredBytes(own)
    socket.write('x'.repeat(6 * MIB))
    await pollUntil('progress', async () => (await countStoredBytes(own)) > stored + MIB)
    http.endOverdue(startedMs + 120_000)
    t.equal((await files()).length, 1, 'less time has passed since its last byte')
    http.endOverdue(performance.now() + 121_000)
    t.equal((await answer).status, 503)
    await pollUntil('nothing is left', async () => (await files()).length === 0)
    await pollUntil('nor a row', async () => (await rows()) === 0)

    const content = Buffer.alloc(30 * MIB, 'abcdefghij')
    const path = encodeURI(await mustPostFile(client, content, 'large.txt'))
    const reader = await openConnection(apart)
    t.teardown(() => reader.destroy())
    reader.write(
      `GET ${path} HTTP/1.1${CRLF}Host: x${CRLF}Authorization: ${client.authorization}${CRLF}${CRLF}`,
    )
    await new Promise((resolve) => reader.once('data', resolve))
    reader.pause()
    t.notOk(await http.drained(0), 'it is under way')
    http.endOverdue(performance.now() + 121_000)
    t.ok(await http.drained(0))
    const closed = new Promise((resolve) => void reader.once('close', resolve))
    reader.resume()
    await closed
    t.ok((await getFile(client, path)).bytes.equals(content), 'others go on')
  },
)
