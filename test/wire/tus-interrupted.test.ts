/** Resumable uploads that are interrupted, requested twice, and continued at another process. */

import { once } from 'node:events'
import type { Socket } from 'node:net'
import t from 'tap'
import { DiskFileStore } from '../../server/files/disk-file-store.ts'
import { createFileKey } from '../../server/files/file-key.ts'
import { SyncedSizes } from '../../server/wire/tus/synced-sizes.ts'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { beginUpload, makeFolder, tus } from '../harness/client/tus.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection, sendRaw } from './send-raw.ts'

const MIB = 1024 * 1024
/** Bytes that every store writes at once, while the request is still under way: a part of an object store has so many. */
const PART_BYTES = 5 * MIB
const folder = await makeFolder(t)
const server = await startTestServer(t, { env: { DATA_DIR: folder } })
const other = await server.startAnotherNode()
const { fileStore } = server.node.services
const [member, memberThere] = [server.as('member'), other.as('member')]

/** Bytes that differ from their neighbours. */
const makeBytes = (length: number, seed = 1) =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) * 7 + seed) % 251))
const keyOf = (place: string) => place.split('/').at(-1)?.replace('.', '/') as string
const readFile = (place: string) => fileStore.readAll(keyOf(place), 64 * MIB)
const offsetOf = async (place: string, client = member) =>
  Number((await tus(client, 'HEAD', place)).headers.get('upload-offset'))

/** Begins a PATCH of this many bytes and sends some of them. */
async function sendPart(
  place: string,
  bytes: Buffer,
  length: number,
  port = server.node.port,
): Promise<Socket> {
  const socket = await openConnection(port)
  socket.on('error', () => undefined)
  socket.write(
    `PATCH ${place} HTTP/1.1\r\nHost: a\r\nAuthorization: ${member.authorization}\r\nTus-Resumable: 1.0.0\r\n` +
      `Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nContent-Length: ${length}\r\n\r\n`,
  )
  if (!socket.write(bytes)) await once(socket, 'drain')
  return socket
}

/** Waits until this much of an upload is in its file. */
const whenWritten = (place: string, size: number) =>
  pollUntil(`${size} bytes are written`, async () => (await fileStore.size(keyOf(place))) === size)

t.test('[TUS20] bytes of an interrupted request are kept, and the upload continues after them', async (t) => {
  const bytes = makeBytes(PART_BYTES + MIB)
  const place = await beginUpload(member, bytes.length)
  const socket = await sendPart(place, bytes.subarray(0, PART_BYTES), bytes.length)
  await whenWritten(place, PART_BYTES)
  socket.destroy()
  t.equal(await offsetOf(place), PART_BYTES)
  const last = await tus(member, 'PATCH', place, { 'upload-offset': PART_BYTES }, bytes.subarray(PART_BYTES))
  t.equal(last.status, 200)
  t.ok(bytes.equals(await readFile(place)), 'every byte is right')
})

t.test('[TUS21] asking for the offset ends a request that a lost connection left behind', async (t) => {
  const bytes = makeBytes(PART_BYTES + MIB)
  const place = await beginUpload(member, bytes.length)
  // Both at one process: another one waits, as TUS23 says.
  const socket = await sendPart(place, bytes.subarray(0, PART_BYTES), bytes.length, other.node.port)
  await whenWritten(place, PART_BYTES)
  t.equal(await offsetOf(place, memberThere), PART_BYTES)
  const answer = sendRaw(socket, bytes.subarray(PART_BYTES))
  t.match(await answer, { status: 204 })
  t.equal((await answer).headers.get('upload-offset'), String(PART_BYTES), 'the reply has the offset')
  socket.destroy()
  const last = await tus(member, 'PATCH', place, { 'upload-offset': PART_BYTES }, bytes.subarray(PART_BYTES))
  t.equal(last.status, 200)
  t.ok(bytes.equals(await readFile(place)))
})

