/** Drafts of several devices against a real server: no word of any device is lost. */

import t from 'tap'
import { type DraftEntry, draftKey } from '../../../client/store/drafts/draft-entry.ts'
import { Drafts, type DraftsOptions, type DraftStorage } from '../../../client/store/drafts/drafts.ts'
import { ConnectionError, type Draft, ParleyClient } from '../../../packages/client/src/index.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const member = server.as('member')
await member.subscribe(['general'])
const { streams } = await member.must('GET', '/streams')
const channelId: number = streams[0].stream_id
const client = new ParleyClient({ url: server.node.url, email: member.email, key: member.key })
const placeOf = (topic: string) => ({ type: 'channel', channelId, topic }) as const

/** A storage that outlives its page. */
class Memory implements DraftStorage {
  readonly stored = new Map<string, DraftEntry>()
  load = async () => [...this.stored.values()]
  note = () => undefined
  put = async (entry: DraftEntry) => void this.stored.set(draftKey(entry.place), structuredClone(entry))
  remove = async (key: string) => void this.stored.delete(key)
}

let nowMs = 1_000_000

function open(t: TestContext, options: Partial<DraftsOptions> = {}) {
  const drafts = new Drafts({
    storage: new Memory(),
    create: async (draft) => (await client.call('POST /drafts', { drafts: [draft] })).ids[0] ?? 0,
    update: (id, draft) => client.call('PATCH /drafts/{draft_id}', { draft_id: id, draft }),
    remove: (id) => client.call('DELETE /drafts/{draft_id}', { draft_id: id }),
    isShared: () => true,
    nowMs: () => nowMs,
    ...options,
  })
  const stop = new AbortController()
  const ended = drafts.run(stop.signal)
  t.teardown(async () => {
    stop.abort()
    await ended
  })
  return drafts
}

/** The drafts of one topic on the server. */
async function listOf(topic: string): Promise<readonly Draft[]> {
  const { drafts } = await client.call('GET /drafts')
  return drafts.filter((one) => one.topic === topic)
}

/** Resolves when an entry fits. */
function until(
  drafts: Drafts,
  topic: string,
  fits: (entry: DraftEntry | undefined) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const end = drafts.entries.subscribe((entries) => {
      if (fits(entries.get(draftKey(placeOf(topic))))) queueMicrotask(() => (end(), resolve()))
    })
  })
}

/** The pause after typing is over, and the server has the text. */
async function save(drafts: Drafts, topic: string): Promise<void> {
  nowMs += 5_000
  drafts.take(await listOf(topic), false)
  await until(drafts, topic, (entry) => entry === undefined || entry.isSaved)
}

const contentAt = (drafts: Drafts, topic: string) => drafts.at(placeOf(topic))?.content

t.test('[WRITE31] a draft moves from device to device, and ends on all of them', async (t) => {
  const [one, two] = [open(t), open(t)]
  await one.change(placeOf('move'), { content: 'first' })
  await save(one, 'move')
  two.take(await listOf('move'), true)
  await until(two, 'move', (entry) => entry?.content === 'first')
  await two.change(placeOf('move'), { content: 'first and second' })
  await save(two, 'move')
  one.take(await listOf('move'), false)
  await until(one, 'move', (entry) => entry?.content === 'first and second')
  await one.remove(placeOf('move'))
  await until(one, 'move', (entry) => entry === undefined)
  t.same(await listOf('move'), [])
  two.take([], false)
  await until(two, 'move', (entry) => entry === undefined)
})

t.test('[WRITE32] the next page of a device has the words of one that crashed', async (t) => {
  const storage = new Memory()
  const crashed = open(t, { storage, isShared: () => false })
  await crashed.change(placeOf('crash'), { content: 'typed' })
  const next = open(t, { storage, isShared: () => false })
  await until(next, 'crash', (entry) => entry?.content === 'typed')
  t.same(await listOf('crash'), [])
})

