/** Web processes whose own disks share nothing: all files are in an object store. */

import { randomBytes } from 'node:crypto'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { readLogName } from '../../db/log/event-log.ts'
import { readConfig } from '../../server/config.ts'
import { FilesAwayError } from '../../server/files/file-store.ts'
import { openFileStore } from '../../server/files/open-file-store.ts'
import { findStrayFiles } from '../../workers/jobs/upkeep/find-stray-files.ts'
import { removeUnusedUploads } from '../../workers/jobs/upkeep/remove-unused-uploads.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { startObjectStore } from '../harness/files/start-object-store.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'
import { beginUpload, makeFolder, tus } from '../harness/client/tus.ts'
import { drawImage, upload } from '../harness/client/upload.ts'
import { getFile, mustPostFile, postFile, thumbnailOf } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection } from '../wire/send-raw.ts'
import { startWebProcess } from './start-web-process.ts'

const MIB = 1024 * 1024
const s3 = await startObjectStore(t)
const databaseUrl = await createDatabase(t, 'people')
const sql = connect(databaseUrl, 2, 'parley-test')
t.teardown(() => sql.end())

/** Starts a process with an empty disk. */
async function start() {
  const env = {
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: '4',
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
    FILES_URL: s3.address('chat'),
    DATA_DIR: await makeFolder(t),
    LOG_LEVEL: 'info',
  }
  const web = await startWebProcess(t, env)
  const member = new Client(web.url, 4, emailOf('member'), ACCOUNTS.get('member')?.key ?? '')
  return { web, member, env }
}

const here = await start()
const there = await start()
const keyOf = (url: string) => url.split('/').slice(3, 5).join('/')
const objectsOf = async (key: string) => (await s3.objects()).filter((name) => name.includes(key))
const store = await openFileStore(readConfig(here.env))

t.test('[FILES8] a file is served by every process, with all headers, ranges and thumbnails', async (t) => {
  const bytes = randomBytes(6 * MIB + 5)
  const url = await mustPostFile(here.member, bytes, 'plan.bin')
  const whole = await getFile(there.member, url)
  t.match(whole, {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-disposition': /^attachment; filename="plan.bin"/,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    },
  })
  t.ok(bytes.equals(whole.bytes))
  const range = { range: `bytes=${5 * MIB - 1}-${5 * MIB + 1}` }
  const part = await getFile(there.member, url, { headers: range })
  t.match(part, {
    status: 206,
    headers: { 'content-range': `bytes ${5 * MIB - 1}-${5 * MIB + 1}/${bytes.length}` },
  })
  t.ok(part.bytes.equals(bytes.subarray(5 * MIB - 1, 5 * MIB + 2)))
  // The S3 server of the tests answers this range with the whole object.
  const first = await getFile(there.member, url, { headers: { range: 'bytes=0-0' } })
  t.match(first, { status: 206, headers: { 'content-length': '1' } })
  t.ok(first.bytes.equals(bytes.subarray(0, 1)))
  const none = await getFile(there.member, url, { headers: { range: `bytes=${bytes.length}-` } })
  t.match(none, { status: 416, headers: { 'content-range': `bytes */${bytes.length}` } })
  const head = await getFile(there.member, url, { method: 'HEAD' })
  t.match(head, { status: 200, headers: { 'content-length': String(bytes.length) } })
  const known = { 'if-none-match': whole.headers.etag as string }
  t.equal((await getFile(there.member, url, { headers: known })).status, 304)
  const stranger = new Client(there.web.url, 5, emailOf('member2'), ACCOUNTS.get('member2')?.key ?? '')
  t.equal((await getFile(stranger, url)).status, 404)

  const picture = await mustPostFile(
    there.member,
    await drawImage('red', { width: 900, height: 700 }),
    'red.png',
  )
  for (const format of ['840x560.webp', '300x200.webp'])
    t.match(await getFile(here.member, thumbnailOf(picture, format)), {
      status: 200,
      headers: { 'content-type': 'image/webp' },
    })
  t.equal((await objectsOf(keyOf(picture))).length, 3)
  const empty = await tus(here.member, 'POST', '', { 'upload-length': 0 })
  t.match(await getFile(there.member, empty.body.url), { status: 200, headers: { 'content-length': '0' } })
  const { body } = await upload(here.member, '/users/me/avatar', [await drawImage('blue')])
  t.equal((await fetch(new URL(body.avatar_url, there.web.url))).status, 200)
})

t.test('[FILES9] a resumable upload goes from process to process', async (t) => {
  const bytes = randomBytes(11 * MIB)
  const place = await beginUpload(here.member, bytes.length)
  let offset = 0
  for (const [member, length] of [
    [there.member, 2 * MIB],
    [here.member, 6 * MIB],
    [there.member, 3 * MIB],
  ] as const) {
    const head = await tus(member, 'HEAD', place)
    t.equal(head.headers.get('upload-offset'), String(offset))
    const body = bytes.subarray(offset, offset + length)
    const reply = await tus(member, 'PATCH', place, { 'upload-offset': offset }, body)
    offset += length
    t.equal(reply.headers.get('upload-offset'), String(offset))
    if (offset === bytes.length) t.ok(bytes.equals((await getFile(here.member, reply.body.url)).bytes))
  }
})

