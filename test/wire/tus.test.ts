/** Resumable uploads: each promised status and header of tus 1.0. */

import t from 'tap'
import { expireTusUploads } from '../../db/files/tus-uploads.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { beginUpload, makeFolder, nameMetadata, tus } from '../harness/client/tus.ts'
import { sendRaw } from './send-raw.ts'

const MIB = 1024 * 1024
const folder = await makeFolder(t)
const server = await startTestServer(t, { env: { DATA_DIR: folder, MAX_FILE_UPLOAD_SIZE: '2' } })
const [member, member2] = [server.as('member'), server.as('member2')]
const text = (content: string) => Buffer.from(content)

t.test('[TUS1] OPTIONS needs no key, and returns version, extensions and size', async (t) => {
  for (const path of ['', '/']) {
    const { status, headers } = await tus(server.anyone, 'OPTIONS', path, { 'tus-resumable': undefined })
    t.equal(status, 204)
    t.equal(headers.get('tus-version'), '1.0.0')
    t.equal(headers.get('tus-max-size'), String(2 * MIB))
    t.same(headers.get('tus-extension')?.split(',').sort(), [
      'creation',
      'creation-defer-length',
      'creation-with-upload',
      'expiration',
      'termination',
    ])
    t.equal(headers.get('access-control-allow-origin'), null, 'pages of other sites are not invited')
  }
})

