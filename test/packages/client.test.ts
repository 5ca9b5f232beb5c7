/** The client package against a real server. */

import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import {
  ApiError,
  ConnectionError,
  type Event,
  type InitialState,
  ParleyClient,
  type Update,
} from '../../packages/client/src/index.ts'
import { ACCOUNTS, emailOf, type Person, startTestServer } from '../harness/servers/start-server.ts'
import { startProxy } from './start-proxy.ts'

const server = await startTestServer(t)
const { url } = server.node
const member = server.as('member')
await member.subscribe(['general'], { principals: [ACCOUNTS.get('member2')?.id] })
await member.subscribe(['general'])

function clientOf(person: Person, at = url): ParleyClient {
  return new ParleyClient({ url: at, email: emailOf(person), key: ACCOUNTS.get(person)?.key ?? '' })
}

/** Follows updates until `isEnough`; returns all of them. */
async function collect(
  updates: AsyncGenerator<Update, void, void>,
  isEnough: (all: readonly Update[]) => boolean,
  onUpdate: (update: Update, all: readonly Update[]) => void | Promise<void> = () => {},
): Promise<Update[]> {
  const all: Update[] = []
  for await (const update of updates) {
    all.push(update)
    await onUpdate(update, all)
    if (isEnough(all)) break
  }
  return all
}

const eventsOf = (updates: readonly Update[]): Event[] =>
  updates.flatMap((update) => (update.kind === 'event' ? [update.event] : []))
const contentsOf = (updates: readonly Update[]): string[] =>
  eventsOf(updates).flatMap((event) => (event.type === 'message' ? [event.message.content] : []))

t.test(
  '[PACKAGE2] a request puts parameters into the path, the query or the form, and returns the reply',
  async (t) => {
    const client = clientOf('member')
    const me = await client.call('GET /users/me')
    t.equal(me.user_id, member.userId)
    const { user } = await client.call('GET /users/{user_id}', { user_id: me.user_id })
    t.equal(user.full_name, 'The member')
    const content = 'a & b = "ü" 🎉\n+%2B'
    const { id } = await client.call('POST /messages', {
      type: 'channel',
      to: 'general',
      topic: 't',
      content,
    })
    const { messages } = await client.call('GET /messages', { message_ids: [id], apply_markdown: false })
    t.equal(messages[0]?.content, content)
    const fragment = 'narrow/channel/1-general/topic/ü'
    await client.call('POST /navigation_views', { fragment, is_pinned: true, name: 'Mine' })
    await client.call('PATCH /navigation_views/{fragment}', { fragment, is_pinned: false })
    const { navigation_views: views } = await client.call('GET /navigation_views')
    t.equal(views.find((view) => view.fragment === fragment)?.is_pinned, false)
  },
)

t.test('[PACKAGE3] a refusal is an ApiError with its status, code, message and fields', async (t) => {
  const call = clientOf('member').call('POST /messages', {
    type: 'channel',
    to: 'nowhere',
    topic: 't',
    content: 'x',
  })
  const error = await call.catch((failure: unknown) => failure)
  if (!(error instanceof ApiError)) throw new Error('it was sent')
  t.equal(error.status, 400)
  t.equal(error.code, 'STREAM_DOES_NOT_EXIST')
  t.equal(error.fields.stream, 'nowhere')
  t.match(error.message, /nowhere/)
  t.equal(error.retryAfterSeconds, undefined)
})

t.test('[PACKAGE4] a missing or foreign server is a ConnectionError', async (t) => {
  await t.rejects(
    new ParleyClient({ url: 'http://127.0.0.1:1' }).call('GET /server_settings'),
    ConnectionError,
  )
  const client = new ParleyClient({ url, fetch: async () => new Response('<html>', { status: 502 }) })
  await t.rejects(client.call('GET /server_settings'), ConnectionError)
})

t.test('[PACKAGE15] the state of a registration is typed, and its fields are optional', async (t) => {
  const register = { event_types: ['message'], fetch_event_types: ['realm_user', 'user_settings'] }
  const { value } = await clientOf('member').updates({ register }).next()
  if (value?.kind !== 'registered') throw new Error('it is not registered')
  const { state }: { readonly state: InitialState } = value
  // The compiler knows each of these fields.
  const names = state.realm_users?.map((user) => user.full_name) ?? []
  t.ok(names.includes('The member'))
  t.equal(state.user_settings?.emojiset, 'google')
  t.equal(state.drafts, undefined)
})

