/** Uploading and downloading files. */

import { createHmac } from 'node:crypto'
import sharp from 'sharp'
import t from 'tap'
import { readAddressSecret, rotateAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { TEMPORARY_SECONDS } from '../../../server/api/operations/uploads.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { getFile, mustPostFile, postFile } from '../../harness/client/user-files.ts'
import type { Refusal, ReplyAt } from '../../harness/client/wire-types.ts'

const CRLF = '\r\n'
const MIB = 1024 * 1024
const clock = new ManualClock()
const server = await startTestServer(t, {
  clock,
  env: { MAX_FILE_UPLOAD_SIZE: '2', RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000' },
})
const { sql } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')
const guest = server.as('guest')
await owner.subscribe(['general'], { principals: [4] })

/** Makes a message link a file, whatever its text. */
async function link(messageId: number, url: string): Promise<void> {
  await sql`insert into message_uploads (message_id, upload_id)
    select ${messageId}, id from uploads where path = ${url.replace('/user_uploads/', '')} on conflict do nothing`
}

async function post(parts: readonly string[]) {
  const body = Buffer.from(`${parts.map((one) => `--xyz${CRLF}${one}${CRLF}`).join('')}--xyz--${CRLF}`)
  const response = await fetch(`${server.node.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization: member.authorization, 'content-type': 'multipart/form-data; boundary=xyz' },
    body,
  })
  return {
    status: response.status,
    body: (await response.json()) as ReplyAt<'POST', '/user_uploads'> & Refusal,
    headers: response.headers,
  }
}

const part = (header: string, content: string) =>
  `Content-Disposition: form-data; ${header}${CRLF}${CRLF}${content}`

t.test('[UPLOAD20] an upload sends an event only to its owner, and downloads unchanged', async (t) => {
  let url = ''
  const events = await expectConsistent(server, async () => {
    const { status, body } = await postFile(member, 'hello', 'Grüße [1].txt')
    t.equal(status, 200)
    url = body.url
    t.same(body, { result: 'success', msg: '', url, uri: url, filename: 'Grüße [1].txt' })
  })
  t.match(url, /^\/user_uploads\/1\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/Grüße-1\.txt$/)
  t.equal(events.member?.length, 1)
  const [event] = events.member ?? []
  t.match(event, {
    type: 'attachment',
    op: 'add',
    attachment: {
      name: 'Grüße [1].txt',
      path_id: url.slice('/user_uploads/'.length),
      size: 5,
      messages: [],
      message_ids: [],
    },
    upload_space_used: 5,
  })
  t.equal(event.attachment.create_time, Math.floor(clock.nowMs() / 1000))
  for (const person of ['owner', 'member2', 'guest'] as const) t.same(events[person], [], person)
  const got = await getFile(member, encodeURI(url))
  t.equal(got.status, 200)
  t.equal(got.bytes.toString(), 'hello')
  t.match(got.headers, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '5',
    'content-disposition': `inline; filename="Gr__e [1].txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%5B1%5D.txt`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': /sandbox/,
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: /^"[0-9a-f]{32}"$/,
  })
})

t.test(
  '[UPLOAD21] the first file part is used, whatever its name, beside fields and empty parts',
  async (t) => {
    const field = part('name="note"', 'hello')
    const none = part('name="other"; filename=""', '')
    for (const parts of [
      [part('name="a"; filename="a.txt"', 'x')],
      [field, none, part('name="/home/me/a.txt"; filename="../../a.txt"', 'x'), field],
      [
        `Content-Disposition: form-data; name="a"${CRLF}Content-Type: application/octet-stream${CRLF}${CRLF}x`,
      ],
    ]) {
      const { status, body } = await post(parts)
      t.equal(status, 200, JSON.stringify(body))
      t.notMatch(body.url, '..')
    }
  },
)

t.test('[UPLOAD22] no file, an empty one or two are refused and not stored', async (t) => {
  const before = await sql`select id from uploads`
  const missing = 'You must specify a file to upload'
  expectRefusal(t, await member.post('/user_uploads'), missing)
  expectRefusal(t, await post([part('name="note"', 'hello')]), missing)
  expectRefusal(t, await post([part('name="a"; filename=""', '')]), missing)
  expectRefusal(t, await postFile(member, ''), missing)
  const two = [part('name="a"; filename="a"', 'x'), part('name="b"; filename="b"', 'y')]
  expectRefusal(t, await post(two), 'You may only upload one file at a time')
  t.same(await sql`select id from uploads`, before)
  t.same(await sql`select key from removed_files`, [], 'the bytes are deleted, too')
})

