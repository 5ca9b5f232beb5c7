import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const NOW = 1_790_000_000
const server = await startTestServer(t, { clock: new ManualClock(NOW * 1_000) })
const member = server.as('member')
const done = { result: 'success', msg: '' }
const create = (title: unknown, content: unknown, person: Person = 'member') =>
  server.as(person).post('/saved_snippets', { title, content })
const list = async (person: Person = 'member') =>
  (await server.as(person).must('GET', '/saved_snippets')).saved_snippets
const entry = (id: number, title: string, content: string) => ({ id, title, content, date_created: NOW })

t.test(
  '[SNIPPET1] snippets are stored, changed and removed, and only their author gets events',
  async (t) => {
    const ids: number[] = []
    const events = await expectConsistent(server, async () => {
      for (const [title, content] of [
        ['  Hello ', '\n **hi** \n'],
        ['Bye', 'see you'],
      ]) {
        const { body } = await create(title, content)
        t.same(body, { ...done, saved_snippet_id: body.saved_snippet_id })
        ids.push(body.saved_snippet_id)
      }
      const [first] = ids
      t.same((await member.patch(`/saved_snippets/${first}`, { title: ' Good day ' })).body, done)
      t.same((await member.patch(`/saved_snippets/${first}`, { content: 'hi' })).body, done)
      t.same((await member.delete(`/saved_snippets/${ids[1]}`)).body, done)
    })
    const [first, second] = ids as [number, number]
    const eventOf = (op: string, saved_snippet: object) => ({ type: 'saved_snippets', op, saved_snippet })
    t.same(withoutIds(events.member), [
      eventOf('add', entry(first, 'Hello', '**hi**')),
      eventOf('add', entry(second, 'Bye', 'see you')),
      eventOf('update', entry(first, 'Good day', '**hi**')),
      eventOf('update', entry(first, 'Good day', 'hi')),
      { type: 'saved_snippets', op: 'remove', saved_snippet_id: second },
    ])
    t.same([events.owner, events.member2, events.guest], [[], [], []])
    t.same(await list(), [entry(first, 'Good day', 'hi')])
    const { saved_snippets } = await member.must('POST', '/register', {
      fetch_event_types: ['saved_snippets'],
    })
    t.same(saved_snippets, [entry(first, 'Good day', 'hi')])
    t.same(await list('owner'), [])
  },
)

t.test('[SNIPPET2] an update that changes nothing succeeds and sends no event', async (t) => {
  const { saved_snippet_id: id } = (await create('a', 'b', 'owner')).body
  const owner = server.as('owner')
  const queue = await owner.register({ event_types: ['saved_snippets'] })
  t.same((await owner.patch(`/saved_snippets/${id}`)).body, done)
  t.same((await owner.patch(`/saved_snippets/${id}`, { title: 'a ', content: 'b' })).body, done)
  t.same(await owner.events(queue), [])
})

t.test('[SNIPPET3] titles and contents are limited in length and cannot be blank', async (t) => {
  const { body } = await create('x'.repeat(60), 'y'.repeat(10_000), 'member2')
  const path = `/saved_snippets/${body.saved_snippet_id}`
  const refused: readonly (readonly [fields: Record<string, unknown>, msg: string])[] = [
    [{ title: 'x'.repeat(61) }, 'title is too long (limit: 60 characters)'],
    [{ content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
    [{ title: ' ' }, 'title cannot be blank'],
    [{ title: '' }, 'title cannot be blank'],
    [{ content: '\n' }, 'content cannot be blank'],
    [{ content: '' }, 'content cannot be blank'],
  ]
  for (const [fields, msg] of refused) {
    expectRefusal(t, await create(fields.title ?? 'x', fields.content ?? 'y', 'member2'), msg)
    expectRefusal(t, await server.as('member2').patch(path, fields), msg)
  }
  for (const name of ['title', 'content']) {
    const answer = await member.post('/saved_snippets', { title: 'x', content: 'y', [name]: undefined })
    expectRefusal(t, answer, `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  }
  t.equal((await list('member2')).length, 1)
})

t.test('[SNIPPET4] a snippet of another user looks absent', async (t) => {
  const { saved_snippet_id: id } = (await create('mine', 'mine')).body
  for (const [person, path] of [
    ['owner', `/saved_snippets/${id}`],
    ['member', '/saved_snippets/999999'],
  ] as const) {
    const answers = [
      await server.as(person).patch(path, { title: 'x' }),
      await server.as(person).patch(path),
      await server.as(person).delete(path),
    ]
    for (const answer of answers) expectRefusal(t, answer, 'Saved snippet does not exist.')
  }
  await member.must('DELETE', `/saved_snippets/${id}`)
  expectRefusal(t, await member.delete(`/saved_snippets/${id}`), 'Saved snippet does not exist.')
})

t.test('[SNIPPET5] concurrent changes of title and content are both stored', async (t) => {
  const { saved_snippet_id: id } = (await create('old', 'old', 'guest')).body
  const guest = server.as('guest')
  await Promise.all([
    guest.must('PATCH', `/saved_snippets/${id}`, { title: 'new' }),
    guest.must('PATCH', `/saved_snippets/${id}`, { content: 'new' }),
  ])
  t.same(await list('guest'), [entry(id, 'new', 'new')])
})

t.test('[SNIPPET6] snippets are limited per user', async (t) => {
  await server.node.services.sql`
    insert into saved_snippets (id, user_id, title, content, created_at, changed_id)
    select -n, ${server.as('moderator').userId}, 'x', 'y', 0, -n from generate_series(1, 999) n`
  t.equal((await create('last', 'one', 'moderator')).status, 200)
  expectRefusal(t, await create('too', 'many', 'moderator'), 'Too many saved snippets (maximum 1000).')
  t.equal((await create('still', 'room', 'administrator')).status, 200)
})