t.test(
  '[WRITE33] words that are not saved yet stay when another device saves or removes the draft',
  async (t) => {
    const [one, two] = [open(t), open(t)]
    await one.change(placeOf('both'), { content: 'start' })
    await save(one, 'both')
    two.take(await listOf('both'), true)
    await until(two, 'both', (entry) => entry?.content === 'start')
    await two.change(placeOf('both'), { content: 'start, two' })
    await one.change(placeOf('both'), { content: 'start, one' })
    await save(one, 'both')
    await one.remove(placeOf('both'))
    await until(one, 'both', (entry) => entry === undefined)
    two.take([], false)
    await until(two, 'both', (entry) => entry?.serverId === undefined)
    t.equal(contentAt(two, 'both'), 'start, two')
    await save(two, 'both')
    t.match(await listOf('both'), [{ content: 'start, two' }])
  },
)

t.test('[WRITE34] a lost reply makes no second draft', async (t) => {
  let made = 0
  const stored = Promise.withResolvers<void>()
  const drafts = open(t, {
    async create(draft) {
      await client.call('POST /drafts', { drafts: [draft] })
      made++
      stored.resolve()
      throw new ConnectionError('the reply is lost')
    },
  })
  await drafts.change(placeOf('reply'), { content: 'once' })
  nowMs += 5_000
  drafts.take([], false)
  await stored.promise
  drafts.take(await listOf('reply'), false)
  await until(drafts, 'reply', (entry) => entry?.serverId !== undefined)
  t.equal(made, 1)
  t.equal((await listOf('reply')).length, 1)
})

t.test(
  '[STORE115] a draft follows its topic, here and on the server, and joins one that is there',
  async (t) => {
    const drafts = open(t)
    await drafts.change(placeOf('old'), { content: 'half a sentence' })
    nowMs += 10_000
    await until(drafts, 'old', (entry) => entry?.serverId !== undefined)
    const serverId = drafts.at(placeOf('old'))?.serverId
    await drafts.move(placeOf('Old'), placeOf('new'))
    nowMs += 10_000
    await until(drafts, 'new', (entry) => entry?.isSaved === true)
    t.equal(drafts.at(placeOf('old')), undefined)
    t.match(await listOf('new'), [{ id: serverId, content: 'half a sentence' }], 'the same draft')
    t.same(await listOf('old'), [])
    await drafts.change(placeOf('third'), { content: 'was there' })
    await drafts.move(placeOf('new'), placeOf('third'))
    t.equal(drafts.at(placeOf('third'))?.content, 'was there\n\nhalf a sentence')
    t.equal(drafts.at(placeOf('new'))?.content ?? '', '')
  },
)

t.test(
  '[WRITE41] words that are being typed are noted at each key, and stored once; words that leave are forgotten at once',
  async (t) => {
    const noted: string[] = []
    const stored: string[] = []
    const memory = new Memory()
    const storage: DraftStorage = {
      load: () => memory.load(),
      remove: (key) => memory.remove(key),
      note: ({ content }) => void noted.push(content),
      async put(entry) {
        stored.push(entry.content)
        await memory.put(entry)
      },
    }
    const drafts = open(t, { storage, isShared: () => false })
    await drafts.change(placeOf('keys'), { content: '-' })
    stored.length = 0
    noted.length = 0
    const texts = Array.from({ length: 20 }, (_, index) => 'a'.repeat(index + 1))
    let last: Promise<void> | undefined
    for (const content of texts) {
      last = drafts.change(placeOf('keys'), { content })
      // All that a write of the device could do without time passing.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
    t.same(noted, texts)
    t.same(stored, [])
    await last
    t.equal(memory.stored.get(draftKey(placeOf('keys')))?.content, texts.at(-1))
    t.ok(stored.length <= 2, `${stored.length} writes`)

    void drafts.change(placeOf('keys'), { content: 'once more' })
    const gone = drafts.remove(placeOf('keys'))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    t.equal(memory.stored.size, 0, 'without a pause')
    await gone
  },
)