t.test('[TUS29] requests of other users do not affect an upload', async (t) => {
  const stranger = server.as('member2')
  const bytes = makeBytes(PART_BYTES + MIB)
  const place = await beginUpload(member, bytes.length)
  const socket = await sendPart(place, bytes.subarray(0, PART_BYTES), bytes.length)
  await whenWritten(place, PART_BYTES)
  for (const [method, headers] of [
    ['HEAD', {}],
    ['PATCH', { 'upload-offset': PART_BYTES }],
    ['DELETE', {}],
  ] as const) {
    t.equal(
      (await tus(stranger, method, place, headers, method === 'PATCH' ? bytes : undefined)).status,
      404,
      method,
    )
  }
  const answer = await sendRaw(socket, bytes.subarray(PART_BYTES))
  t.equal(answer.status, 200, 'its own request was not ended')
  t.ok(bytes.equals(await readFile(place)))
})

t.test('[TUS22] of concurrent requests for the same offset, at any process, one succeeds', async (t) => {
  const contents = Array.from({ length: 6 }, (_, index) => makeBytes(256 * 1024, index + 1))
  const place = await beginUpload(member, 512 * 1024)
  const replies = await Promise.all(
    contents.map((bytes, index) =>
      tus(index % 2 ? member : memberThere, 'PATCH', place, { 'upload-offset': 0 }, bytes),
    ),
  )
  for (const { status } of replies) t.ok([204, 409].includes(status), `${status}`)
  const offsets = replies.map(({ headers }) => Number(headers.get('upload-offset') ?? 0))
  const offset = await offsetOf(place)
  t.equal(offset, Math.max(...offsets))
  t.ok(offset > 0)
  const rest = Buffer.alloc(512 * 1024 - offset)
  t.equal((await tus(member, 'PATCH', place, { 'upload-offset': offset }, rest)).status, 200)
  const written = Buffer.from(await readFile(place)).subarray(0, offset)
  const writers = contents.filter((bytes) => bytes.subarray(0, offset).equals(written))
  t.equal(writers.length, 1, 'the bytes are those of one request')
})

t.test(
  '[TUS23] another process waits for the first to release the upload, and reads the new offset',
  async (t) => {
    const bytes = makeBytes(PART_BYTES + MIB)
    const place = await beginUpload(member, bytes.length)
    const socket = await sendPart(place, bytes.subarray(0, PART_BYTES), bytes.length)
    await whenWritten(place, PART_BYTES)
    // One checks if the upload is free, sixteen wait for it, and one more is refused.
    const asked = Array.from({ length: 18 }, () => tus(memberThere, 'HEAD', place))
    t.equal((await Promise.race(asked)).status, 423)
    socket.destroy()
    const replies = await Promise.all(asked)
    t.equal(replies.filter(({ status }) => status === 200).length, 17)
    for (const { status, headers } of replies)
      if (status === 200) t.equal(headers.get('upload-offset'), String(PART_BYTES))
    const last = await tus(
      memberThere,
      'PATCH',
      place,
      { 'upload-offset': PART_BYTES },
      bytes.subarray(PART_BYTES),
    )
    t.equal(last.status, 200)
    t.ok(bytes.equals(await readFile(place)))
  },
)

t.test('[TUS24] a client that missed the last reply repeats the last request and gets it', async (t) => {
  const bytes = makeBytes(100_000)
  const place = await beginUpload(member, bytes.length)
  const socket = await sendPart(place, bytes, bytes.length)
  socket.destroy()
  await pollUntil('the upload is whole', async () => {
    const { attachments } = await member.must('GET', '/attachments')
    return attachments.some(({ size }: { size: number }) => size === bytes.length)
  })
  t.equal(await offsetOf(place), bytes.length - 1)
  t.equal(await offsetOf(place, memberThere), bytes.length - 1)
  const last = await tus(
    memberThere,
    'PATCH',
    place,
    { 'upload-offset': bytes.length - 1 },
    bytes.subarray(-1),
  )
  t.equal(last.status, 200)
  t.equal(last.headers.get('upload-offset'), String(bytes.length))
  t.match(last.body.url, keyOf(place))
  t.equal(await offsetOf(place), bytes.length)
  const { attachments } = await member.must('GET', '/attachments')
  t.equal(attachments.filter(({ size }: { size: number }) => size === bytes.length).length, 1)
})

