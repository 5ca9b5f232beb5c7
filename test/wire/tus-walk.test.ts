/** Resumable uploads in any order, right and wrong: the answers equal a plain model. */

import t from 'tap'
import { makeRandom } from '../events/make-random.ts'
import type { Client } from '../harness/client/client.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { nameMetadata, tus, type TusReply } from '../harness/client/tus.ts'
import { getFile } from '../harness/client/user-files.ts'

const STEPS = Number(process.env.PARLEY_WALK_LENGTH ?? 150)
const LENGTH_MAX = 300
/** Possible values of headers, each of which is wrong somewhere. */
const ODD = ['', '-1', '1e3', '0', '99999999999999999999', 'a b', '\u00ff', ' 1', '1,1', 'true']
const ODD_HEADERS = [
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-defer-length',
  'content-type',
]
const ODD_PATHS = ['', '/', '/x', '/%00', '/..%2f', '/%ff', '/a.b.c', `/${'x'.repeat(2_000)}`]

interface Upload {
  readonly path: string
  readonly owner: Client
  readonly whole: Buffer
  offset: number
  state: 'open' | 'ended' | { readonly url: string }
}

const server = await startTestServer(t)
const clients = [server.as('member'), server.as('guest')] as const
const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)

t.test('[WALKX2] random requests to resumable uploads give the same as a plain model', async (t) => {
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed)
  const uploads: Upload[] = []
  const wanted = (what: string, reply: TusReply, ...statuses: number[]) => {
    if (!statuses.includes(reply.status))
      throw new Error(
        `PARLEY_TEST_SEED=${seed}: ${what} was answered ${reply.status} ${JSON.stringify(reply.body)}`,
      )
  }
  const follow = (upload: Upload, reply: TusReply) => {
    if (upload.offset === upload.whole.length) upload.state = { url: reply.body.url }
    else if (Number(reply.headers.get('upload-offset')) !== upload.offset)
      throw new Error(
        `PARLEY_TEST_SEED=${seed}: ${reply.headers.get('upload-offset')} of ${upload.offset} bytes arrived`,
      )
  }
  const begin = async () => {
    const owner = random.pick(clients)
    const number = uploads.length
    const whole = Buffer.from(`upload ${number} `.repeat(LENGTH_MAX)).subarray(
      0,
      20 + random.below(LENGTH_MAX),
    )
    const first = random.below(3) === 0 ? random.below(whole.length + 1) : 0
    const headers = { 'upload-length': whole.length, 'upload-metadata': nameMetadata(`${number}.txt`) }
    const reply =
      first === 0
        ? await tus(owner, 'POST', '', headers)
        : await tus(
            owner,
            'POST',
            '',
            { ...headers, 'content-type': 'application/offset+octet-stream' },
            whole.subarray(0, first),
          )
    wanted('POST', reply, 201)
    const path = reply.headers.get('location') as string
    const upload: Upload = { path, owner, whole, offset: first, state: 'open' }
    uploads.push(upload)
    if (first > 0) follow(upload, reply)
  }
  const go = async (upload: Upload) => {
    const { path, owner, whole, offset } = upload
    const length = random.below(whole.length - offset + 1)
    const rest = whole.subarray(offset, offset + (random.below(2) === 0 ? length : whole.length))
    if (rest.length === 0) return
    const reply = await tus(owner, 'PATCH', path, { 'upload-offset': offset }, rest)
    wanted('PATCH', reply, 200, 204)
    upload.offset += rest.length
    follow(upload, reply)
  }
  const goWrong = async ({ path, owner, whole, offset }: Upload) => {
    const stranger = clients.find((one) => one !== owner) as Client
    const ask = random.pick<() => Promise<[TusReply, number]>>([
      async () => [
        await tus(owner, 'PATCH', path, { 'upload-offset': offset + 1 + random.below(9) }, Buffer.from('x')),
        409,
      ],
      async () => [
        await tus(owner, 'PATCH', path, { 'upload-offset': offset }, Buffer.alloc(whole.length - offset + 1)),
        413,
      ],
      async () => [await tus(stranger, 'PATCH', path, { 'upload-offset': offset }, Buffer.from('x')), 404],
      async () => [await tus(stranger, 'HEAD', path), 404],
      async () => [await tus(stranger, 'DELETE', path), 404],
    ])
    const [reply, status] = await ask()
    wanted('what is wrong', reply, status)
  }
  for (let step = 0; step < STEPS; step++) {
    const open = uploads.filter(({ state }) => state === 'open')
    const upload = open.length > 0 ? random.pick(open) : undefined
    const kind = random.below(10)
    if (!upload || (kind < 2 && open.length < 8)) await begin()
    else if (kind < 6) await go(upload)
    else if (kind < 7) await goWrong(upload)
    else if (kind < 8) {
      const owner = random.pick(clients)
      const path = random.pick([upload.path, ...ODD_PATHS])
      const odd = { [random.pick(ODD_HEADERS)]: random.pick(ODD) }
      const method = random.pick(['POST', 'HEAD', 'PATCH', 'OPTIONS', 'PUT'])
      // Refused in any case: no body, and no offset that is right with one.
      const reply = await tus(owner, method, path, odd)
      if (reply.status >= 500)
        throw new Error(`PARLEY_TEST_SEED=${seed}: ${method} ${path} ${JSON.stringify(odd)}`)
      const begun = reply.status === 201 ? reply.headers.get('location') : undefined
      if (begun && reply.body?.url !== undefined) {
        // Without bytes it is complete at once.
        const state = { url: reply.body.url }
        uploads.push({ path: begun, owner, whole: Buffer.alloc(0), offset: 0, state })
      } else if (begun) wanted('DELETE', await tus(owner, 'DELETE', begun), 204)
    } else if (kind < 9) {
      const reply = await tus(upload.owner, 'HEAD', upload.path)
      wanted('HEAD', reply, 200)
      follow(upload, reply)
    } else if (random.below(3) === 0) {
      wanted('DELETE', await tus(upload.owner, 'DELETE', upload.path), 204)
      wanted('HEAD', await tus(upload.owner, 'HEAD', upload.path), 404, 410)
      upload.state = 'ended'
    }
  }
  for (const { owner, whole, state } of uploads) {
    if (typeof state === 'string') continue
    const { bytes } = await getFile(owner, encodeURI(state.url))
    if (!bytes.equals(whole)) throw new Error(`PARLEY_TEST_SEED=${seed}: ${state.url} has other bytes`)
  }
  for (const client of clients) {
    const { attachments } = await client.must('GET', '/attachments')
    const own = uploads.filter(({ owner }) => owner === client)
    t.same(
      new Set(attachments.map((one) => `/user_uploads/${one.path_id}`)),
      new Set(own.flatMap(({ state }) => (typeof state === 'string' ? [] : [state.url]))),
      'exactly the complete files are listed',
    )
  }
  t.ok(
    uploads.some(({ state }) => typeof state !== 'string'),
    'some were brought whole',
  )
})
