/** The outbox against a real server: each message exactly once, whatever is lost. */

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { WindowLoader } from '../../../client/store/messages/load-window.ts'
import { MessageStore } from '../../../client/store/messages/message-store.ts'
import { ofTopic } from '../../../client/store/narrows/narrow.ts'
import { Outbox, type OutboxOptions, type OutboxStorage } from '../../../client/store/outbox/outbox.ts'
import type { Draft, OutboxEntry } from '../../../client/store/outbox/stored-entry.ts'
import { ApiError, ConnectionError, type Event, ParleyClient } from '../../../packages/client/src/index.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const member = server.as('member')
await member.subscribe(['general'])
const client = new ParleyClient({ url: server.node.url, email: member.email, key: member.key })
type Send = OutboxOptions['send']
const send: Send = (params) => client.call('POST /messages', params)

/** A storage that outlives its page. */
class Memory implements OutboxStorage {
  readonly stored = new Map<string, OutboxEntry>()
  load = async () => [...this.stored.values()]
  put = async (entry: OutboxEntry) => void this.stored.set(entry.localId, structuredClone(entry))
  remove = async (localId: string) => void this.stored.delete(localId)
}

let nowMs = 1_000_000
const draftTo = (topic: string, content = 'text'): Draft => ({
  to: { type: 'channel', channelId: 1, topic },
  content,
})

function open(t: TestContext, options: Partial<OutboxOptions> = {}) {
  const outbox = new Outbox({
    storage: new Memory(),
    send,
    queueId: () => 'queue',
    nowMs: () => nowMs++,
    newId: randomUUID,
    ...options,
  })
  const stop = new AbortController()
  const ended = outbox.run(stop.signal)
  const close = async () => {
    stop.abort()
    await ended
  }
  t.teardown(close)
  return { outbox, stop }
}

/** Resolves when the entries fit. */
function until(outbox: Outbox, fits: (entries: readonly OutboxEntry[]) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = outbox.entries.subscribe((entries) => {
      if (fits(entries)) queueMicrotask(() => (end(), resolve()))
    })
  })
}

const isSent = (entries: readonly OutboxEntry[]) =>
  entries.length > 0 && entries.every(({ phase }) => phase.name === 'sent')
const hasFailed = (entries: readonly OutboxEntry[]) => entries.some(({ phase }) => phase.name === 'failed')

async function contentsOf(topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: 1 },
    { operator: 'topic', operand: topic },
  ]
  const fields = { anchor: 'newest', num_before: 100, narrow, apply_markdown: false }
  return (await member.must('GET', '/messages', fields)).messages.map((one) => one.content)
}

t.test('[STORE30] messages are shown at once and sent in order', async (t) => {
  const storage = new Memory()
  const { outbox } = open(t, { storage })
  const adding = [1, 2, 3].map((count) => outbox.add(draftTo('order', `${count}`)))
  t.same(
    outbox.entries.value.map(({ content }) => content),
    ['1', '2', '3'],
  )
  await Promise.all(adding)
  await until(outbox, isSent)
  t.same(await contentsOf('order'), ['1', '2', '3'])
})

t.test('[STORE31] a message whose reply is lost is sent once, also with another event queue', async (t) => {
  let tries = 0
  let queueId = 'first'
  const { outbox } = open(t, {
    queueId: () => queueId,
    async send(params) {
      const reply = await send(params)
      if (tries++ > 0) return reply
      queueId = 'second'
      setImmediate(() => outbox.retryNow()) // Once it waits.
      throw new ConnectionError('the reply is lost')
    },
  })
  await outbox.add(draftTo('lost'))
  await until(outbox, isSent)
  t.equal(tries, 2)
  t.same(await contentsOf('lost'), ['text'])
})

t.test('[STORE32] a message is sent once by pages that are closed and opened again', async (t) => {
  const storage = new Memory()
  const arrived = Promise.withResolvers<void>()
  const first = open(t, {
    storage,
    async send(params) {
      await send(params)
      first.stop.abort()
      arrived.resolve()
      throw new ConnectionError('the page is closed')
    },
  })
  await first.outbox.add(draftTo('reload'))
  await arrived.promise
  t.equal(storage.stored.size, 1)
  const [second, third] = [open(t, { storage }), open(t, { storage })]
  await Promise.all([until(second.outbox, isSent), until(third.outbox, isSent)])
  t.same(await contentsOf('reload'), ['text'])
})

