/** Searches whose matches are sorted by how well they fit. */

import t from 'tap'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['town'], { principals: [owner.userId, member.userId] })
await owner.subscribe(['secret'], { invite_only: true })

const search = (operand: string, negated = false) => ({ operator: 'search', operand, negated })
const ask = (person: Person, narrow: readonly unknown[], fields: Fields = {}) =>
  server.as(person).get('/messages', { num_before: 100, sort: 'fit', narrow, ...fields })
async function find(person: Person, narrow: readonly unknown[], fields: Fields = {}) {
  const { status, body } = await ask(person, narrow, fields)
  t.equal(status, 200)
  return body as {
    messages: { id: number; match_content: string; match_subject: string; flags: string[] }[]
    ranked_count: number
    found_all: boolean
  }
}
const idsOf = async (person: Person, ...narrow: readonly unknown[]) =>
  (await find(person, narrow)).messages.map(({ id }) => id)

t.test(
  '[SEARCH20] whole words, topics and short texts fit better, and equal matches stay in order',
  async (t) => {
    const inside = await owner.send('town', 'one', 'unharboured')
    const typo = await owner.send('town', 'two', 'harbuor')
    const whole = await owner.send('town', 'three', 'the harbour wall')
    const topic = await owner.send('town', 'Harbour', 'closed')
    const long = await owner.send('town', 'four', `harbour ${'and so on '.repeat(200)}`)
    const beginning = await owner.send('town', 'five', 'harbours')
    const again = await owner.send('town', 'six', 'the harbour wall')
    const wanted = [topic, again, whole, beginning, long, inside, typo]
    const rest = { ranked_count: 7, found_all: true }
    for (const isIndexed of [false, true]) {
      if (isIndexed) await indexMessages(server.node.services.sql)
      const { messages, ...others } = await find('owner', [search('harbour')])
      t.same(
        messages.map(({ id }) => id),
        wanted,
      )
      t.match(others, rest)
      t.notOk('anchor' in others || 'found_newest' in others, 'these are no page around an anchor')
    }
    await owner.must('POST', '/messages/flags', { messages: [topic], op: 'add', flag: 'starred' })
    const { messages } = await find('owner', [search('harbour')], { num_before: 2, anchor: 'newest' })
    t.match(messages, [
      { id: topic, match_subject: '<span class="highlight">Harbour</span>', flags: ['starred'] },
      { id: again, match_content: '<p>the <span class="highlight">harbour</span> wall</p>' },
    ])
    const apart = await owner.send('town', 'seven', 'a lamp of green glass')
    const together = await owner.send('town', 'eight', 'a glass with a green lamp')
    await owner.send('town', 'nine', 'a lamp')
    t.same(await idsOf('owner', search('green lamp')), [together, apart], 'all words must match')
    t.same(await idsOf('owner', search('lamp'), search('glass', true)), [together + 1])
  },
)

t.test('[SEARCH21] a search by fit finds what the same search by time finds, for each reader', async (t) => {
  const open = await owner.send('town', '', 'anchor chain')
  const hidden = await owner.send('secret', '', 'anchor chain')
  const direct = await owner.sendDirect([member.userId], 'anchor chain')
  for (const [person, wanted] of [
    ['owner', [direct, hidden, open]],
    ['member', [direct, open]],
    ['member2', []],
    ['guest', []],
  ] as const) {
    t.same(await idsOf(person, search('chain')), wanted, person)
    const byTime = await server
      .as(person)
      .must('GET', '/messages', { anchor: 'newest', num_before: 100, narrow: [search('chain')] })
    t.same(byTime.messages.map(({ id }: { id: number }) => id).toReversed(), wanted, `${person} by time`)
  }
  const place = (operand: string) => ({ operator: 'channel', operand })
  t.same(await idsOf('member2', search('chain'), place('town')), [open], 'a public channel')
  for (const name of ['secret', 'absent']) {
    const desc = `unknown channel ${name}`
    const answer = await ask('member', [search('chain'), place(name)])
    expectRefusal(t, answer, `Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', desc })
  }
  await owner.must('DELETE', `/messages/${open}`)
  t.same(await idsOf('member', search('chain')), [direct])
})

t.test('[SEARCH22] visitors search the channels of the web by fit, and no others', async (t) => {
  await owner.must('PATCH', '/realm', { enable_spectator_access: true })
  await owner.subscribe(['square'], { is_web_public: true })
  const shown = await owner.send('square', '', 'visible fountain')
  await owner.send('town', '', 'invisible fountain')
  const narrow = [{ operator: 'channels', operand: 'web-public' }, search('fountain')]
  const visit = (terms: readonly unknown[]) =>
    server.anyone.get('/messages', { num_before: 9, sort: 'fit', narrow: terms })
  const { status, body } = await visit(narrow)
  t.equal(status, 200)
  t.match(body, { messages: [{ id: shown }], ranked_count: 1 })
  t.equal((await visit(narrow.slice(1))).status, 401)
})

t.test('[SEARCH23] only a search from the newest message on is sorted by fit', async (t) => {
  const refused = 'Only a search from the newest message on can be sorted by fit.'
  for (const narrow of [[], [search('')], [search('wall', true)], [{ operator: 'channel', operand: 'town' }]])
    expectRefusal(t, await ask('member', narrow), refused)
  for (const fields of [
    { num_after: 1 },
    { anchor: 'oldest' },
    { anchor: 7 },
    { anchor: 'first_unread' },
    { use_first_unread_anchor: true },
    { message_ids: [1] },
  ])
    expectRefusal(t, await ask('member', [search('wall')], fields), refused)
  expectRefusal(t, await ask('member', [search('wall')], { sort: 'name' }), 'Invalid sort')
  const plain = await server.as('member').must('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    narrow: [{ operator: 'channel', operand: 'town' }],
    sort: 'time',
  })
  t.equal(plain.messages.length, 1, 'sorted by time, any narrow will do')
})

t.test('[SEARCH24] the 500 newest matches are compared, and a page has up to 100 of them', async (t) => {
  const best = await owner.send('town', 'buoy', 'buoy')
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, count - sent) }, () => owner.send('town', 'sea', 'some buoys')),
      )
  }
  await send(499)
  const all = await find('member', [search('buoy')])
  t.same([all.messages.length, all.ranked_count, all.found_all], [100, 500, true])
  t.equal(all.messages[0]?.id, best)
  await send(1)
  const newest = await find('member', [search('buoy')])
  t.same([newest.messages.length, newest.ranked_count, newest.found_all], [100, 500, false])
  t.not(newest.messages[0]?.id, best, 'the oldest one is not among them')
  t.same((await find('member', [search('buoy')], { num_before: 0 })).messages, [])
  expectRefusal(
    t,
    await ask('member', [search('buoy')], { num_before: 101 }),
    'Too many messages requested (maximum 100).',
  )
})
