import t from 'tap'
import { indexNextMessages } from '../../../db/search/search-index.ts'
import type { MessageSent } from '../../../server/domain/events/messages.ts'
import type { ChannelId } from '../../../server/domain/ids.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { makeEntry } from '../../log/make-entry.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['town'], { principals: [1, 4] })
await owner.subscribe(['secret'], { invite_only: true })

const CONTENTS = [
  'The deployment of the *server* failed',
  'see you tomorrow at the Überfahrt',
  'ratio 100% _sure_ \\o/ of a_b',
  'if a < b && "c" > d',
  '東京で会いましょう',
  'a link: [handbook](https://example.com/manual)',
]
const ids = new Map<string, number>()
for (const content of CONTENTS) ids.set(content, await owner.send('town', 'Release <plans>', content))
ids.set('hidden deployment', await owner.send('secret', '', 'hidden deployment'))
ids.set('direct deployment', await owner.sendDirect([4], 'direct deployment'))

const search = (operand: string, negated = false) => [{ operator: 'search', operand, negated }]
async function read(person: Person, narrow: unknown, fields: Fields = {}) {
  const { messages } = await server
    .as(person)
    .must('GET', '/messages', { anchor: 'newest', num_before: 100, narrow, ...fields })
  return messages as { id: number; match_content: string; match_subject: string }[]
}
const found = async (operand: string, negated = false) =>
  (await read('owner', search(operand, negated))).map(({ id }) => id)
const idsOf = (...contents: string[]) => contents.map((content) => ids.get(content))
const [deployment = '', tomorrow = '', signs = '', code = '', tokyo = '', link = ''] = CONTENTS
const deployments = [deployment, 'hidden deployment', 'direct deployment']

/** Each rule holds for indexed messages and for newer ones. */
async function findsAll(t: Pick<typeof import('tap').t, 'same'>) {
  for (const [operand, contents] of [
    ['deployment', deployments],
    ['DEPLOYMENT', deployments],
    ['eploy', deployments],
    ['über', [tomorrow]],
    ['ÜBERFAHRT tomorrow', [tomorrow]],
    ['京で', [tokyo]],
    ['100%', [signs]],
    ['1%0', []],
    ['a_b', [signs]],
    ['a_', [signs]],
    ['d_p', []],
    ['\\o/', [signs]],
    ['&&', [code]],
    ['deployment server', [deployment]],
    ['server deployment', [deployment]],
    ['"server deployment"', []],
    ['"deployment of"', [deployment]],
    ['"deployment of" failed', [deployment]],
    ['"of the', [deployment]],
    ['release', CONTENTS],
    ['manual', [link]],
    ['nothing', []],
    ['', [...CONTENTS, 'hidden deployment', 'direct deployment']],
    [' "" ', [...CONTENTS, 'hidden deployment', 'direct deployment']],
  ] as const) {
    t.same(await found(operand), idsOf(...contents), operand)
    const others = [...ids.keys()].filter((one) => !(contents as readonly string[]).includes(one))
    if (operand.trim() !== '' && operand !== ' "" ')
      t.same(await found(operand, true), idsOf(...others), `not ${operand}`)
  }
  // One letter missing, added or replaced, or two exchanged.
  for (const typo of ['deploymnt', 'deployyment', 'deploiment', 'depolyment', 'DEPOLYMENT'])
    t.same(await found(typo), idsOf(...deployments), typo)
  t.same(await found('"depolyment"'), [], 'a phrase is taken as it is')
  t.same(await found('sve'), [], 'a short word is taken as it is')
}

t.test('[SEARCH1] searches find words and phrases inside words, in any case, and with a typo', async (t) => {
  await findsAll(t)
})

t.test('[SEARCH2] searches by the index find the same', async (t) => {
  const { sql } = server.node.services
  t.equal(await indexMessages(sql), ids.size)
  t.equal(await indexMessages(sql), 0)
  await findsAll(t)
})

t.test('[SEARCH3] a search finds only readable messages, and all terms must match', async (t) => {
  const messages = await read('member', search('deployment'))
  t.same(
    messages.map(({ id }) => id),
    idsOf(deployment, 'direct deployment'),
  )
  t.same(await read('member2', search('deployment')), [])
  const inTown = [...search('deployment'), { operator: 'channel', operand: 'town' }]
  t.same(
    (await read('member2', inTown)).map(({ id }) => id),
    idsOf(deployment),
  )
  t.same(await read('guest', search('deployment')), [])
  const direct = [...search('deployment'), { operator: 'is', operand: 'dm' }]
  t.same(
    (await read('owner', direct)).map(({ id }) => id),
    idsOf('direct deployment'),
  )
  const both = [...search('deployment'), ...search('server', true)]
  t.same(
    (await read('owner', both)).map(({ id }) => id),
    idsOf('hidden deployment', 'direct deployment'),
  )
})