t.test(
  '[STORE33] a refused message stays with its reason, and is edited, sent again or discarded',
  async (t) => {
    const storage = new Memory()
    const { outbox } = open(t, { storage })
    await outbox.add({ to: { type: 'channel', channelId: 99, topic: 'refused' }, content: 'to nowhere' })
    await outbox.add(draftTo('refused', 'goes on'))
    await until(outbox, (entries) => hasFailed(entries) && entries.some(({ phase }) => phase.name === 'sent'))
    const failed = outbox.entries.value.find(({ phase }) => phase.name === 'failed') as OutboxEntry
    t.match(failed.phase, { name: 'failed', mayBeSent: false, reason: /99/ })
    t.match([...storage.stored.values()], [{ phase: { name: 'failed' } }])
    await outbox.retry(failed.localId, draftTo('refused', 'edited'))
    await until(outbox, isSent)
    t.same(await contentsOf('refused'), ['goes on', 'edited'])
    await outbox.add({ to: { type: 'direct', userIds: [999] }, content: 'to nobody' })
    await until(outbox, hasFailed)
    const { localId } = outbox.entries.value.find(({ phase }) => phase.name === 'failed') as OutboxEntry
    await outbox.discard(localId)
    t.notOk(hasFailed(outbox.entries.value))
    t.equal(storage.stored.size, 0)
  },
)

t.test('[STORE34] after a week a person decides whether to send again', async (t) => {
  const storage = new Memory()
  const entry: OutboxEntry = {
    ...draftTo('old'),
    queueId: 'queue',
    localId: 'old',
    typedAtMs: 1,
    triedAtMs: nowMs - 8 * 24 * 3_600_000,
    phase: { name: 'waiting' },
  }
  await storage.put(entry)
  const { outbox } = open(t, { storage })
  await until(outbox, hasFailed)
  t.match(outbox.entries.value, [{ phase: { mayBeSent: true } }])
  t.same(await contentsOf('old'), [])
  await outbox.retry('old')
  await until(outbox, isSent)
  t.not(outbox.entries.value[0]?.localId, 'old')
  t.same(await contentsOf('old'), ['text'])
})

t.test(
  '[STORE35] an entry leaves the outbox when its message arrives, before or after the reply',
  async (t) => {
    const queue = await member.register({ event_types: ['message'] })
    const storage = new Memory()
    let outbox: Outbox
    const note = async () => {
      for (const event of (await member.events(queue)) as unknown as Event[]) outbox.note(event)
    }
    ;({ outbox } = open(t, {
      storage,
      queueId: () => queue.queueId,
      async send(params) {
        const reply = await send(params)
        if (params.content === 'early') await note()
        return reply
      },
    }))
    await outbox.add(draftTo('echo', 'early'))
    await until(outbox, (entries) => entries.length === 0)
    await outbox.add(draftTo('echo', 'late'))
    await until(outbox, isSent)
    await note()
    t.same(outbox.entries.value, [])
    t.same(await contentsOf('echo'), ['early', 'late'])
  },
)

t.test('[STORE36] without a working storage messages are sent, and the outbox shows it', async (t) => {
  const refuse = async () => {
    throw new Error('the disk is full')
  }
  const { outbox } = open(t, { storage: { load: refuse, put: refuse, remove: refuse } })
  await outbox.add(draftTo('full'))
  await until(outbox, isSent)
  t.equal(outbox.isDurable.value, false)
  t.same(await contentsOf('full'), ['text'])
})

t.test('[STORE58] messages of one millisecond are sent in the order in which they were typed', async (t) => {
  let count = 9
  const { outbox } = open(t, { nowMs: () => 1_000_000, newId: () => `instant ${count--}` })
  for (const content of ['1', '2', '3']) void outbox.add(draftTo('instant', content))
  await until(outbox, isSent)
  t.same(await contentsOf('instant'), ['1', '2', '3'])
})

