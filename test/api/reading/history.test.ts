import t from 'tap'
import type { OrganizationSettings } from '../../../server/domain/organization/organization-settings.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { type Person, PEOPLE, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town', 'square'], { principals: [1, 4, 5] })
const town = channelIdOf(server, 'town')
const square = channelIdOf(server, 'square')

const ask = (person: Person, id: number, fields = {}) =>
  server.as(person).get(`/messages/${id}/history`, fields)
const historyOf = async (id: number, person: Person = 'member', fields = {}) => {
  const { message_history } = await server.as(person).must('GET', `/messages/${id}/history`, fields)
  return message_history as Record<string, unknown>[]
}
const edit = (person: Person, id: number, fields: object) =>
  server.as(person).must('PATCH', `/messages/${id}`, {
    send_notification_to_new_thread: false,
    ...fields,
  })
const showHistory = (editHistoryVisibility: OrganizationSettings['editHistoryVisibility']) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { settings: { editHistoryVisibility } } }])
/** An edit in the history without its time, which is checked. */
const withoutTimes = (history: readonly Record<string, unknown>[]) =>
  history.map(({ timestamp, ...rest }) => {
    t.ok(Number.isInteger(timestamp) && Number(timestamp) > 1_700_000_000)
    return rest
  })

t.test('[HISTORY1] an unedited message has one snapshot of five fields', async (t) => {
  const id = await member.send('town', 'news', '*one*')
  const { message } = await member.must('GET', `/messages/${id}`)
  t.same(await historyOf(id), [
    {
      topic: 'news',
      content: '*one*',
      rendered_content: '<p><em>one</em></p>',
      timestamp: message.timestamp,
      user_id: 4,
    },
  ])
})

t.test('[HISTORY2] an edit of the content shows both versions and their difference', async (t) => {
  const id = await member.send('town', 'news', 'content before edit')
  await edit('member', id, { content: 'content after edit' })
  t.same(withoutTimes(await historyOf(id)), [
    {
      topic: 'news',
      content: 'content before edit',
      rendered_content: '<p>content before edit</p>',
      user_id: 4,
    },
    {
      topic: 'news',
      content: 'content after edit',
      rendered_content: '<p>content after edit</p>',
      prev_content: 'content before edit',
      prev_rendered_content: '<p>content before edit</p>',
      content_html_diff:
        '<div><p>content <span class="highlight_text_inserted">after</span> ' +
        '<span class="highlight_text_deleted">before</span> edit</p></div>',
      user_id: 4,
    },
  ])
})

t.test('[HISTORY3] edits of topic, channel and content show each change, the oldest first', async (t) => {
  const id = await owner.send('town', 'old', 'a b')
  await edit('owner', id, { topic: 'new' })
  await edit('owner', id, { stream_id: square })
  await edit('owner', id, { content: 'a c' })
  await edit('owner', id, { content: 'd', topic: '' })
  await edit('owner', id, { stream_id: town, topic: 'last' })
  const now = { content: 'd', rendered_content: '<p>d</p>', user_id: 1 }
  const first = { content: 'a b', rendered_content: '<p>a b</p>', user_id: 1 }
  const second = { content: 'a c', rendered_content: '<p>a c</p>', user_id: 1 }
  const wanted = (empty: string) => [
    { topic: 'old', ...first },
    { topic: 'new', prev_topic: 'old', ...first },
    { topic: 'new', stream: square, prev_stream: town, ...first },
    {
      topic: 'new',
      prev_content: 'a b',
      prev_rendered_content: '<p>a b</p>',
      content_html_diff:
        '<div><p>a <span class="highlight_text_inserted">c</span> <span class="highlight_text_deleted">b</span> </p></div>',
      ...second,
    },
    {
      topic: empty,
      prev_topic: 'new',
      prev_content: 'a c',
      prev_rendered_content: '<p>a c</p>',
      content_html_diff:
        '<div><p><span class="highlight_text_inserted">d</span></p> <p><span class="highlight_text_deleted">a c</span></p></div>',
      ...now,
    },
    { topic: 'last', prev_topic: empty, stream: town, prev_stream: square, ...now },
  ]
  t.same(withoutTimes(await historyOf(id)), wanted('general chat'))
  t.same(
    withoutTimes(await historyOf(id, 'member', { allow_empty_topic_name: false })),
    wanted('general chat'),
  )
  t.same(withoutTimes(await historyOf(id, 'member', { allow_empty_topic_name: true })), wanted(''))

  await showHistory('moves')
  t.same(
    withoutTimes(await historyOf(id)),
    [
      { topic: 'old' },
      { topic: 'new', prev_topic: 'old' },
      { topic: 'new', stream: square, prev_stream: town },
      { topic: 'general chat', prev_topic: 'new' },
      { topic: 'last', prev_topic: 'general chat', stream: town, prev_stream: square },
    ].map((snapshot) => ({ ...snapshot, ...now })),
    'the history of moves alone does not reveal earlier content',
  )
  await showHistory('none')
  for (const person of ['owner', 'member'] as const) {
    expectRefusal(t, await ask(person, id), 'Message edit history is disabled in this organization')
  }
  await showHistory('all')
  t.same((await historyOf(id)).length, 6)
})

