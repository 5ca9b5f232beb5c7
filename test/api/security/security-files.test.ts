/** Files under attack and disk failures: no wrong reply, nothing left behind or lost. */

import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { createFileKey } from '../../../server/files/file-key.ts'
import { FilesUnavailableError } from '../../../server/files/file-store.ts'
import { receiveFiles } from '../../../server/wire/receive-files.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { breakStore } from '../../harness/files/stored-files.ts'
import { beginUpload, nameMetadata, tus } from '../../harness/client/tus.ts'
import { drawImage } from '../../harness/client/upload.ts'
import { nodeCount } from '../../harness/servers/two-servers.ts'
import { getFile, mustPostFile, postFile, thumbnailOf } from '../../harness/client/user-files.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { openConnection } from '../../wire/send-raw.ts'

const server = await startTestServer(t, {
  env: {
    LOG_LEVEL: 'silent', // Failures of the store are logged.
    MAX_FILE_UPLOAD_SIZE: '1',
  },
})
const { sql, fileStore } = server.node.services
const member = server.as('member')

const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' }
const keyOf = (url: string) => url.split('/').slice(3, 5).join('/')
const countRows = async () => {
  const [row] =
    await sql`select (select count(*) from uploads) as uploads, (select count(*) from tus_uploads) as tus,
    (select count(*) from removed_files) as removed`
  return row as { uploads: number; tus: number; removed: number }
}

t.test(
  '[LEAK28] if the store refuses reads or writes, requests get that error, and all works again afterwards',
  async (t) => {
    const url = await mustPostFile(member, 'hello')
    const at = await beginUpload(member, 2)
    const before = await countRows()
    const mendStore = await breakStore(server)
    const refused = await postFile(member, 'more')
    expectRefusal(t, refused, 'Files cannot be kept at the moment, try again later', UNAVAILABLE)
    for (const answer of [
      await tus(member, 'POST', '', { 'upload-length': 2 }),
      await tus(member, 'PATCH', at, { 'upload-offset': 0 }, Buffer.from('ab')),
      await tus(member, 'HEAD', at),
    ]) {
      t.equal(answer.status, UNAVAILABLE.status)
      t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/)
    }
    t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/)
    const unread = await getFile(member, url)
    t.equal(unread.status, UNAVAILABLE.status)
    t.match(JSON.parse(unread.bytes.toString()), { code: UNAVAILABLE.code })
    const { uploads, tus: begun } = await countRows()
    t.same({ uploads, begun }, { uploads: before.uploads, begun: before.tus }, 'failed ones do not count')
    await mendStore()
    t.equal((await getFile(member, url)).bytes.toString(), 'hello')
    t.equal((await tus(member, 'PATCH', at, { 'upload-offset': 0 }, Buffer.from('ab'))).status, 200)
    await fileStore.remove(keyOf(url))
    t.equal((await getFile(member, url)).status, 404, 'the lost file is absent')
  },
)

t.test('[LEAK29] a partial write is the fault of the disk, not of the client', async (t) => {
  const body = `--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n${'y'.repeat(200_000)}\r\n--x--\r\n`
  const full = new FilesUnavailableError('the disk is full')
  const logged: unknown[] = []
  const arrived = await receiveFiles({
    contentType: 'multipart/form-data; boundary=x',
    body: (async function* () {
      for (let start = 0; start < body.length; start += 10_000)
        yield Buffer.from(body.slice(start, start + 10_000))
    })(),
    isGone: () => false,
    fields: new Map(),
    bytesMax: 1_000_000,
    async receive(_name, chunks) {
      for await (const _chunk of chunks) throw full
      throw new Error('nothing arrived')
    },
    onError: (error) => logged.push(error),
    discard: () => Promise.reject(new Error('there is nothing to discard')),
  })
  t.same(arrived, { count: 1, first: 'not_kept' })
  t.same(logged, [full])
})

t.test('[LEAK30] an upload whose address its client never gets leaves nothing behind', async (t) => {
  const before = await countRows()
  const head = (length: string) =>
    `POST /api/v1/tus HTTP/1.1\r\nHost: a\r\nAuthorization: ${member.authorization}\r\nTus-Resumable: 1.0.0\r\n` +
    `Content-Type: application/offset+octet-stream\r\nUpload-Length: 10\r\n${length}\r\n\r\n`
  const tooLong = await tus(
    member,
    'POST',
    '',
    {
      'upload-length': 10,
      'content-type': 'application/offset+octet-stream',
      'upload-metadata': nameMetadata('a'),
    },
    Buffer.alloc(11),
  )
  t.equal(tooLong.status, 413)
  const chunked = await openConnection(server.node.port)
  chunked.end(`${head('Transfer-Encoding: chunked')}b\r\n${'x'.repeat(11)}\r\n0\r\n\r\n`)
  const gone = await openConnection(server.node.port)
  gone.write(`${head('Content-Length: 10')}xxxxx`)
  await pollUntil(
    'it has begun',
    async () => (await sql`select key from tus_uploads where size = 10`).length > 0,
  )
  gone.destroy()
  await pollUntil('nothing is left', async () => isDeepStrictEqual({ ...(await countRows()) }, { ...before }))
})

t.test('[LEAK31] no thumbnail is made of a deleted file', async (t) => {
  const url = await mustPostFile(member, await drawImage('red'), 'red.png')
  t.equal((await getFile(member, thumbnailOf(url))).status, 200)
  await fileStore.remove(keyOf(url))
  t.equal((await getFile(member, thumbnailOf(url))).status, 404)
  t.equal((await getFile(member, thumbnailOf(url, '300x200.webp'))).status, 404)
  for (const original of [keyOf(url), createFileKey()]) {
    const thumbnail = fileStore.write(`${original}.300x200.webp`, (async function* () {})(), 1)
    await t.rejects(thumbnail, { name: 'FileMissingError' })
  }
})

t.test('[LEAK32] a client beyond the rate limit cannot write files', async (t) => {
  const limited = await startTestServer(t, {
    clock: new ManualClock(),
    env: { RATE_LIMIT_USER_PER_MINUTE: '5' },
  })
  const guest = limited.as('guest')
  const { sql } = limited.node.services
  const newestId = async () => (await sql`select last_value as id from uploads_id_seq`)[0]?.id
  const before = await newestId()
  for (let sent = 0; sent < nodeCount() * 5; sent++) await guest.must('GET', '/users/me')
  for (let node = 0; node < nodeCount(); node++)
    t.equal((await postFile(guest, 'x'.repeat(100_000))).status, 429)
  t.equal(await newestId(), before)
})