t.test(
  '[STORE59] a message that arrives by another queue than its own, or by a registration, leaves the outbox',
  async (t) => {
    const queue = await member.register({ event_types: ['message'] })
    let outbox: Outbox
    ;({ outbox } = open(t, {
      queueId: () => 'of a page that was closed',
      async send(params) {
        const reply = await send(params)
        if (params.content === 'event')
          for (const event of (await member.events(queue)) as unknown as Event[]) outbox.note(event)
        if (params.content === 'registered before the reply') outbox.noteAll(reply.id)
        return reply
      },
    }))
    for (const content of ['event', 'registered before the reply']) {
      await outbox.add(draftTo('elsewhere', content))
      await until(outbox, (entries) => entries.length === 0)
    }
    await outbox.add(draftTo('elsewhere', 'registered later'))
    await until(outbox, isSent)
    const { max_message_id } = (await member.register({ event_types: ['message'] })).state
    outbox.noteAll(max_message_id)
    t.same(outbox.entries.value, [])
  },
)

for (const [status, code] of [
  [401, 'UNAUTHORIZED'],
  [403, 'CSRF_FAILED'], // Somebody logged in again on another page.
] as const) {
  const id = status === 401 ? 'STORE100' : 'STORE123'
  t.test(
    `[${id}] a message that is answered ${status} waits, and is sent after the next log-in`,
    async (t) => {
      let isOut = true
      const { outbox } = open(t, {
        async send(params) {
          if (isOut) throw new ApiError(status, { msg: 'Not logged in', code })
          return send(params)
        },
      })
      let attempts = 0
      const end = outbox.entries.subscribe((entries) => {
        if (entries[0]?.triedAtMs !== undefined) attempts++
      })
      await outbox.add(draftTo(code))
      await until(outbox, () => attempts > 0)
      isOut = false
      outbox.retryNow()
      await until(outbox, isSent)
      end()
      t.same(await contentsOf(code), ['text'])
    },
  )
}

t.test('[STORE101] sent messages that never arrive leave the outbox, the oldest first', async (t) => {
  const { outbox } = open(t, { send: async () => ({ id: 1_000_000 + nowMs }) })
  for (let count = 0; count < 25; count++) await outbox.add(draftTo('unseen', `${count}`))
  await until(
    outbox,
    (entries) => entries.at(-1)?.content === '24' && entries.every(({ phase }) => phase.name === 'sent'),
  )
  t.same(
    outbox.entries.value.map(({ content }) => content),
    Array.from({ length: 20 }, (_, index) => `${index + 5}`),
  )
})

/** A conversation with its outbox, as a page shows them. The server takes what is sent at once; the reply waits. */
async function openPage(t: TestContext, topic: string, options: Partial<OutboxOptions> = {}) {
  const queue = await member.register({ event_types: ['message'], apply_markdown: true })
  const store = new MessageStore(() => member.userId)
  const loader = new WindowLoader(store, (params) => client.call('GET /messages', params))
  const narrow = ofTopic(1, topic)
  const taken = Promise.withResolvers<void>()
  const replied = Promise.withResolvers<void>()
  let queueId = queue.queueId
  const { outbox } = open(t, {
    queueId: () => queueId,
    async send(params) {
      const reply = await send(params)
      taken.resolve()
      await replied.promise
      return reply
    },
    ...options,
  })
  outbox.noteAll(queue.state.max_message_id)
  const countShown = () => {
    const { messages } = store.window(narrow).value
    return messages.length + outbox.shownIn(narrow, messages, member.userId).length
  }
  await loader.open(narrow, 'newest')
  return {
    outbox,
    taken: taken.promise,
    countShown,
    setQueue: (id: string) => (queueId = id),
    steps: {
      reply: async () => {
        replied.resolve()
        await new Promise(setImmediate)
      },
      event: async () => {
        queueId = queue.queueId
        for (const event of (await member.events(queue)) as unknown as Event[]) {
          store.apply(event)
          outbox.note(event)
        }
      },
      page: () => loader.open(narrow, 'newest'),
    },
  }
}

const ORDERS = [
  ['reply', 'event', 'page'],
  ['reply', 'page', 'event'],
  ['event', 'reply', 'page'],
  ['event', 'page', 'reply'],
  ['page', 'reply', 'event'],
  ['page', 'event', 'reply'],
] as const

for (const order of ORDERS) {
  t.test(
    `[STORE104] a message is shown once, and at all times, with its ${order.join(', then its ')}`,
    async (t) => {
      for (const own of ['own queue', 'other queue']) {
        const page = await openPage(t, `${own}: ${order.join()}`)
        // Of a registration before: then the event does not name the entry.
        if (own === 'other queue') page.setQueue('of an earlier registration')
        await page.outbox.add(draftTo(`${own}: ${order.join()}`))
        t.equal(page.countShown(), 1, own)
        await page.taken
        for (const step of order) {
          await page.steps[step]()
          t.equal(page.countShown(), 1, `${own}, ${step}`)
        }
        t.same(page.outbox.entries.value, [])
      }
    },
  )
}

