import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const member = server.as('member')
const done = { result: 'success', msg: '' }
const STARRED = 'narrow/is/starred'
const MINE = 'narrow/channel/1-town/topic/a%20b'
const pathOf = (fragment: string) => `/navigation_views/${encodeURIComponent(fragment)}`
const create = (fields: Fields, person: Person = 'member') =>
  server.as(person).post('/navigation_views', { is_pinned: true, ...fields })
const list = async (person: Person = 'member') =>
  (await server.as(person).must('GET', '/navigation_views')).navigation_views
const UNKNOWN = { status: 404, code: 'NOT_FOUND' }

t.test('[NAVIGATION1] views are stored, changed and removed, and only their user gets events', async (t) => {
  const mine = { fragment: MINE, is_pinned: false, name: 'Ours' }
  const events = await expectConsistent(server, async () => {
    t.same((await create({ fragment: STARRED })).body, done)
    t.same((await create({ ...mine, name: ' Ours ' })).body, done)
    t.same((await create({ fragment: 'inbox', is_pinned: false })).body, done)
    t.same(await list(), [
      { fragment: STARRED, is_pinned: true, name: null },
      mine,
      { fragment: 'inbox', is_pinned: false, name: null },
    ])
    t.same((await member.patch(pathOf(STARRED), { is_pinned: false })).body, done)
    t.same((await member.patch(pathOf(MINE), { is_pinned: true, name: 'Yours' })).body, done)
    t.same((await member.patch(pathOf(MINE))).body, done, 'a change of nothing sends no event')
    t.same((await member.delete('/navigation_views/inbox')).body, done)
  })
  const type = 'navigation_view'
  t.same(withoutIds(events.member), [
    { type, op: 'add', navigation_view: { fragment: STARRED, is_pinned: true, name: null } },
    { type, op: 'add', navigation_view: mine },
    { type, op: 'add', navigation_view: { fragment: 'inbox', is_pinned: false, name: null } },
    { type, op: 'update', fragment: STARRED, data: { is_pinned: false } },
    { type, op: 'update', fragment: MINE, data: { is_pinned: true, name: 'Yours' } },
    { type, op: 'remove', fragment: 'inbox' },
  ])
  t.same([events.owner, events.member2, events.guest], [[], [], []])
  const left = [
    { fragment: STARRED, is_pinned: false, name: null },
    { fragment: MINE, is_pinned: true, name: 'Yours' },
  ]
  t.same(await list(), left)
  t.same(await list('owner'), [])
  for (const asked of ['navigation_views', 'navigation_view']) {
    const { navigation_views } = await member.must('POST', '/register', { fetch_event_types: [asked] })
    t.same(navigation_views, left)
  }
})

t.test('[NAVIGATION2] built-in views have fixed names, and users name their own views', async (t) => {
  const fixed = 'Built-in views cannot have a custom name.'
  const builtIn = [
    'inbox',
    'recent',
    'feed',
    'drafts',
    'narrow/has/reaction/sender/me',
    'narrow/is/mentioned',
    STARRED,
  ]
  for (const fragment of builtIn) expectRefusal(t, await create({ fragment, name: 'x' }, 'guest'), fixed)
  await create({ fragment: 'inbox' }, 'guest')
  for (const name of ['x', ''])
    expectRefusal(t, await server.as('guest').patch('/navigation_views/inbox', { name }), fixed)
  for (const name of [undefined, '', ' '])
    expectRefusal(
      t,
      await create({ fragment: 'narrow/is/dm', name }, 'guest'),
      'Custom views must have a valid name.',
    )
  await create({ fragment: 'narrow/is/dm', name: 'x' }, 'guest')
  expectRefusal(
    t,
    await server.as('guest').patch(pathOf('narrow/is/dm'), { name: ' ' }),
    'Custom views must have a valid name.',
  )
})

t.test('[NAVIGATION3] fragments and names are unique', async (t) => {
  await create({ fragment: 'a/b', name: 'One' }, 'owner')
  await create({ fragment: 'c/d', name: 'Two' }, 'owner')
  const exists = 'Navigation view already exists.'
  const owner = server.as('owner')
  expectRefusal(t, await create({ fragment: 'a/b', name: 'Three' }, 'owner'), exists)
  expectRefusal(t, await create({ fragment: 'e/f', name: 'One' }, 'owner'), exists)
  expectRefusal(t, await owner.patch(pathOf('c/d'), { name: 'One', is_pinned: false }), exists)
  t.same((await owner.patch(pathOf('c/d'), { name: 'Two' })).body, done, 'its own name can be repeated')
  t.same((await create({ fragment: 'a/b', name: 'One' }, 'member2')).body, done, 'unique per user')
  t.same(await list('owner'), [
    { fragment: 'a/b', is_pinned: true, name: 'One' },
    { fragment: 'c/d', is_pinned: true, name: 'Two' },
  ])
})

t.test('[NAVIGATION4] a view of another user looks absent', async (t) => {
  await create({ fragment: 'own/view', name: 'Own' }, 'moderator')
  for (const fragment of ['own/view', 'inbox', 'nothing']) {
    const client = server.as('administrator')
    const answers = [
      await client.patch(pathOf(fragment), { is_pinned: true }),
      await client.patch(pathOf(fragment)),
      await client.delete(pathOf(fragment)),
    ]
    for (const answer of answers) expectRefusal(t, answer, 'Navigation view does not exist.', UNKNOWN)
  }
  t.equal((await list('moderator')).length, 1)
})

t.test('[NAVIGATION5] fragments, names and their number have limits', async (t) => {
  const client = server.as('administrator')
  const long = 'f'.repeat(1_000)
  t.same((await create({ fragment: long, name: 'n'.repeat(100) }, 'administrator')).body, done)
  t.same((await client.patch(pathOf(long), { is_pinned: false })).body, done)
  expectRefusal(
    t,
    await create({ fragment: `${long}f`, name: 'x' }, 'administrator'),
    'fragment is too long (limit: 1000 characters)',
  )
  expectRefusal(
    t,
    await create({ fragment: 'x', name: 'n'.repeat(101) }, 'administrator'),
    'name is too long (limit: 100 characters)',
  )
  expectRefusal(t, await create({ fragment: ' ', name: 'x' }), 'fragment cannot be blank')
  await server.node.services.sql`
    insert into navigation_views (id, user_id, fragment, is_pinned, name)
    select -n, ${client.userId}, 'f' || n, true, 'n' || n from generate_series(1, 998) n`
  t.same((await create({ fragment: 'recent' }, 'administrator')).body, done)
  expectRefusal(
    t,
    await create({ fragment: 'feed' }, 'administrator'),
    'Too many navigation views (maximum 1000).',
  )
  t.same((await create({ fragment: 'feed' })).body, done, 'other users have their own limit')
})