t.test('[UPLOAD23] a file may have exactly the configured size, and not a byte more', async (t) => {
  const tooLarge = "File is larger than this server's configured maximum upload size (2 MiB)."
  t.equal((await postFile(member, Buffer.alloc(2 * MIB, 'a'))).status, 200)
  expectRefusal(t, await postFile(member, Buffer.alloc(2 * MIB + 1, 'a')), tooLarge)
  expectRefusal(t, await postFile(member, Buffer.alloc(5 * MIB, 'a')), tooLarge)
  t.equal((await postFile(member, 'small')).status, 200, 'the next one is accepted')
  t.match((await member.register({ fetch_event_types: ['realm'] })).state, {
    max_file_upload_size_mib: 2,
    realm_upload_quota_mib: null,
  })
})

t.test('[UPLOAD24] the declared content type is ignored; HTML and SVG are downloads', async (t) => {
  for (const [content, name] of [
    ['<script>alert(1)</script>', 'image.png'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'drawing.svg'],
    ['\0\x01\x02', 'page.html'],
  ] as const) {
    const got = await getFile(member, encodeURI(await mustPostFile(member, content, name)))
    t.equal(got.headers['content-type'], 'application/octet-stream')
    t.match(got.headers['content-disposition'], /^attachment; /)
    t.equal(got.headers['x-content-type-options'], 'nosniff')
    t.match(got.headers['content-security-policy'], /default-src 'none'.*sandbox/)
  }
})

t.test('[UPLOAD25] a file name cannot inject into a header, a path or a link', async (t) => {
  for (const name of [
    'a"; filename="evil.exe',
    'a%0d%0aSet-Cookie: x=1.txt',
    "a'b*(c).txt",
    'x\u202etxt.exe',
    '..',
  ]) {
    const { body } = await postFile(member, 'x', name)
    t.match(body.url, /^\/user_uploads\/1\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/[\p{L}\p{N}._-]+$/u, name)
    const got = await getFile(member, encodeURI(body.url))
    t.equal(got.status, 200)
    t.equal(got.headers['set-cookie'], undefined)
    t.match(
      got.headers['content-disposition'],
      /^inline; filename="[^"\\]+"; filename\*=UTF-8''[\w.~!%$&+^`|#-]+$/,
    )
  }
})

t.test('[UPLOAD52] the connection is closed if the store has less of a file than was stored', async (t) => {
  const content = 'x'.repeat(123_457)
  const path = encodeURI(await mustPostFile(member, content, 'short.txt'))
  const rest = async function* () {
    yield Buffer.from(content.slice(0, 100_000))
  }
  await server.node.services.fileStore.write(path.split('/').slice(3, 5).join('/'), rest(), content.length)
  await t.rejects(getFile(member, path), { code: 'ECONNRESET' })
})

t.test('[UPLOAD26] ranges, conditional requests and HEAD work for files', async (t) => {
  const path = encodeURI(await mustPostFile(member, '0123456789', 'digits.txt'))
  const range = async (text: string, more = {}) =>
    getFile(member, path, { headers: { range: text, ...more } })
  for (const [asked, content, where] of [
    ['bytes=0-0', '0', '0-0'],
    ['bytes=2-4', '234', '2-4'],
    ['bytes=7-', '789', '7-9'],
    ['bytes=-3', '789', '7-9'],
    ['bytes=-100', '0123456789', '0-9'],
    ['bytes=8-100', '89', '8-9'],
  ] as const) {
    const got = await range(asked)
    t.equal(got.status, 206, asked)
    t.equal(got.bytes.toString(), content, asked)
    t.equal(got.headers['content-range'], `bytes ${where}/10`)
    t.equal(got.headers['content-length'], String(content.length))
  }
  for (const asked of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) {
    const got = await range(asked)
    t.equal(got.status, 416, asked)
    t.equal(got.headers['content-range'], 'bytes */10')
  }
  for (const asked of ['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=', 'bytes=a-b']) {
    const got = await range(asked)
    t.equal(got.status, 200, asked)
    t.equal(got.bytes.toString(), '0123456789')
  }
  const whole = await getFile(member, path)
  const etag = String(whole.headers.etag)
  t.equal((await range('bytes=0-1', { 'if-range': etag })).status, 206)
  t.equal((await range('bytes=0-1', { 'if-range': '"other"' })).status, 200)
  const known = await getFile(member, path, { headers: { 'if-none-match': `"x", ${etag}` } })
  t.equal(known.status, 304)
  t.equal(known.bytes.length, 0)
  t.equal((await getFile(member, path, { headers: { 'if-none-match': '"x"' } })).status, 200)
  const head = await getFile(member, path, { method: 'HEAD' })
  t.equal(head.status, 200)
  t.equal(head.headers['content-length'], '10')
  t.equal(head.bytes.length, 0)
  t.equal((await getFile(member, path)).bytes.toString(), '0123456789', 'the connection stays usable')
  t.equal((await getFile(member, path, { method: 'POST' })).status, 405)
})