t.test('[SEARCH4] matches are highlighted in content and topic, escaped and never inside tags', async (t) => {
  const matchOf = async (operand: string, fields: Fields = {}) => {
    const [message] = await read('owner', search(operand), { num_before: 1, ...fields })
    return [message?.match_content, message?.match_subject]
  }
  const mark = (text: string) => `<span class="highlight">${text}</span>`
  const topic = 'Release &lt;plans&gt;'
  t.same(await matchOf('erve'), [`<p>The deployment of the <em>s${mark('erve')}r</em> failed</p>`, topic])
  t.same(await matchOf('tomorow'), [`<p>see you ${mark('tomorrow')} at the Überfahrt</p>`, topic])
  t.same(await matchOf('ÜBER'), [`<p>see you tomorrow at the ${mark('Über')}fahrt</p>`, topic])
  t.same(await matchOf('&& "<"'), [
    `<p>if a ${mark('&lt;')} b ${mark('&amp;&amp;')} &quot;c&quot; &gt; d</p>`,
    `Release ${mark('&lt;')}plans&gt;`,
  ])
  t.same(await matchOf('manual'), ['<p>a link: <a href="https://example.com/manual">handbook</a></p>', topic])
  t.same(await matchOf('handbook <plans'), [
    `<p>a link: <a href="https://example.com/manual">${mark('handbook')}</a></p>`,
    `Release ${mark('&lt;plans')}&gt;`,
  ])
  t.same(await matchOf('hidden', { apply_markdown: false }), [
    `<p>${mark('hidden')} deployment</p>`,
    'general chat',
  ])
  t.same(await matchOf('hidden', { allow_empty_topic_name: true }), [
    `<p>${mark('hidden')} deployment</p>`,
    '',
  ])
  t.same(await matchOf('direct'), [`<p>${mark('direct')} deployment</p>`, ''])
  t.same(await matchOf('handbook', { narrow: search('handbook', true) }), ['<p>direct deployment</p>', ''])
  t.same(await matchOf('', { narrow: [] }), [undefined, undefined], 'without a search nothing is marked')
})

t.test('[SEARCH5] the search words of a narrow are bounded', async (t) => {
  const words = (count: number) => Array.from({ length: count }, () => 'the').join(' ')
  const get = (narrow: unknown) => owner.get('/messages', { anchor: 'newest', num_before: 1, narrow })
  t.equal((await get(search(words(20)))).status, 200)
  const reason = 'too many words to search for (maximum 20)'
  const extra = { code: 'BAD_NARROW', desc: reason }
  expectRefusal(t, await get(search(words(21))), `Invalid narrow operator: ${reason}`, extra)
  const inTwo = [...search(words(20)), ...search('one', true)]
  expectRefusal(t, await get(inTwo), `Invalid narrow operator: ${reason}`, extra)
  t.equal((await get(search(`"${words(200)}"`))).status, 200, 'a phrase must match as one')
  expectRefusal(t, await get(search('x'.repeat(1_001))), 'Invalid narrow[0]["operand"]')
})

t.test('[SEARCH7] any operand gets an answer, or is refused for its length', async (t) => {
  const letters = (count: number) =>
    Array.from({ length: count }, (_, index) => 'qxzjkvwy'[(index * index + 3 * index) % 8]).join('')
  const get = (operand: string) =>
    owner.get('/messages', { anchor: 'newest', num_before: 50, narrow: search(operand) })
  const long = `${letters(300)}middle${letters(300)}`
  const id = await owner.send('town', 'long', long)
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexMessages(server.node.services.sql)
    for (const [operand, wanted] of [
      [letters(700), []],
      [long, [id]],
      [long.slice(100), [id]],
      [long.slice(0, -100), [id]],
      [long.slice(250, 350), [id]],
      [long.slice(295, 310), [id]],
      [`${long.slice(100)}q`, []],
      [Array.from({ length: 20 }, (_, index) => letters(30 + index)).join(' '), undefined],
      ['\u{1f600}'.repeat(500), []],
      ['会'.repeat(900), []],
      ['a\u0301'.repeat(400), []],
      ['\ud800 \udc00', []],
      [')('.repeat(400), []],
      [`"${'the of '.repeat(140)}"`, []],
      [`${'_'.repeat(20)} %% \\ ' -- $1`, []],
      ['e', undefined],
      ['い', idsOf(tokyo)],
      ['東京', idsOf(tokyo)],
      ['京い', []],
    ] as const) {
      const { status, body } = await get(operand)
      t.equal(status, 200, `${isIndexed} ${operand.slice(0, 40)}`)
      if (wanted)
        t.same(
          body.messages.map((message: { id: number }) => message.id),
          wanted,
          `${isIndexed} ${operand.slice(0, 40)}`,
        )
    }
  }
  for (const length of [1_001, 10_000, 100_000]) {
    const flags = { anchor: 'newest', num_before: 1, num_after: 0, op: 'add', flag: 'read' }
    const narrow = search(letters(length))
    expectRefusal(
      t,
      await owner.post('/messages/flags/narrow', { ...flags, narrow }),
      'Invalid narrow[0]["operand"]',
    )
  }
})