t.test('[PACKAGE5] a signal aborts a request', async (t) => {
  const { queue_id } = await clientOf('member').call('POST /register', { event_types: ['realm'] })
  if (queue_id === null) throw new Error('no queue')
  const controller = new AbortController()
  const poll = clientOf('member').callWith(controller, 'GET /events', { queue_id, last_event_id: -1 })
  controller.abort(new Error('enough'))
  await t.rejects(poll, /enough/)
})

for (const transport of ['websocket', 'sse', 'poll'] as const) {
  t.test(`[PACKAGE6] updates by ${transport}: the state, then each event once and in order`, async (t) => {
    const options = { register: { event_types: ['message'] }, transports: [transport] }
    const updates = await collect(
      clientOf('member2').updates(options),
      (all) => all.length === 21,
      async ({ kind }) => {
        if (kind !== 'registered') return
        for (let index = 0; index < 20; index++) await member.send('general', transport, String(index))
      },
    )
    t.equal(updates[0]?.kind, 'registered')
    t.same(
      contentsOf(updates),
      Array.from({ length: 20 }, (_, index) => String(index)),
    )
  })
}

t.test('[PACKAGE7] a transport that a proxy blocks is replaced by the next', async (t) => {
  const proxy = await startProxy(t, url, ['upgrade: websocket', 'text/event-stream'])
  const updates = await collect(
    clientOf('member2', proxy.url).updates({ register: { event_types: ['message'] }, retryMs: 1 }),
    (all) => all.length === 2,
    async ({ kind }) => {
      if (kind === 'registered') await member.send('general', 'proxy', 'by poll')
    },
  )
  t.same(contentsOf(updates), ['by poll'])
  t.ok(proxy.requests.some((line) => line.startsWith('get /api/v1/events?')))
})

const WEB_SOCKETS = 'upgrade: websocket'
const STREAMS = 'text/event-stream'
for (const { title, refused, left } of [
  {
    title:
      '[PACKAGE16] events return from a stream to a WebSocket once a proxy allows it: none lost, none doubled',
    refused: [WEB_SOCKETS],
    left: [],
  },
  {
    title:
      '[PACKAGE17] events return from polls to a WebSocket once a proxy allows it: none lost, none doubled',
    refused: [WEB_SOCKETS, STREAMS],
    left: [],
  },
  {
    title:
      '[PACKAGE18] events return from polls to a stream if WebSockets are still blocked: none lost, none doubled',
    refused: [WEB_SOCKETS, STREAMS],
    left: [WEB_SOCKETS],
  },
]) {
  t.test(title, async (t) => {
    const texts = [...refused]
    const proxy = await startProxy(t, url, texts)
    const seeking = Promise.withResolvers<() => void>()
    // Short waits follow failures; the long one comes before a try of a better transport.
    const wait = (ms: number, signal: AbortSignal | undefined) =>
      new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve())
        if (ms < 1_000) resolve()
        else seeking.resolve(resolve)
      })
    const isOpened = (line: string) =>
      line.startsWith('get /api/v1/events/stream') && line.includes('ticket=') === left.length < 1
    let [sent, goal] = [0, Number.POSITIVE_INFINITY]
    const sendAll = async () => {
      const tryNow = await seeking.promise
      texts.splice(0, texts.length, ...left)
      const since = proxy.requests.length
      tryNow()
      while (sent < goal) {
        await member.send('general', 'return', String(sent++))
        if (goal === Number.POSITIVE_INFINITY && proxy.requests.slice(since).some(isOpened)) goal = sent + 10
      }
    }
    let sending: Promise<void> | undefined
    const updates = await collect(
      clientOf('member2', proxy.url).updates({ register: { event_types: ['message'] }, retryMs: 1, wait }),
      (all) => all.length === goal + 1,
      () => void (sending ??= sendAll()),
    )
    await sending
    t.same(
      contentsOf(updates),
      Array.from({ length: goal }, (_, index) => String(index)),
    )
    t.ok(isOpened(proxy.requests.at(-1) ?? ''), 'and nothing else was asked for since')
  })
}