t.test('[UPLOAD27] a large file downloads completely', async (t) => {
  const content = Buffer.alloc(2 * MIB)
  for (let index = 0; index < content.length; index++) content[index] = (index * 31 + (index >> 8)) & 0xff
  const path = encodeURI(await mustPostFile(member, content, 'large.bin'))
  t.ok((await getFile(member, path)).bytes.equals(content))
  const end = await getFile(member, path, { headers: { range: 'bytes=1500000-' } })
  t.ok(end.bytes.equals(content.subarray(1_500_000)))
})

t.test('[UPLOAD28] only users who can read a message that links a file can read the file', async (t) => {
  const url = await mustPostFile(member, 'secret', 'secret.txt')
  const path = encodeURI(url)
  const read = async (client: typeof member) => (await getFile(client, path)).status
  const api = async (client: typeof member) => client.get(path)
  t.equal(await read(member), 200)
  for (const client of [member2, guest, owner]) {
    t.equal(await read(client), 404)
    expectRefusal(t, await api(client), 'File not found.', { status: 404, code: 'NOT_FOUND' })
  }
  const direct = await member.sendDirect([5], `[secret](${url})`)
  await link(direct, url)
  t.equal(await read(member2), 200)
  t.equal(await read(owner), 404, 'not in the conversation')
  const posted = await member.send('general', 'files', `[secret](${url})`)
  await link(posted, url)
  t.equal(await read(owner), 200)
  t.equal(await read(guest), 404, 'guests see only channels of theirs')
  await owner.subscribe(['general'], { principals: [6] })
  t.equal(await read(guest), 200, 'the past of a public channel can be read')
  await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['general'], principals: [6] })
  t.equal(await read(guest), 404)
  await owner.must('POST', '/channels/create', {
    name: 'closed',
    subscribers: [1, 4, 5],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const other = await mustPostFile(member, 'closed', 'closed.txt')
  await link(await member.send('closed', 'files', `[x](${other})`), other)
  t.equal((await getFile(member2, encodeURI(other))).status, 200)
  await owner.subscribe(['closed'], { principals: [6] })
  t.equal((await getFile(guest, encodeURI(other))).status, 404, 'earlier files stay closed')
  await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'], principals: [5] })
  t.equal((await getFile(member2, encodeURI(other))).status, 404)
})

t.test('[UPLOAD29] absent and forbidden files look alike, for every kind of request', async (t) => {
  const url = await mustPostFile(member, 'x', 'x.txt')
  const forbidden = await getFile(member2, encodeURI(url))
  t.equal(forbidden.status, 404)
  for (const path of [
    '/user_uploads/1/ab/abcdefghijklmnopqrstuvwx/x.txt',
    '/user_uploads/',
    '/user_uploads/1',
    '/user_uploads/%',
    '/user_uploads/1/%00',
    '/user_uploads/../../etc/passwd',
    '/user_uploads/..%2f..%2fetc%2fpasswd',
    '/user_uploads/1/../1/x',
    `${encodeURI(url)}/`,
    `${encodeURI(url)}?x=1`.replace('x.txt', 'y.txt'),
    '/user_uploads/thumbnail/1/ab/x/840x560.webp',
    '/user_uploads/thumbnail/',
    '/user_uploads/temporary/',
    '/user_uploads/temporary/x/y',
  ]) {
    const got = await getFile(member, path)
    t.equal(got.status, 404, path)
    t.same(got.bytes, forbidden.bytes, path)
  }
  for (const path of ['/user_uploads/1/x', '/user_uploads/1/a%00b', '/user_uploads/2/x/y']) {
    t.match((await member.get(path)).status, path.includes('%00') ? 400 : 404)
  }
  t.equal((await getFile(server.anyone, encodeURI(url))).status, 401)
  t.equal((await postFile(server.anyone, 'x')).status, 401)
})