t.test('[TUS2] an upload is created, sent in pieces, and ends with the address of a file', async (t) => {
  for (const base of ['', '/']) {
    const begun = await tus(member, 'POST', base, {
      'upload-length': 11,
      'upload-metadata': nameMetadata('hello wörld.txt'),
    })
    t.equal(begun.status, 201)
    t.equal(begun.headers.get('tus-resumable'), '1.0.0')
    t.ok(Date.parse(begun.headers.get('upload-expires') ?? '') > Date.now())
    const place = begun.headers.get('location') ?? ''
    t.ok(place.startsWith(`${server.node.url}/api/v1/tus/`), place)
    t.match(place, /\/tus\/[\w.-]+$/)

    const first = await tus(member, 'PATCH', place, { 'upload-offset': 0 }, text('hello '))
    t.equal(first.status, 204)
    t.equal(first.headers.get('upload-offset'), '6')
    t.equal(first.headers.get('tus-resumable'), '1.0.0')
    t.ok(first.headers.get('upload-expires'))

    const amid = await tus(member, 'HEAD', place)
    t.equal(amid.status, 200)
    t.equal(amid.headers.get('upload-offset'), '6')
    t.equal(amid.headers.get('upload-length'), '11')
    t.equal(amid.headers.get('upload-metadata'), nameMetadata('hello wörld.txt'))
    t.equal(amid.headers.get('cache-control'), 'no-store')

    const last = await tus(member, 'PATCH', place, { 'upload-offset': 6 }, text('world'))
    t.equal(last.status, 200)
    t.equal(last.headers.get('upload-offset'), '11')
    t.match(last.headers.get('content-type'), 'application/json')
    t.same(Object.keys(last.body), ['url', 'filename'])
    t.equal(last.body.filename, 'hello wörld.txt')
    t.match(last.body.url, /^\/user_uploads\/1\//)
    const file = await fetch(encodeURI(server.node.url + last.body.url), {
      headers: { authorization: member.authorization },
    })
    t.ok(file.status === 200 || file.status === 302 || file.status === 401, 'the address is the same')
    const { attachments } = await member.must('GET', '/attachments')
    t.equal(attachments[0].size, 11)

    const end = await tus(member, 'HEAD', place)
    t.equal(end.headers.get('upload-offset'), '11')
    const again = await tus(member, 'PATCH', place, { 'upload-offset': 11 })
    t.equal(again.status, 200)
    t.same(again.body, last.body, 'a repeated request gets the same')
    t.same((await member.must('GET', '/attachments')).attachments.length, attachments.length)
  }
})

t.test('[TUS3] an upload can be created with its first bytes, or with all of them', async (t) => {
  const creation = {
    'upload-metadata': nameMetadata('a.txt'),
    'content-type': 'application/offset+octet-stream',
  }
  const part = await tus(member, 'POST', '', { ...creation, 'upload-length': 4 }, text('ab'))
  t.equal(part.status, 201)
  t.equal(part.headers.get('upload-offset'), '2')
  const rest = await tus(
    member,
    'PATCH',
    part.headers.get('location') ?? '',
    { 'upload-offset': 2 },
    text('cd'),
  )
  t.equal(rest.body.filename, 'a.txt')

  const whole = await tus(member, 'POST', '', { ...creation, 'upload-length': 4 }, text('abcd'))
  t.equal(whole.status, 201)
  t.equal(whole.headers.get('upload-offset'), '4')
  t.ok(whole.headers.get('location'))
  t.same(Object.keys(whole.body), ['url', 'filename'])
})

t.test('[TUS4] the length can be given later, once', async (t) => {
  const begun = await tus(member, 'POST', '', {
    'upload-defer-length': 1,
    'upload-metadata': nameMetadata('b'),
  })
  t.equal(begun.status, 201)
  const place = begun.headers.get('location') ?? ''
  await tus(member, 'PATCH', place, { 'upload-offset': 0 }, text('ab'))
  const amid = await tus(member, 'HEAD', place)
  t.equal(amid.headers.get('upload-offset'), '2')
  t.equal(amid.headers.get('upload-defer-length'), '1')
  t.equal(amid.headers.get('upload-length'), null)
  const given = await tus(member, 'PATCH', place, { 'upload-offset': 2, 'upload-length': 5 }, text('cd'))
  t.equal(given.headers.get('upload-offset'), '4')
  t.equal((await tus(member, 'HEAD', place)).headers.get('upload-length'), '5')
  const twice = await tus(member, 'PATCH', place, { 'upload-offset': 4, 'upload-length': 6 }, text('e'))
  t.equal(twice.status, 400)
  const last = await tus(member, 'PATCH', place, { 'upload-offset': 4 }, text('e'))
  t.equal(last.status, 200)
  t.equal(last.body.filename, 'b')

  const other = await tus(member, 'POST', '', { 'upload-defer-length': 1 })
  const large = { 'upload-offset': 0, 'upload-length': 2 * MIB + 1 }
  t.equal((await tus(member, 'PATCH', other.headers.get('location') ?? '', large, text('a'))).status, 413)
  const whole = { 'upload-offset': 0, 'upload-length': 1 }
  const named = await tus(member, 'PATCH', other.headers.get('location') ?? '', whole, text('a'))
  t.equal(named.body.filename, 'uploaded-file', 'a file without a name gets one')
})

t.test('[TUS5] refusals have the form of the API', async (t) => {
  const place = await beginUpload(member, 10)
  const cases: [string, string, string, Record<string, string | number | undefined>, number, string][] = [
    ['another version', 'HEAD', place, { 'tus-resumable': '0.2.2' }, 412, ''],
    [
      'another version',
      'POST',
      '',
      { 'tus-resumable': '2.0.0' },
      412,
      'The header Tus-Resumable must be 1.0.0',
    ],
    [
      'no version',
      'PATCH',
      place,
      { 'tus-resumable': undefined },
      412,
      'The header Tus-Resumable must be 1.0.0',
    ],
    [
      'another type',
      'PATCH',
      place,
      { 'content-type': 'text/plain', 'upload-offset': 0 },
      415,
      'The header Content-Type must be application/offset+octet-stream',
    ],
    ['no offset', 'PATCH', place, {}, 400, 'The header Upload-Offset is missing'],
    ['a strange offset', 'PATCH', place, { 'upload-offset': '-1' }, 400, 'Invalid upload-offset'],
    [
      'another offset',
      'PATCH',
      place,
      { 'upload-offset': 3 },
      409,
      'Upload-Offset is not where this upload has got to',
    ],
    ['no length', 'POST', '', {}, 400, 'Upload-Length or Upload-Defer-Length header required'],
    ['a strange length', 'POST', '', { 'upload-length': '1e3' }, 400, 'Invalid upload-length'],
    [
      'too much',
      'POST',
      '',
      { 'upload-length': 2 * MIB + 1 },
      413,
      "File is larger than this server's configured maximum upload size (2 MiB).",
    ],
    [
      'strange metadata',
      'POST',
      '',
      { 'upload-length': 1, 'upload-metadata': 'a b c' },
      400,
      'Invalid upload-metadata',
    ],
    [
      'parts',
      'POST',
      '',
      { 'upload-length': 1, 'upload-concat': 'partial' },
      400,
      'Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.',
    ],
    ['a strange name', 'HEAD', '/nothing', {}, 404, ''],
    ['a path', 'DELETE', '/..%2f..%2fetc', {}, 404, 'This upload does not exist'],
    ['a path', 'DELETE', `${place}/a`, {}, 404, 'This upload does not exist'],
  ]
  for (const [what, method, path, headers, status, msg] of cases) {
    const reply = await tus(member, method, path, headers)
    t.equal(reply.status, status, `${what}: ${method}`)
    t.equal(reply.headers.get('tus-resumable'), '1.0.0')
    if (status === 412) t.equal(reply.headers.get('tus-version'), '1.0.0')
    if (method !== 'HEAD') t.same(reply.body, { result: 'error', msg, code: 'BAD_REQUEST' }, what)
  }
  t.match(await tus(member, 'GET', place), { status: 405, body: { msg: 'Method Not Allowed' } })
  t.match(await tus(member, 'POST', place), { status: 405 })
  t.match(await tus(member, 'PATCH', place, { 'upload-offset': 0 }, text('more than ten')), {
    status: 413,
    body: { msg: 'The body has more bytes than this upload lacks' },
  })
  t.equal((await tus(member, 'HEAD', place)).headers.get('upload-offset'), '0')
  const overridden = {
    'x-http-method-override': 'PATCH',
    'upload-offset': 0,
    'content-type': 'application/offset+octet-stream',
  }
  t.equal((await tus(member, 'POST', place, overridden, text('ab'))).status, 204)
})

t.test('[TUS6] uploading needs a key, and uploads of other users look absent', async (t) => {
  t.match(await tus(server.anyone, 'POST', '', { 'upload-length': 1 }), {
    status: 401,
    body: { code: 'UNAUTHORIZED' },
  })
  const place = await beginUpload(member, 10)
  await tus(member, 'PATCH', place, { 'upload-offset': 0 }, text('ab'))
  const absent = `${place.slice(0, -2)}zz`
  for (const [method, headers, body] of [
    ['HEAD', {}],
    ['PATCH', { 'upload-offset': 2 }, text('cd')],
    ['DELETE', {}],
  ] as const) {
    const others = await tus(member2, method, place, headers, body)
    const nobodys = await tus(member2, method, absent, headers, body)
    t.equal(others.status, 404)
    t.same([others.status, others.body], [nobodys.status, nobodys.body], method)
  }
  t.equal((await tus(member, 'HEAD', place)).headers.get('upload-offset'), '2')
})

t.test('[TUS7] users delete their uploads before they are complete, and not after', async (t) => {
  const place = await beginUpload(member, 10)
  await tus(member, 'PATCH', place, { 'upload-offset': 0 }, text('ab'))
  const ended = await tus(member, 'DELETE', place)
  t.equal(ended.status, 204)
  t.equal(ended.headers.get('tus-resumable'), '1.0.0')
  t.equal((await tus(member, 'HEAD', place)).status, 404)
  t.equal((await tus(member, 'DELETE', place)).status, 404)
  const other = await beginUpload(member, 2)
  await tus(member, 'PATCH', other, { 'upload-offset': 0 }, text('ab'))
  t.match(await tus(member, 'DELETE', other), { status: 400, body: { msg: 'This upload is complete' } })
})

t.test('[TUS8] unfinished uploads and their bytes are limited per user', async (t) => {
  const guest = server.as('guest')
  const places = await Promise.all(Array.from({ length: 10 }, () => beginUpload(guest, 2 * MIB)))
  const refusal = {
    status: 400,
    body: { msg: 'You have too many unfinished uploads; finish or end some of them first' },
  }
  t.match(await tus(guest, 'POST', '', { 'upload-length': 1 }), refusal)
  t.match(await tus(guest, 'POST', '', { 'upload-defer-length': 1 }), refusal)
  t.equal((await tus(guest, 'DELETE', places[0] as string)).status, 204)
  const small = await Promise.all(
    Array.from({ length: 95 }, () => tus(guest, 'POST', '', { 'upload-length': 1 })),
  )
  t.equal(small.filter(({ status }) => status === 201).length, 91)
  t.match(
    small.find(({ status }) => status !== 201),
    refusal,
  )
  const moderator = server.as('moderator')
  const whole = await beginUpload(moderator, 1)
  t.equal((await tus(moderator, 'PATCH', whole, { 'upload-offset': 0 }, text('a'))).status, 200) // Does not count.
  const unknown = () => tus(moderator, 'POST', '', { 'upload-defer-length': 1 })
  for (const { status } of await Promise.all(Array.from({ length: 10 }, unknown))) t.equal(status, 201)
  t.match(await unknown(), refusal, 'one of unknown size counts as the largest')
})

t.test(
  '[TUS9] an upload beyond the quota is refused at its creation, or at its end if the quota is full by then',
  async (t) => {
    const quota = await startTestServer(t, { env: { DATA_DIR: await makeFolder(t), UPLOAD_QUOTA_MIB: '1' } })
    const one = quota.as('member')
    const refusal = { status: 400, body: { code: 'REALM_UPLOAD_QUOTA' } }
    t.match(await tus(one, 'POST', '', { 'upload-length': MIB + 1 }), refusal)
    const places = [await beginUpload(one, MIB), await beginUpload(one, 1)]
    t.equal(
      (await tus(one, 'PATCH', places[0] as string, { 'upload-offset': 0 }, Buffer.alloc(MIB, 'a'))).status,
      200,
    )
    t.match(await tus(one, 'PATCH', places[1] as string, { 'upload-offset': 0 }, text('a')), refusal)
    t.equal((await tus(one, 'HEAD', places[1] as string)).status, 404, 'it is deleted')
  },
)

t.test(
  '[TUS10] an upload expires a day after its creation, and the clean-up deletes its bytes',
  async (t) => {
    const clock = new ManualClock()
    const timed = await startTestServer(t, { clock, env: { DATA_DIR: await makeFolder(t) } })
    const one = timed.as('member')
    const { sql, fileStore } = timed.node.services
    const place = await beginUpload(one, 10)
    const head = await tus(one, 'HEAD', place)
    t.equal(head.status, 200)
    const whole = await beginUpload(one, 2)
    const { body } = await tus(one, 'PATCH', whole, { 'upload-offset': 0 }, text('ab'))
    clock.leap(24 * 60 * 60 * 1000 + 1)
    t.equal((await tus(one, 'HEAD', place)).status, 410)
    t.match(await tus(one, 'PATCH', place, { 'upload-offset': 0 }, text('a')), {
      status: 410,
      body: { msg: 'This upload has expired' },
    })
    const before = new Date(clock.nowMs() - 24 * 60 * 60 * 1000)
    t.equal(await expireTusUploads(sql, before, 1), 1)
    t.equal(await expireTusUploads(sql, before, 10), 1)
    t.equal(await expireTusUploads(sql, before, 10), 0)
    t.equal((await tus(one, 'HEAD', place)).status, 404)
    const key = place.split('/').at(-1)?.replace('.', '/') ?? ''
    t.same(
      (await sql`select key from removed_files`).map((row) => row.key),
      [key],
      'the bytes of a complete file stay',
    )
    t.equal(await fileStore.size(body.url.split('/').slice(3, 5).join('/')), 2)
  },
)

t.test(
  '[TUS11] requests count towards the limit of the user, except for those with many bytes',
  async (t) => {
    const limited = await startTestServer(t, {
      env: { DATA_DIR: await makeFolder(t), RATE_LIMIT_USER_PER_MINUTE: '4' },
      clock: new ManualClock(),
      oneNodeFor: 'TUS11',
    })
    const one = limited.as('member')
    const place = await beginUpload(one, 6 * MIB + 1)
    for (let offset = 0; offset < 6 * MIB; offset += MIB) {
      const reply = await tus(one, 'PATCH', place, { 'upload-offset': offset }, Buffer.alloc(MIB))
      t.equal(reply.status, 204)
      t.equal(reply.headers.get('x-ratelimit-remaining'), null)
    }
    const wrong = await tus(one, 'PATCH', place, { 'upload-offset': 1 }, Buffer.alloc(MIB))
    t.equal(wrong.status, 409, 'announced bytes that are not taken do not count as many')
    for (const remaining of ['1', '0']) {
      t.equal((await tus(one, 'HEAD', place)).headers.get('x-ratelimit-remaining'), remaining)
    }
    const refused = await tus(one, 'PATCH', place, { 'upload-offset': 6 * MIB }, text('a'))
    t.match(refused, { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
    t.ok(refused.headers.get('retry-after'))
    t.equal((await tus(one, 'PATCH', place, { 'upload-offset': 6 * MIB }, Buffer.alloc(MIB))).status, 429)
  },
)

t.test('[TUS12] an invalid header is refused', async (t) => {
  const { status, body } = await sendRaw(
    server.node.port,
    Buffer.concat([
      text(`POST /api/v1/tus HTTP/1.1\r\nHost: a\r\nAuthorization: ${member.authorization}\r\n`),
      text('Tus-Resumable: 1.0.0\r\nUpload-Length: 1\r\nUpload-Metadata: filename ä\u{1f600} a\r\n\r\n'),
    ]),
  )
  t.equal(status, 400)
  t.match(body, 'The header upload-metadata is malformed')
})

t.test('[TUS62] an empty file is complete at its creation', async (t) => {
  const made = await tus(member, 'POST', '', {
    'upload-length': 0,
    'upload-metadata': nameMetadata('empty.txt'),
  })
  t.equal(made.status, 201)
  t.same(Object.keys(made.body), ['url', 'filename'])
  t.equal(made.body.filename, 'empty.txt')
  const place = made.headers.get('location') ?? ''
  const head = await tus(member, 'HEAD', place)
  t.same([head.headers.get('upload-offset'), head.headers.get('upload-length')], ['0', '0'])
  t.same((await tus(member, 'PATCH', place, { 'upload-offset': 0 })).body, made.body)
  t.equal((await tus(member, 'PATCH', place, { 'upload-offset': 0 }, text('x'))).status, 413)
  const file = await fetch(encodeURI(server.node.url + made.body.url), {
    headers: { authorization: member.authorization },
  })
  t.equal(file.status, 200)
  t.equal(await file.text(), '')
  const { attachments } = await member.must('GET', '/attachments')
  const found = attachments.filter(({ name }) => name === 'empty.txt')
  t.same(
    found.map(({ size }) => size),
    [0],
    'it is one file',
  )

  const deferred = await tus(member, 'POST', '', { 'upload-defer-length': 1 })
  const later = { 'upload-offset': 0, 'upload-length': 0 }
  const given = await tus(member, 'PATCH', deferred.headers.get('location') ?? '', later)
  t.equal(given.status, 200)
  t.equal(given.body.filename, 'uploaded-file')
  const withBody = { 'upload-length': 0, 'content-type': 'application/offset+octet-stream' }
  t.equal((await tus(member, 'POST', '', withBody)).body.filename, 'uploaded-file')
  t.equal((await tus(member, 'POST', '', withBody, text('x'))).status, 413)
})

t.test('[TUS63] a repeated empty PATCH at the end returns the file each time', async (t) => {
  const place = await beginUpload(member, 3)
  const last = await tus(member, 'PATCH', place, { 'upload-offset': 0 }, text('abc'))
  const { sql } = server.node.services
  for (let count = 0; count < 3; count++) {
    // As if nobody had read the answer so far.
    if (count === 2) await sql`update tus_uploads set is_answered = false`
    for (const body of [undefined, Buffer.alloc(0)]) {
      const again = await tus(member, 'PATCH', place, { 'upload-offset': 3 }, body)
      t.equal(again.status, 200)
      t.equal(again.headers.get('upload-offset'), '3')
      t.same(again.body, last.body)
    }
  }
  t.equal((await tus(member, 'PATCH', place, { 'upload-offset': 2 }, text('c'))).status, 409)
})

t.test('[TUS64] the address of an upload is absolute: the public one, or that of the request', async (t) => {
  const start = (env: Record<string, string> = {}) =>
    startTestServer(t, { env: { DATA_DIR: folder, ...env }, oneNodeFor: 'TUS64' })
  const plain = await start()
  const ask = async (host: string, more = '', { url }: { readonly url: string } = plain.node) => {
    const answer = await sendRaw(
      Number(new URL(url).port),
      `POST /api/v1/tus HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${member.authorization}\r\n` +
        `Tus-Resumable: 1.0.0\r\nUpload-Length: 5\r\n${more}\r\n`,
    )
    return answer.headers.get('location')?.replace(/\/api\/v1\/tus\/[\w.-]+$/, '')
  }
  for (const host of ['chat.example.com', 'chat.example.com:8443', '[::1]:99', 'localhost']) {
    t.equal(await ask(host, 'X-Forwarded-Proto: https\r\n'), `http://${host}`)
  }
  for (const host of ['a/b', 'a b', '"><b>', 'user@host', '', 'x'.repeat(300)]) {
    t.equal(await ask(host), plain.node.url, host)
  }
  const behind = await start({ TRUST_PROXY: 'on' })
  t.equal(
    await ask('chat.example.com', 'X-Forwarded-Proto: https\r\n', behind.node),
    'https://chat.example.com',
  )
  t.equal(await ask('chat.example.com', '', behind.node), 'http://chat.example.com')
  const named = await startTestServer(t, { env: { DATA_DIR: folder, PUBLIC_URL: 'https://public.example' } })
  t.equal(await ask('other.example', '', named.node), 'https://public.example')
})