t.test('[HISTORY4] a direct message has no topic', async (t) => {
  const id = await member.sendDirect([1], 'one')
  await edit('member', id, { content: 'two' })
  for (const allow_empty_topic_name of [false, true]) {
    const history = await historyOf(id, 'owner', { allow_empty_topic_name })
    t.match(history, [
      { topic: '', content: 'one', user_id: 4 },
      { topic: '', content: 'two', prev_content: 'one', user_id: 4 },
    ])
    t.notOk(history.some((snapshot) => 'prev_topic' in snapshot || 'stream' in snapshot))
  }
  expectRefusal(t, await ask('member2', id), 'Invalid message(s)')
})

t.test(
  '[HISTORY5] only users who can read a message get its history; absent, deleted and forbidden look alike',
  async (t) => {
    await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4] })
    const id = await member.send('closed', 'x', 'one')
    await edit('member', id, { content: 'two' })
    for (const person of PEOPLE) {
      const answer = await ask(person, id)
      if (person === 'owner' || person === 'member') t.equal(answer.body.message_history.length, 2)
      else expectRefusal(t, answer, 'Invalid message(s)')
    }
    await owner.must('DELETE', `/messages/${id}`)
    for (const gone of [id, 0, id + 1_000]) {
      expectRefusal(t, await ask('owner', gone), 'Invalid message(s)')
    }
    t.equal((await server.anyone.get(`/messages/${id}/history`)).status, 401)
  },
)

t.test(
  '[HISTORY6] channels that the reader cannot see, and their topics, are replaced by the next visible place',
  async (t) => {
    await owner.subscribe(['secret'], { invite_only: true })
    const secret = channelIdOf(server, 'secret')
    const id = await owner.send('town', 'open', 'a b c')
    await edit('owner', id, { stream_id: secret, topic: 'plot' })
    await edit('owner', id, { topic: 'scheme' })
    await edit('owner', id, { content: 'a b d' })
    await edit('owner', id, { stream_id: square, topic: 'novel' })

    const fields = (history: readonly Record<string, unknown>[]) =>
      history.map(({ topic, prev_topic, stream, prev_stream, content }) =>
        [topic, prev_topic, stream, prev_stream, content].map((value) => value ?? null),
      )
    t.same(fields(await historyOf(id, 'owner')), [
      ['open', null, null, null, 'a b c'],
      ['plot', 'open', secret, town, 'a b c'],
      ['scheme', 'plot', null, null, 'a b c'],
      ['scheme', null, null, null, 'a b d'],
      ['novel', 'scheme', square, secret, 'a b d'],
    ])
    const hidden = await historyOf(id, 'member')
    t.same(fields(hidden), [
      ['open', null, null, null, 'a b c'],
      ['novel', 'open', square, town, 'a b c'],
      ['novel', null, null, null, 'a b d'],
    ])
    t.notMatch(JSON.stringify(hidden), /plot|scheme/)
    t.same(
      fields(await historyOf(id, 'administrator')),
      [
        ['open', null, null, null, 'a b c'],
        ['novel', 'open', secret, town, 'a b c'],
        ['novel', null, null, null, 'a b d'],
        ['novel', null, square, secret, 'a b d'],
      ],
      'a user who sees the channel without reading it gets the channel, but not its topics',
    )

    const sentThere = await owner.send('secret', 'plot', 'e')
    await edit('owner', sentThere, { stream_id: square, topic: 'novel' })
    t.same(fields(await historyOf(sentThere, 'member')), [['novel', null, null, null, 'e']])
    t.same(fields(await historyOf(sentThere, 'owner')), [
      ['plot', null, null, null, 'e'],
      ['novel', 'plot', square, secret, 'e'],
    ])
  },
)

t.test('[HISTORY7] the difference of two versions is computed once and cached', async (t) => {
  const id = await member.send('town', 'news', 'one two three')
  for (let count = 0; count < 12; count++) await edit('member', id, { content: `one ${count} three` })
  const { sql } = server.node.services
  const kept = () => sql<{ diff: string | null }[]>`
    select encoded_diff as diff from message_edits where message_id = ${id} order by id`
  t.ok((await kept()).every(({ diff }) => diff === null))
  const [one, other] = await Promise.all([historyOf(id), historyOf(id, 'owner')])
  t.same(one, other)
  const diffs = one.slice(1).map(({ content_html_diff }) => content_html_diff)
  t.equal(diffs.length, 12)
  let found = await kept()
  while (found.some(({ diff }) => diff === null)) found = await kept() // It is cached after the reply.
  t.same(
    found.map(({ diff }) => JSON.parse(diff ?? '')),
    diffs,
  )
  await sql`update message_edits set encoded_diff = '"kept"' where message_id = ${id}`
  t.ok((await historyOf(id)).slice(1).every((snapshot) => snapshot.content_html_diff === 'kept'))
})