t.test('[SEARCH6] deleted messages and old texts of edited ones are not found', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const { sql } = server.node.services
  await owner.subscribe(['town'])
  const edited = await owner.send('town', 'kept', 'wheelbarrow')
  await owner.send('town', 'gone', 'wheelbarrow')
  await indexMessages(sql)
  await owner.must('POST', '/streams/1/delete_topic', { topic_name: 'gone' })
  const find = async (operand: string) => {
    const fields = { anchor: 'newest', num_before: 9, narrow: search(operand) }
    const { messages } = await owner.must('GET', '/messages', fields)
    return messages.map(({ id }: { id: number }) => id)
  }
  t.same(await find('wheelbarrow'), [edited])
  await indexMessages(sql)
  t.same(await find('wheelbarrow'), [edited])
  t.same([...(await sql`select word from search_words where word = 'gone'`)], [], 'its words are not stored')
  const ids = await sql<{ offsets: string }[]>`
    select encode(p.offsets, 'hex') as offsets from search_postings p join search_words w on w.id = p.term
    where w.word = 'wheelbarrow'`
  t.equal(ids[0]?.offsets.length, 4, 'nor the old ones')
  await sql`update messages set content = 'lavender' where id = ${edited}`
  for (const isIndexed of [false, true]) {
    if (isIndexed) t.equal(await indexMessages(sql), 1)
    t.same(await find('lavender'), [edited])
    t.same(await find('wheelbarrow'), [])
  }
  t.same([...(await sql`select word from search_words where word = 'wheelbarrow'`)], [])
  // The index may still have a word of another text, and may lack new ones.
  await sql`insert into search_postings (term, block, offsets)
    select id, 77, '\\x0100' from search_words where word = 'lavender'`
  await owner.must('DELETE', `/messages/${edited}`)
  await indexMessages(sql)
  t.equal((await sql`select from search_words where word = 'lavender'`).length, 1)
  const fresh = []
  for (const word of ['rosemary', 'rosemary thyme', 'rosemary'])
    fresh.push(await owner.send('town', 'herbs', word))
  t.equal(await indexNextMessages(sql, 2), 2)
  t.same(await find('rosemary'), fresh)
})

t.test(
  '[SEARCH70] a search finds all messages beyond the bounds of words, conversations and changes of one step',
  async (t) => {
    const server = await startTestServer(t)
    const [owner, guest] = [server.as('owner'), server.as('guest')]
    const { sql, committer } = server.node.services
    await owner.subscribe(['town'], { principals: [1, 4] })
    const find = async (operand: string, client = owner, more: unknown[] = []) => {
      const fields = { anchor: 'newest', num_before: 100, narrow: [...search(operand), ...more] }
      return (await client.must('GET', '/messages', fields)).messages.map(({ id }: { id: number }) => id)
    }
    const zebras = Array.from({ length: 600 }, (_, index) => `zebra${1_000 + index}`)
    const many = await owner.send('town', 'x', zebras.join(' '))
    const last = await owner.send('town', 'x', 'zebra9999')
    await sql`insert into conversations (user_ids) select array[6, 100000 + n] from generate_series(1, 1100) n`
    const direct = await owner.sendDirect([6], 'giraffe')
    const message = makeEntry(0, {}, { channelId: 1 as ChannelId, content: 'giraffe' }).event as MessageSent
    await committer.submit({
      kind: 'messages',
      decide: () => ({
        events: Array.from({ length: 2_100 }, () => ({
          event: message,
          audience: { kind: 'subscribers', channelId: 1 as ChannelId },
        })),
        reply: () => undefined,
      }),
    })
    await indexMessages(sql)
    t.same(await find('zebra'), [many, last])
    t.same(await find('giraffe', guest), [direct])
    await sql`update messages set content = case when id = ${last} then 'okapi' else 'changed' end where channel_id = 1`
    for (const more of [[], [['channel', 'town']]]) t.same(await find('okapi', owner, more), [last])
  },
)

t.test('[SEARCH19] a repeated search finds words that were added meanwhile', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const { sql } = server.node.services
  await owner.subscribe(['town'])
  const find = async () => {
    const fields = { anchor: 'newest', num_before: 9, narrow: search('badger') }
    return (await owner.must('GET', '/messages', fields)).messages.map(({ id }: { id: number }) => id)
  }
  const ids: number[] = []
  for (const word of ['other', 'badger', 'badgers', 'badgr', 'ebadger']) {
    const id = await owner.send('town', 'x', word)
    if (word !== 'other') ids.push(id)
    await indexMessages(sql)
    t.same(await find(), ids, word)
    t.same(await find(), ids, `${word}, again`)
  }
})