for (const transport of ['websocket', 'sse', 'poll'] as const) {
  t.test(`[PACKAGE8] events by ${transport} over cut connections: none lost, none doubled`, async (t) => {
    const proxy = await startProxy(t, url)
    const client = clientOf('member2', proxy.url)
    const options = { register: { event_types: ['message'] }, transports: [transport], retryMs: 1 }
    let sent = 0
    const updates = await collect(
      client.updates(options),
      (all) => all.length === 31,
      async () => {
        if (sent % 3 === 0) proxy.cut()
        if (sent < 30) await member.send('general', 'cut', String(sent++))
      },
    )
    t.same(
      contentsOf(updates),
      Array.from({ length: 30 }, (_, index) => String(index)),
    )
    t.equal(updates.filter(({ kind }) => kind === 'registered').length, 1)
  })
}

for (const transport of ['websocket', 'sse', 'poll'] as const) {
  t.test(`[PACKAGE9] a queue that is gone is registered again, by ${transport}`, async (t) => {
    const options = { register: { event_types: ['message'] }, transports: [transport], retryMs: 1 }
    const updates = await collect(
      clientOf('member2').updates(options),
      (all) => all.length === 4,
      async (update, all) => {
        if (all.length === 1) await member.send('general', 'gone', 'before')
        if (all.length === 2) {
          const { state } = all[0] as Extract<Update, { kind: 'registered' }>
          await server.as('member2').delete('/events', { queue_id: state.queue_id })
        }
        if (all.length === 3) await member.send('general', 'gone', 'after')
      },
    )
    t.same(
      updates.map(({ kind }) => kind),
      ['registered', 'event', 'registered', 'event'],
    )
    t.same(contentsOf(updates), ['before', 'after'])
  })
}

t.test('[PACKAGE10] wrong credentials end the updates with that error', async (t) => {
  const client = new ParleyClient({ url, email: emailOf('member'), key: 'x'.repeat(32) })
  await t.rejects(client.updates({ retryMs: 1 }).next(), {
    name: 'ApiError',
    status: 401,
    code: 'UNAUTHORIZED',
  })
})

t.test('[PACKAGE11] the signal ends the updates, whatever they wait for', async (t) => {
  for (const transport of ['websocket', 'sse', 'poll'] as const) {
    const controller = new AbortController()
    const updates = await collect(
      clientOf('member2').updates({
        register: { event_types: ['message'] },
        transports: [transport],
        signal: controller.signal,
      }),
      () => false,
      () => void setImmediate(() => controller.abort()),
    )
    t.equal(updates.length, 1)
  }
})

t.test('[PACKAGE12] an upload resumes after a cut connection, and reports its progress', async (t) => {
  const proxy = await startProxy(t, url)
  const file = randomBytes(20 * 1024 * 1024)
  const progress: number[] = []
  const uploaded = await clientOf('member', proxy.url).upload(file, {
    name: 'Große Datei.bin',
    type: 'application/octet-stream',
    onProgress({ bytesStored }) {
      progress.push(bytesStored)
      if (progress.length === 1) proxy.cut()
    },
  })
  t.equal(uploaded.filename, 'Große Datei.bin')
  t.equal(progress.at(-1), file.length)
  const { url: temporary } = await member.must('GET', encodeURI(uploaded.url))
  const bytes = Buffer.from(await (await fetch(url + temporary)).arrayBuffer())
  const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex')
  t.equal(digest(bytes), digest(file))
})

t.test('[PACKAGE19] blobs and plain arrays are uploaded outside of browsers, too', async (t) => {
  const bytes = new Uint8Array(randomBytes(9 * 1024 * 1024)) // More than one piece.
  for (const file of [bytes, new Blob([bytes])]) {
    const uploaded = await clientOf('member').upload(file, { name: 'pieces.bin' })
    const { url: temporary } = await member.must('GET', encodeURI(uploaded.url))
    const stored = Buffer.from(await (await fetch(url + temporary)).arrayBuffer())
    t.ok(stored.equals(bytes), file.constructor.name)
  }
})

t.test('[PACKAGE13] a refused upload is an ApiError', async (t) => {
  const client = new ParleyClient({ url, email: emailOf('member'), key: 'x'.repeat(32) })
  await t.rejects(client.upload(Buffer.from('x'), { name: 'x.txt' }), { name: 'ApiError', status: 401 })
})