t.test(
  '[FILES10] a killed process loses no acknowledged byte, and another one ends its upload',
  async (t) => {
    const bytes = randomBytes(12 * MIB)
    const dying = await start()
    const place = await beginUpload(dying.member, bytes.length)
    const key = place.split('/').at(-1)?.replace('.', '/') as string
    const first = await tus(dying.member, 'PATCH', place, { 'upload-offset': 0 }, bytes.subarray(0, MIB))
    t.equal(first.headers.get('upload-offset'), String(MIB))
    const socket = await openConnection(Number(new URL(dying.web.url).port))
    socket.on('error', () => undefined) // The process dies.
    t.teardown(() => socket.destroy())
    socket.write(
      `PATCH ${place} HTTP/1.1\r\nHost: a\r\nAuthorization: ${dying.member.authorization}\r\nTus-Resumable: 1.0.0\r\n` +
        `Content-Type: application/offset+octet-stream\r\nUpload-Offset: ${MIB}\r\nContent-Length: ${11 * MIB}\r\n\r\n`,
    )
    socket.write(bytes.subarray(MIB, 8 * MIB))
    await pollUntil('a part is recorded', async () => (await store.size(key)) === 5 * MIB)
    t.equal((await s3.uploads()).length, 1)
    await dying.web.kill()
    const head = await tus(there.member, 'HEAD', place)
    t.equal(head.headers.get('upload-offset'), String(5 * MIB), 'every byte of the part that the store has')
    const rest = await tus(
      there.member,
      'PATCH',
      place,
      { 'upload-offset': 5 * MIB },
      bytes.subarray(5 * MIB),
    )
    t.equal(rest.status, 200)
    t.ok(bytes.equals((await getFile(here.member, rest.body.url)).bytes))
    t.equal((await objectsOf(key)).length, 1)
    t.same(await s3.uploads(), [])
  },
)

t.test('[FILES11] while the store is away, files are unavailable; nothing is lost', async (t) => {
  const url = await mustPostFile(here.member, 'before', 'before.txt')
  const place = await beginUpload(here.member, 6)
  await tus(here.member, 'PATCH', place, { 'upload-offset': 0 }, Buffer.from('abc'))
  await s3.stop()
  const answers = await Promise.all([
    postFile(here.member, 'during', 'during.txt'),
    fetch(new URL(url, here.web.url), { headers: { authorization: here.member.authorization } }),
    tus(here.member, 'POST', '', { 'upload-length': 5 }),
    tus(here.member, 'HEAD', place),
    tus(here.member, 'PATCH', place, { 'upload-offset': 3 }, Buffer.from('def')),
  ])
  for (const { status, headers } of answers) {
    t.equal(status, 503)
    t.match(headers.get('retry-after'), /^\d+$/)
  }
  t.match(answers[0].body, { result: 'error', code: 'SERVICE_UNAVAILABLE' })
  await here.member.must('GET', '/users/me')
  await s3.start()
  t.equal((await getFile(here.member, url)).bytes.toString(), 'before')
  const rest = await tus(here.member, 'PATCH', place, { 'upload-offset': 3 }, Buffer.from('def'))
  t.equal((await getFile(there.member, rest.body.url)).bytes.toString(), 'abcdef')
  t.equal((await postFile(here.member, 'after', 'after.txt')).status, 200)
})

t.test('[FILES50] while the store is away, the removal of files ends at the first one', async (t) => {
  const urls = [await mustPostFile(here.member, 'one'), await mustPostFile(here.member, 'two')]
  const { attachments } = await here.member.must('GET', '/attachments')
  for (const url of urls) {
    const id = attachments.find(({ path_id }) => url.endsWith(path_id))?.id
    await here.member.must('DELETE', `/attachments/${id ?? 0}`)
  }
  await s3.stop()
  // Otherwise it would be the error of all of them, each after its own tries.
  const error = await removeUnusedUploads(sql, store, new Date()).catch((reason: unknown) => reason)
  t.ok(error instanceof FilesAwayError)
  await s3.start()
  await removeUnusedUploads(sql, store, new Date())
  for (const url of urls) t.same(await objectsOf(keyOf(url)), [])
})

t.test('[FILES12] upkeep removes what no row names, and nothing else', async (t) => {
  const url = await mustPostFile(here.member, 'kept', 'kept.txt')
  const lost = await mustPostFile(here.member, await drawImage('red'), 'lost.png')
  const place = await beginUpload(here.member, 6 * MIB)
  await tus(here.member, 'PATCH', place, { 'upload-offset': 0 }, randomBytes(5 * MIB))
  // As after a restore from an older backup.
  await sql`delete from uploads where path like ${`%${keyOf(lost)}%`}`
  const organizationId = await readLogName(sql)
  const find = (now: number, id = organizationId) =>
    findStrayFiles(sql, store, { organizationId: id, now: new Date(now) })
  t.equal(await find(Date.now()), 0, 'files are young')
  const inThreeDays = Date.now() + 72 * 3_600_000
  await t.rejects(find(inThreeDays, 'other'), /belong to the organization/)
  t.equal(await find(inThreeDays), 1)
  await removeUnusedUploads(sql, store, new Date())
  t.same(await objectsOf(keyOf(lost)), [])
  t.equal((await getFile(there.member, url)).bytes.toString(), 'kept')
  t.same(await s3.uploads(), [], 'its client had a day to go on')
  await tus(here.member, 'DELETE', place)
})