t.test('[TUS25] an upload whose process died before its end is completed by the next request', async (t) => {
  const bytes = makeBytes(1000)
  const place = await beginUpload(member, bytes.length)
  // The state after a process has written everything and dies.
  await fileStore.append(
    keyOf(place),
    0,
    (async function* () {
      yield bytes
    })(),
    bytes.length,
  )
  t.equal(await offsetOf(place), 999)
  t.equal((await tus(member, 'PATCH', place, { 'upload-offset': 999 })).headers.get('upload-offset'), '999')
  t.equal((await tus(member, 'PATCH', place, { 'upload-offset': 999 }, bytes.subarray(0, 2))).status, 413)
  t.equal((await tus(member, 'PATCH', place, { 'upload-offset': 999 }, bytes.subarray(-1))).status, 200)
  t.ok(bytes.equals(await readFile(place)))
})

t.test('[TUS26] a body of unknown length is accepted up to the length of the upload', async (t) => {
  const place = await beginUpload(member, 6)
  const head =
    `PATCH ${place} HTTP/1.1\r\nHost: a\r\nAuthorization: ${member.authorization}\r\nTus-Resumable: 1.0.0\r\n` +
    'Content-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked\r\n'
  const part = await sendRaw(server.node.port, `${head}Upload-Offset: 0\r\n\r\n3\r\nabc\r\n0\r\n\r\n`)
  t.equal(part.status, 204)
  t.equal(part.headers.get('upload-offset'), '3')
  const more = await sendRaw(server.node.port, `${head}Upload-Offset: 3\r\n\r\n4\r\ndefg\r\n0\r\n\r\n`)
  t.equal(more.status, 413)
  t.equal(await offsetOf(place), 3)
})

t.test('[TUS27] a size that another process wrote is synced to disk before it is reported', async (t) => {
  const store = new DiskFileStore(await makeFolder(t))
  const key = createFileKey()
  const bytes = makeBytes(10)
  await store.create(key)
  await store.append(
    key,
    0,
    (async function* () {
      yield bytes
    })(),
    10,
  )
  let synced = 0
  const watched = new Proxy(store, {
    get(target, name) {
      if (name === 'append') synced++
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const sizes = new SyncedSizes(watched)
  t.equal(await sizes.read(key), 10)
  t.equal(synced, 1)
  t.equal(await sizes.read(key), 10)
  t.equal(synced, 1, 'once')
  sizes.note(key, 8)
  t.equal(await sizes.read(key), 10)
  t.equal(synced, 2, 'again after it has grown')
  t.equal(await sizes.read(createFileKey()), undefined)
})

t.test('[TUS28] a stopping server stores the received bytes and returns their offset', async (t) => {
  const bytes = makeBytes(PART_BYTES + MIB)
  const stopping = await startWebProcess(t, { ...server.envElsewhere, LOG_LEVEL: 'info' })
  const place = await beginUpload(member, bytes.length)
  const socket = await sendPart(
    place,
    bytes.subarray(0, PART_BYTES),
    bytes.length,
    Number(new URL(stopping.url).port),
  )
  await whenWritten(place, PART_BYTES)
  const answer = sendRaw(socket, '')
  await stopping.stop()
  t.match(await answer, { status: 204 })
  t.equal((await answer).headers.get('upload-offset'), String(PART_BYTES))
  t.equal(await offsetOf(place), PART_BYTES)
})
