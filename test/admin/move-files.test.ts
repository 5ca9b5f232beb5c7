/** Moving all files between the folder and the object store while a server runs. */

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { moduleSettings } from '../harness/servers/environment.ts'
import { startObjectStore } from '../harness/files/start-object-store.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { drawImage } from '../harness/client/upload.ts'
import { getFile, mustPostFile, thumbnailOf } from '../harness/client/user-files.ts'

const MAIN = join(import.meta.dirname, '../../server/admin/main.ts')
const s3 = await startObjectStore(t)
const DATA_DIR = await makeFolder(t)
const server = await startTestServer(t, {
  env: { DATA_DIR, FILES_URL: s3.address('moved'), FILES_IN: 'folder', FILES_REDIRECT: 'on' },
})
const member = server.as('member')
const keyOf = (url: string) => url.split('/').slice(3, 5).join('/')
const objectsOf = async (url: string) => (await s3.objects()).filter((name) => name.includes(keyOf(url)))

const move = (...args: string[]) => moveAt(server, 'moved', ...args)

async function moveAt({ databaseUrl }: TestServer, bucket: string, ...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    ...moduleSettings(),
    DATA_DIR,
    DATABASE_URL: databaseUrl,
    FILES_URL: s3.address(bucket),
  }
  const run = promisify(execFile)(process.execPath, [MAIN, 'files', 'move', ...args], { env })
  const { stdout, code } = await run.then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; code: number }) => failed,
  )
  return { code, result: JSON.parse(stdout) }
}

/** Downloads a file again and again; the result stops it and has the number of downloads. */
function download(url: string, bytes: Buffer) {
  let isOver = false
  const counted = (async () => {
    for (let count = 0; ; count++) {
      const response = await fetch(new URL(url, member.url), {
        headers: { authorization: member.authorization },
      })
      if (response.status !== 200 || !bytes.equals(Buffer.from(await response.arrayBuffer())))
        throw new Error(`download ${count} of ${url} answers ${response.status}`)
      if (isOver) return count
    }
  })()
  counted.catch(() => undefined) // It is awaited later.
  return () => {
    isOver = true
    return counted
  }
}

t.test('[FILES14] files move to the store and back while clients read and upload', async (t) => {
  const large = randomBytes(6 * 1024 * 1024)
  const urls = [await mustPostFile(member, large, 'large.bin')]
  const red = await drawImage('red')
  urls.push(await mustPostFile(member, red, 'red.png'))
  for (let count = 0; count < 10; count++)
    urls.push(await mustPostFile(member, `file ${count}`, `${count}.txt`))
  const [first = '', picture = '', text = ''] = urls
  for (const to of ['store', 'folder'] as const) {
    const stops = [download(first, large), download(text, Buffer.from('file 0'))]
    const uploading = mustPostFile(member, 'meanwhile', 'meanwhile.txt')
    const { code, result } = await move('--to', to)
    t.match({ code, result }, { code: 0, result: { to, failed: [] } })
    t.ok(result.moved >= 12)
    for (const stop of stops) t.ok((await stop()) > 0)
    t.equal((await getFile(member, thumbnailOf(picture))).status, 200)
    await uploading
    t.equal((await objectsOf(picture)).length, to === 'store' ? 2 : 0)
    t.equal((await objectsOf(first)).length, to === 'store' ? 1 : 0)
  }
  t.match((await move('--to', 'folder')).result, { moved: 0, failed: [] })
})

t.test('[FILES15] a move that stopped goes on, and a damaged file stays where it is', async (t) => {
  const url = await mustPostFile(member, 'whole', 'whole.txt')
  const damaged = await mustPostFile(member, 'damaged', 'damaged.txt')
  await truncate(join(DATA_DIR, 'uploads', keyOf(damaged), 'original'), 3)
  const failed = [damaged.replace('/user_uploads/', '')]
  const kept = await move('--to', 'store', '--keep')
  t.match(kept, { code: 1, result: { failed } })
  t.equal((await objectsOf(url)).length, 1)
  t.equal((await objectsOf(damaged)).length, 0)
  const again = await move('--to', 'store')
  t.match(again, { code: 1, result: { failed, moved: kept.result.moved } })
  t.equal((await getFile(member, url)).status, 200)
  t.match((await move('--to', 'store')).result, { moved: 0, there: kept.result.moved, failed })
  await member.must('DELETE', `/attachments/${(await member.must('GET', '/attachments')).attachments[0].id}`)
})

t.test('[FILES64] files that only a legal hold keeps move, too', async (t) => {
  const owner = server.as('owner')
  const { legal_hold_id: holdId } = await owner.must('POST', '/legal_holds', {
    name: 'Case',
    reason: 'A case',
    user_ids: [member.userId],
  })
  const url = await mustPostFile(member, 'held', 'held.txt')
  const { attachments } = await member.must('GET', '/attachments')
  const id = attachments.find(({ name }) => name === 'held.txt')?.id
  await member.must('DELETE', `/attachments/${id}`)
  for (const to of ['store', 'folder'] as const) {
    t.match((await move('--to', to)).code, 0)
    t.equal((await objectsOf(url)).length, to === 'store' ? 1 : 0)
  }
  const [row] = await server.node.services.sql`select key from kept_files`
  t.equal(row?.['key'], keyOf(url))
  t.equal((await readFile(join(DATA_DIR, 'uploads', keyOf(url), 'original'))).toString(), 'held')
  await owner.must('DELETE', `/legal_holds/${holdId}`)
})

t.test('[FILES51] a server gives no address at a store that files leave', async (t) => {
  const url = await mustPostFile(member, 'on its way', 'way.txt')
  await move('--to', 'store', '--keep')
  t.equal((await getFile(member, url)).status, 200, 'both places have it')
  await move('--to', 'store')
  t.equal((await objectsOf(url)).length, 1)
  // The next move removes it from there, maybe before a client follows.
  const download = await getFile(member, url)
  t.match({ status: download.status, text: download.bytes.toString() }, { status: 200, text: 'on its way' })
  t.equal(download.headers.location, undefined)
})

t.test('[FILES16] a download is redirected to the store only after the permission was checked', async (t) => {
  const FILES_URL = s3.address('redirected')
  const server = await startTestServer(t, { env: { DATA_DIR, FILES_URL, FILES_REDIRECT: 'on' } })
  const member = server.as('member')
  const url = encodeURI(await mustPostFile(member, 'elsewhere', 'Grüße "1".txt'))
  await moveAt(server, 'redirected', '--to', 'folder')
  t.equal((await getFile(member, url)).status, 200, 'the folder has it')
  await moveAt(server, 'redirected', '--to', 'store')
  const moved = await getFile(member, url)
  t.match(moved, { status: 302, headers: { 'cache-control': 'no-store', location: /X-Amz-Signature=/ } })
  const signed = await fetch(String(moved.headers.location))
  t.equal(await signed.text(), 'elsewhere')
  t.match(Object.fromEntries(signed.headers), {
    'content-type': /^text\/plain/,
    'content-disposition': /filename\*=UTF-8''Gr%C3%BC%C3%9Fe/,
  })
  const head = await getFile(member, url, { method: 'HEAD' })
  t.match(head, { status: 200, headers: { 'content-length': '9' } })
  t.equal((await getFile(server.as('member2'), url)).status, 404)
  const { etag = '' } = head.headers
  t.equal((await getFile(member, url, { headers: { 'if-none-match': String(etag) } })).status, 304)
})