t.test('[STORE105] a message whose reply was lost is shown once while it is sent again', async (t) => {
  const again = Promise.withResolvers<void>()
  let tries = 0
  const failed = Promise.withResolvers<void>()
  const page = await openPage(t, 'again', {
    async send(params) {
      const reply = await send(params)
      if (tries++ > 0) {
        await again.promise
        return reply
      }
      failed.resolve()
      throw new ConnectionError('the reply is lost')
    },
  })
  await page.outbox.add(draftTo('again'))
  await failed.promise
  await page.steps.page()
  t.equal(page.countShown(), 1)
  page.outbox.noteAll((await member.register({ event_types: ['message'] })).state.max_message_id)
  page.outbox.retryNow()
  t.equal(page.countShown(), 1)
  again.resolve()
  await until(page.outbox, (entries) => entries.length === 0)
  t.equal(page.countShown(), 1)
})

t.test('[STORE106] a message that was written elsewhere does not stand for one on its way', async (t) => {
  const gone = new ConnectionError('there is no connection')
  const page = await openPage(t, 'elsewhere too', { send: () => Promise.reject(gone) })
  await page.outbox.add(draftTo('elsewhere too'))
  await until(page.outbox, (entries) => entries[0]?.afterId !== undefined)
  await member.send('general', 'elsewhere too', 'by a phone')
  await page.steps.event()
  t.equal(page.countShown(), 2)
  await page.steps.page()
  t.equal(page.countShown(), 2)
})

t.test('[STORE113] a message that arrives while the outbox is opened again does not come back', async (t) => {
  const sending = Promise.withResolvers<void>()
  const reply = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  const memory = new Memory()
  let isSlow = false
  const storage: OutboxStorage = {
    put: memory.put,
    remove: memory.remove,
    async load() {
      const stored = await memory.load()
      if (isSlow) await read.promise
      return stored
    },
  }
  const queue = await member.register({ event_types: ['message'] })
  const { outbox, stop } = open(t, {
    storage,
    queueId: () => queue.queueId,
    async send(params) {
      const answer = await send(params)
      sending.resolve()
      await reply.promise
      return answer
    },
  })
  await outbox.add(draftTo('opened again'))
  await sending.promise
  stop.abort()
  isSlow = true
  const again = new AbortController()
  const ended = outbox.run(again.signal)
  t.teardown(async () => {
    again.abort()
    await ended
  })
  for (const event of (await member.events(queue)) as unknown as Event[]) outbox.note(event)
  t.same(outbox.entries.value, [])
  const shown: unknown[] = []
  t.teardown(outbox.entries.subscribe((entries) => void shown.push(...entries)))
  read.resolve()
  await new Promise(setImmediate)
  reply.resolve()
  await new Promise(setImmediate)
  t.same(shown, [])
})

t.test('[STORE114] messages that wait follow their topic to another place, with their marks', async (t) => {
  const storage = new Memory()
  let isAway = true
  const { outbox } = open(t, {
    storage,
    send: (params) => (isAway ? Promise.reject(new ConnectionError('away')) : send(params)),
  })
  await outbox.add(draftTo('before', 'it moves'))
  await outbox.add(draftTo('other', 'it stays'))
  const [moved] = outbox.entries.peek()
  const to = { type: 'channel', channelId: 1, topic: '✔ before' } as const
  outbox.redirect({ type: 'channel', channelId: 1, topic: 'Before' }, to)
  t.same(
    outbox.entries.peek().map((entry) => entry.to),
    [to, { ...to, topic: 'other' }],
  )
  t.equal(outbox.entries.peek()[0]?.localId, moved?.localId)
  isAway = false
  const sent = until(outbox, (entries) => entries.every(({ phase }) => phase.name === 'sent'))
  outbox.retryNow()
  await sent
  const narrow = [{ operator: 'topic', operand: '✔ before' }]
  const { messages } = await client.call('GET /messages', {
    narrow,
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
  })
  t.match(messages, [{ content: '<p>it moves</p>' }])
  t.equal(messages.length, 1)
})