t.test('[UPLOAD30] a temporary address serves anybody for some minutes, from any process', async (t) => {
  const url = await mustPostFile(member, 'for a while', 'Grüße.txt')
  const { url: temporary } = await member.must('GET', encodeURI(url) as '/user_uploads/1/{filename}')
  t.match(
    temporary,
    /^\/user_uploads\/temporary\/[0-9a-z]+-[0-9a-z]+-[A-Za-z0-9_-]{43}\/Gr%C3%BC%C3%9Fe\.txt$/,
  )
  const got = await getFile(server.anyone, temporary)
  t.equal(got.status, 200)
  t.equal(got.bytes.toString(), 'for a while')
  t.match(got.headers['content-security-policy'], /sandbox/)
  t.equal(
    (await getFile(server.anyone, temporary, { headers: { range: 'bytes=4-4' } })).bytes.toString(),
    'a',
  )
  const [, base = '', token = ''] = /^(.*temporary\/)([^/]+)\//.exec(temporary) ?? []
  const [id = '', end = '', signature = ''] = token.split(/-(?=[0-9a-z]+-)|-(?=.{43}$)/)
  for (const forged of [
    `${Number.parseInt(id, 36) + 1}-${end}-${signature}`,
    `${id}-zzzzzzz-${signature}`,
    `${id}-${end}-${'A'.repeat(43)}`,
    `${id}-${end}-`,
    `${id}-${end}-${signature}=`,
  ]) {
    t.equal((await getFile(server.anyone, `${base}${forged}/x.txt`)).status, 404, forged)
  }
  const another = await server.startAnotherNode()
  const elsewhere = Object.assign(Object.create(Object.getPrototypeOf(server.anyone)), server.anyone, {
    url: another.node.url,
  })
  t.equal((await getFile(elsewhere, temporary)).status, 200)
  clock.advance(TEMPORARY_SECONDS * 1000 - 1000)
  t.equal((await getFile(server.anyone, temporary)).status, 200)
  clock.advance(1000)
  t.equal((await getFile(server.anyone, temporary)).status, 404)
})

t.test(
  '[UPLOAD70] no signed address works for longer than the server makes them, nor after a rotation',
  async (t) => {
    const url = await mustPostFile(member, 'for long', 'long.txt')
    const [row] = await sql`select id from uploads where path = ${url.replace('/user_uploads/', '')}`
    const secret = await readAddressSecret(sql)
    const signed = (seconds: number, key: Buffer) => {
      const end = Math.floor(clock.nowMs() / 1000) + seconds
      const stem = `${Number(row?.['id']).toString(36)}-${end.toString(36)}`
      const signature = createHmac('sha256', key).update(`temporary upload ${stem}`).digest('base64url')
      return `/user_uploads/temporary/${stem}-${signature}/long.txt`
    }
    const status = async (path: string) => (await getFile(server.anyone, path)).status
    t.equal(await status(signed(TEMPORARY_SECONDS, secret)), 200)
    for (const seconds of [TEMPORARY_SECONDS + 61, 3_600, 75 * 365 * 24 * 3_600])
      t.equal(await status(signed(seconds, secret)), 404, `${seconds} seconds`)
    await rotateAddressSecret(sql)
    t.equal(await status(signed(TEMPORARY_SECONDS, secret)), 404, 'the former secret')
    const { url: next } = await member.must('GET', encodeURI(url) as '/user_uploads/1/{filename}')
    t.equal(await status(next), 200)
  },
)

t.test('[UPLOAD51] the owner of an image can ask whether it has a thumbnail', async (t) => {
  const picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const status = (client: typeof member, url: string) =>
    client.get(url.replace('/user_uploads/', '/thumbnail/status/'))
  const { url } = (await postFile(member, picture, 'a picture.png')).body
  t.same((await status(member, url)).body, { result: 'success', msg: '', has_thumbnail: true })
  const broken = (await postFile(member, picture.subarray(0, 40), 'broken.png')).body.url
  t.same((await status(member, broken)).body, { result: 'success', msg: '', has_thumbnail: false })
  const plain = (await postFile(member, 'text', 'plain.txt')).body.url
  await link(await owner.send('general', 'x', 'see'), url)
  for (const [client, asked] of [
    [owner, url],
    [member, plain],
    [member, `${url}x`],
    [member, '/user_uploads/2/ab/nothing.png'],
  ] as const) {
    expectRefusal(t, await status(client, asked), 'Invalid attachment')
  }
})
