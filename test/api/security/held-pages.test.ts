/** Pages from memory equal pages of the database after random changes. */

import t, { type Test } from 'tap'
import { RECENT_LENGTH_MAX } from '../../../server/actors/channel-messages.ts'
import type { ChannelId } from '../../../server/domain/ids.ts'
import { NEWEST } from '../../../server/domain/messages/page-bounds.ts'
import { makeRandom } from '../../events/make-random.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

/** Initial messages: some are older than the newest that are cached at the start. */
const COUNT = RECENT_LENGTH_MAX + 120
const STEPS = 90

const server = await startTestServer(t)
const { channels, state } = server.node.services
const owner = server.as('owner')
const people = ['owner', 'member', 'guest'] as const
const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)
const random = makeRandom(seed)
const pick = <Item>(items: readonly Item[]) => random.pick(items)
const below = (bound: number) => random.below(bound)
const topics = ['', 'a', 'A', 'b']
const TOWN = 1 as ChannelId

await owner.subscribe(['town', 'far'], { principals: people.map((person) => server.as(person).userId) })
let ids: number[] = []
const send = async (channel: string) => {
  const id = await server
    .as(pick(people))
    .send(channel, pick(topics), pick(['hello', '@**all**', '/me waves', '*b*']))
  if (channel === 'town') ids.push(id)
  else elsewhere.push(id)
}
const elsewhere: number[] = []
await Promise.all(Array.from({ length: COUNT }, (_, count) => send(count % 10 === 0 ? 'far' : 'town')))

const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  send: () => send('town'),
  sendElsewhere: () => send('far'),
  edit: () => owner.request('PATCH', `/messages/${pick(ids)}`, { content: `edited ${below(1_000)}` }),
  moveTopic: () =>
    owner.request('PATCH', `/messages/${pick(ids)}`, {
      topic: pick(topics.slice(1)),
      propagate_mode: pick(['change_one', 'change_later']),
    }),
  async moveAway() {
    const id = pick(ids)
    const answer = await owner.request('PATCH', `/messages/${id}`, { stream_id: 2 })
    if (answer.status === 200) ids = ids.filter((one) => one !== id)
  },
  async moveHere() {
    const id = pick(elsewhere)
    const answer = await owner.request('PATCH', `/messages/${id}`, { stream_id: 1 })
    if (answer.status === 200) ids.push(id)
  },
  async delete() {
    const id = pick(ids)
    await owner.must('DELETE', `/messages/${id}`)
    ids = ids.filter((one) => one !== id)
  },
  react: () =>
    server
      .as(pick(people))
      .request('POST', `/messages/${pick(ids)}/reactions`, { emoji_name: pick(['smile', 'heart']) }),
  star: () =>
    server.as(pick(people)).must('POST', '/messages/flags', {
      messages: [pick(ids)],
      op: pick(['add', 'remove']),
      flag: 'starred',
    }),
  unread: () =>
    server
      .as(pick(people))
      .must('POST', '/messages/flags', { messages: [pick(ids)], op: pick(['add', 'remove']), flag: 'read' }),
}

let heldCount = 0

/** Reads a page twice: normally, and with a term that excludes nothing, which bypasses memory. */
async function comparePages(t: Test): Promise<void> {
  const person = pick(people)
  const anchor = pick([String(pick(ids)), String(pick(ids) + 1), 'newest', 'oldest', 'first_unread'])
  const fields = {
    anchor,
    num_before: below(4) === 0 ? 0 : below(60),
    num_after: below(2) === 0 ? 0 : below(60),
    include_anchor: below(3) > 0,
    apply_markdown: below(2) === 0,
    allow_empty_topic_name: below(2) === 0,
  }
  const narrow: [string, unknown][] = [['channel', 'town']]
  if (below(3) === 0) narrow.push(['topic', pick(topics)])
  const held = await server.as(person).must('GET', '/messages', { ...fields, narrow })
  const read = await server
    .as(person)
    .must('GET', '/messages', { ...fields, narrow: [...narrow, ['near', 1]] })
  t.same(held, read, `${person} ${JSON.stringify({ ...fields, narrow })}`)
}

t.test('[HELD1] pages from memory equal pages from the database', async (t) => {
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const names = Object.keys(changes)
  for (let step = 0; step < STEPS; step++) {
    await changes[pick(names)]?.()
    for (let count = 0; count < 3; count++) await comparePages(t)
    const query = { anchor: pick(ids), before: 20, after: 0, isAnchorIncluded: true, topic: undefined }
    const options = { applyMarkdown: true, clientGravatar: true, allowEmptyTopic: true }
    if (channels.readPage(TOWN, { ...query, asOf: state.appliedId, options, flagsOf: () => 0 })) heldCount++
  }
  t.ok(heldCount > STEPS / 4, `memory had ${heldCount} of ${STEPS} pages`)
})

t.test('[HELD2] a page that was read is cached, and so are its neighbours', async (t) => {
  await owner.subscribe(['park'])
  const park = 3 as ChannelId
  const sent: number[] = []
  const sends = Array.from({ length: RECENT_LENGTH_MAX + 60 }, () => owner.send('park', 'x', 'y'))
  sent.push(...(await Promise.all(sends)).sort((one, other) => one - other))
  const holds = (anchor: number, before: number) => {
    const query = { anchor, before, after: 0, isAnchorIncluded: true, topic: undefined }
    const options = { applyMarkdown: true, clientGravatar: true, allowEmptyTopic: true }
    return (
      channels.readPage(park, { ...query, asOf: state.appliedId, options, flagsOf: () => 0 }) !== undefined
    )
  }
  const read = (anchor: number | string, before: number) =>
    owner.must('GET', '/messages', { anchor, num_before: before, narrow: [['channel', 'park']] })
  t.notOk(holds(NEWEST, 10), 'nothing before the first reading')
  await read('newest', 10)
  t.ok(holds(NEWEST, RECENT_LENGTH_MAX - 1))
  t.notOk(holds(sent[50] as number, 10))
  await read(sent[50] as number, 20)
  t.ok(holds(sent[50] as number, 19))
  t.notOk(holds(sent[50] as number, 20), 'unknown whether older ones exist')
  t.notOk(holds(sent[60] as number, 10), 'messages in between are not cached')
  await read(sent[70] as number, 30)
  t.ok(holds(sent[70] as number, 30), 'adjacent pages are joined')
  await read(sent[40] as number, 60)
  t.ok(holds(sent[70] as number, 90), 'to the beginning')
  await owner.must('PATCH', `/messages/${ids[0]}`, { stream_id: 3, propagate_mode: 'change_one' })
  t.notOk(holds(sent[70] as number, 10), 'messages from elsewhere are not cached')
})
