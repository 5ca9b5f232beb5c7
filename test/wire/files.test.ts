/** Bodies with files: large ones only for users who may upload, and only a few at once. */

import type { Socket } from 'node:net'
import t from 'tap'
import { Client } from '../harness/client/client.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { nodeCount } from '../harness/servers/two-servers.ts'
import { drawImage, upload } from '../harness/client/upload.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection, sendRaw } from './send-raw.ts'

const CRLF = '\r\n'
const MIB = 1024 * 1024
const PATH = '/users/me/avatar'
const TYPE = 'multipart/form-data; boundary=xyz'

const server = await startTestServer(t)
const member = server.as('member')
const { port } = server.node
const red = await drawImage('red')

/** An image of that many bytes: bytes after its end are ignored. */
function pad(bytes: number): Buffer {
  return Buffer.concat([red, Buffer.alloc(bytes - red.length)])
}

function part(header: string, content: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--xyz${CRLF}${header}${CRLF}${CRLF}`),
    Buffer.from(content),
    Buffer.from(CRLF),
  ])
}

const END = Buffer.from(`--xyz--${CRLF}`)
const FILE = 'Content-Disposition: form-data; name="whatever"; filename="a.png"'

function head(client: Client, headers: Record<string, string | number>, path = PATH): string {
  const all = { Host: 'x', Authorization: client.authorization, 'Content-Type': TYPE, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`POST /api/v1${path} HTTP/1.1`, ...lines, '', ''].join(CRLF)
}

function post(parts: readonly Buffer[]) {
  const body = Buffer.concat([...parts, END])
  return sendRaw(port, [head(member, { 'Content-Length': body.length }), body])
}

/** Whether each node refuses a large body of a client; each answers in its turn. */
async function isRefusedEverywhere(client: Client, large: Buffer): Promise<boolean> {
  let refused = 0
  for (let node = 0; node < nodeCount(); node++)
    if ((await upload(client, PATH, [large])).status === 503) refused++
  return refused === nodeCount()
}

t.test('[IMAGE7] without credentials, or without a file parameter, a body has the small limit', async (t) => {
  const stranger = new Client(member.url, 0, member.email, 'x'.repeat(32))
  const large = pad(3 * MIB)
  for (const [client, path, status] of [
    [server.anyone, PATH, 401],
    [stranger, PATH, 401],
    [member, '/users/me/presence', 413],
    [member, '/nowhere', 404],
    [member, PATH, 200],
  ] as const) {
    t.equal((await upload(client, path, [large])).status, status, path)
  }
  // A body that is not multipart has no file.
  const form = await sendRaw(port, [
    head(member, { 'Content-Length': large.length, 'Content-Type': 'application/x-www-form-urlencoded' }),
    large,
  ])
  t.equal(form.status, 413)
  t.match(await upload(server.anyone, PATH, [red]), { status: 401 })
})

t.test(
  '[IMAGE8] the first file part is the file, whatever its name, beside fields and empty parts',
  async (t) => {
    const field = part('Content-Disposition: form-data; name="note"', 'hello')
    const empty = part('Content-Disposition: form-data; name="other"; filename=""', '')
    const unnamed = part(
      'Content-Disposition: form-data; name="x"\r\nContent-Type: application/octet-stream',
      red,
    )
    for (const parts of [
      [part(FILE, red)],
      [field, part(FILE, red), field],
      [empty, part(FILE, red), empty],
      [part('Content-Disposition: form-data; name="/home/me/a.png"; filename="../../a"', red)],
      [unnamed],
    ]) {
      const { status, body } = await post(parts)
      t.equal(status, 200, body)
    }
    const { status, body } = await post([field, empty])
    t.equal(status, 400)
    t.match(JSON.parse(body), { msg: 'You must upload exactly one avatar.' })
  },
)

t.test('[IMAGE9] an incomplete or too large body is refused with an error', async (t) => {
  const whole = Buffer.concat([part(FILE, red), END])
  const cut = whole.subarray(0, whole.length / 2)
  const { status, body } = await sendRaw(port, [head(member, { 'Content-Length': cut.length }), cut])
  t.equal(status, 400)
  t.match(JSON.parse(body), { msg: 'Malformed request body' })

  const endless = await sendRaw(port, [head(member, { 'Content-Length': 40 * MIB }), whole])
  t.equal(endless.status, 400)
  t.equal(endless.headers.get('connection'), 'close')
  t.match(JSON.parse(endless.body), { msg: 'Uploaded file is larger than the allowed limit of 5 MiB' })

  const chunks = [part(FILE, pad(6 * MIB)), END].flatMap((one) => [
    Buffer.from(one.length.toString(16) + CRLF),
    one,
    Buffer.from(CRLF),
  ])
  const chunked = await sendRaw(port, [
    head(member, { 'Transfer-Encoding': 'chunked' }),
    ...chunks,
    `0${CRLF}${CRLF}`,
  ])
  t.equal(chunked.status, 400)
  t.match(JSON.parse(chunked.body), { msg: 'Uploaded file is larger than the allowed limit of 5 MiB' })
})

t.test(
  '[IMAGE10] large concurrent bodies are limited per user; beyond that only small ones are accepted',
  async (t) => {
    const sockets: Socket[] = []
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
    })
    const large = pad(3 * MIB)
    const hold = async () => {
      const socket = await openConnection(port)
      sockets.push(socket)
      socket.write(head(member, { 'Content-Length': 4 * MIB }))
      socket.write(part(FILE, large)) // A body with few bytes would count as slow after some seconds.
    }
    await Promise.all(Array.from({ length: 16 * nodeCount() }, hold))
    // Some may arrive only after a complete one under way.
    await pollUntil('every place is taken', async () => {
      if (await isRefusedEverywhere(member, large)) return true
      for (let node = 0; node < nodeCount(); node++) await hold()
      return false
    })
    t.ok(await isRefusedEverywhere(member, large))
    t.match(await upload(member, PATH, [large]), { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    t.match(await upload(member, PATH, [red]), { status: 200 }, 'a small one')
    for (const socket of sockets) socket.destroy()
    await pollUntil('a place is free', async () => (await upload(member, PATH, [large])).status === 200)
    t.match(await upload(member, PATH, [large]), { status: 200 }, 'ended bodies free their places')
  },
)

t.test('[PLACE4] a fifth user gets a place for a large body after four users took all', async (t) => {
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const large = pad(3 * MIB)
  /** Refused ones; on a busy machine also those that were cut for being silent. */
  const ended = new Set<Socket>()
  const hold = async (person: Client) => {
    const socket = await openConnection(port)
    sockets.push(socket)
    socket.on('data', (answer) => {
      if (String(answer).startsWith('HTTP/1.1 503')) ended.add(socket)
    })
    socket.on('close', () => ended.add(socket))
    socket.write(head(person, { 'Content-Length': 4 * MIB }))
    socket.write(part(FILE, large))
  }
  const holders = (['owner', 'administrator', 'moderator', 'member'] as const).map((one) => server.as(one))
  for (const person of holders) {
    for (let count = 0; count < 4 * nodeCount(); count++) await hold(person)
    await pollUntil('they hold all places', async () => {
      if (await isRefusedEverywhere(person, large)) return true
      // One arrived only after a complete one under way.
      for (let node = 0; node < nodeCount(); node++) await hold(person)
      return false
    })
  }
  // Each node has places of its own.
  for (let node = 0; node < nodeCount(); node++) {
    const before = ended.size
    t.match(await upload(server.as('guest'), PATH, [large]), { status: 200 })
    await pollUntil('one of the holders is refused', () => ended.size > before)
  }
})
