import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const NOW = 1_790_000_000
const server = await startTestServer(t, { clock: new ManualClock(NOW * 1_000) })
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4] })
await owner.subscribe(['secret'], { invite_only: true })
const town = channelIdOf(server, 'town')
const secret = channelIdOf(server, 'secret')

const create = (drafts: unknown, person: Person = 'member') => server.as(person).post('/drafts', { drafts })
const update = (id: number, draft: unknown, person: Person = 'member') =>
  server.as(person).patch(`/drafts/${id}`, { draft })
const remove = (id: number, person: Person = 'member') => server.as(person).delete(`/drafts/${id}`)
const draftsOf = async (person: Person = 'member') => (await server.as(person).must('GET', '/drafts')).drafts
const sync = (isOn: boolean) => member.must('PATCH', '/settings', { enable_drafts_synchronization: isOn })
const done = { result: 'success', msg: '' }

const blank = { type: '', to: [], topic: '', content: 'so far', timestamp: 10 }
const toChannel = { type: 'stream', to: [town], topic: 'lunch', content: '*hungry*', timestamp: 20 }
const toPeople = { type: 'private', to: [1, 6], topic: '', content: 'psst', timestamp: 30 }

t.test('[DRAFT1] drafts are stored, changed and removed, and only their author gets events', async (t) => {
  let ids: number[] = []
  const events = await expectConsistent(server, async () => {
    const { body } = await create([toChannel, toPeople])
    ids = body.ids
    t.same(body, { ...done, ids })
    t.same(await draftsOf(), [
      { ...toChannel, id: ids[0] },
      { ...toPeople, id: ids[1] },
    ])
    t.same((await update(ids[0] as number, { ...blank, timestamp: 40 })).body, done)
    t.same((await member.must('GET', '/drafts')).count, 2)
    t.same((await remove(ids[1] as number)).body, done)
  })
  const [first, second] = ids
  t.same(withoutIds(events.member), [
    { type: 'drafts', op: 'add', drafts: [{ ...toChannel, id: first }] },
    { type: 'drafts', op: 'add', drafts: [{ ...toPeople, id: second }] },
    { type: 'drafts', op: 'update', draft: { ...blank, timestamp: 40, id: first } },
    { type: 'drafts', op: 'remove', draft_id: second },
  ])
  t.same([events.owner, events.member2, events.guest], [[], [], []])
  const left = [{ ...blank, timestamp: 40, id: first }]
  t.same(await draftsOf(), left)
  t.same((await member.must('POST', '/register', { fetch_event_types: ['drafts'] })).drafts, left)
  t.same(await draftsOf('owner'), [])
  await remove(first as number)
})

t.test('[DRAFT2] the draft edited last is listed last', async (t) => {
  const { ids } = (await create([toPeople, blank, toChannel])).body
  const order = async () => (await draftsOf()).map(({ id }: { id: number }) => ids.indexOf(id))
  t.same(await order(), [1, 2, 0])
  await update(ids[1], blank)
  t.same(await order(), [1, 2, 0])
  await update(ids[1], { ...blank, timestamp: undefined })
  t.same(await order(), [2, 0, 1])
  for (const id of ids) await remove(id)
})

t.test('[DRAFT3] new forms are accepted and sent in the old form', async (t) => {
  const given = [
    { ...toChannel, type: 'channel', topic: ' lunch ', id: 5, content: 'x \n', timestamp: 20.9 },
    { ...toPeople, type: 'direct', to: [1, 6, 1], topic: 'none' },
    { ...blank, to: [99], topic: 'x', timestamp: undefined },
    { ...toPeople, to: [] },
    { ...toChannel, topic: '(no topic)' },
    { ...toChannel, topic: 'general chat' },
  ]
  const { ids } = (await create(given)).body
  t.same(
    await Promise.all(ids.map(async (id: number) => (await draftsOf()).find((one: Fields) => one.id === id))),
    [
      { ...toChannel, content: 'x', id: ids[0] },
      { ...toPeople, id: ids[1] },
      { ...blank, timestamp: NOW, id: ids[2] },
      { ...toPeople, to: [], id: ids[3] },
      { ...toChannel, topic: '', id: ids[4] },
      { ...toChannel, topic: '', id: ids[5] },
    ],
  )
  for (const id of ids) await remove(id)
  t.same((await member.post('/drafts')).body, { ...done, ids: [] })
})

t.test(
  '[DRAFT4] a draft needs a place that its author may see and text that a message may have',
  async (t) => {
    const refused: readonly (readonly [draft: object, msg: string])[] = [
      [{ ...toChannel, to: [] }, 'Must specify exactly 1 channel ID for channel messages'],
      [{ ...toChannel, to: [town, town] }, 'Must specify exactly 1 channel ID for channel messages'],
      [{ ...toChannel, to: [secret] }, 'Invalid channel ID'],
      [{ ...toChannel, to: [99] }, 'Invalid channel ID'],
      [{ ...toPeople, to: [1, 99] }, 'Invalid user ID 99'],
      [{ ...toPeople, to: [0] }, 'Invalid user ID 0'],
      [{ ...blank, content: '' }, 'Message must not be empty'],
      [{ ...blank, content: ' \n' }, 'Message must not be empty'],
      [{ ...blank, content: 'a\0b' }, 'Message must not contain null bytes'],
      [{ ...blank, timestamp: -1 }, 'Timestamp must not be negative.'],
    ]
    const { ids } = (await create([blank])).body
    for (const [draft, msg] of refused) {
      expectRefusal(t, await create([toChannel, draft]), msg)
      expectRefusal(t, await update(ids[0], draft), msg)
    }
    const misshapen: readonly (readonly [part: object, problem: string])[] = [
      [{ content: 'x'.repeat(10_001) }, '["content"] is too long (limit: 10000 characters)'],
      [{ content: 1 }, '["content"] is not a string'],
      [{ topic: 'x'.repeat(61) }, '["topic"] is too long (limit: 60 characters)'],
      [{ to: Array.from({ length: 101 }, () => 1) }, '["to"] is too long (limit: 100 items)'],
      [{ timestamp: '1' }, '["timestamp"] is not an integer'],
    ]
    for (const [part, problem] of misshapen) {
      expectRefusal(t, await create([toChannel, { ...blank, ...part }]), `drafts[1]${problem}`)
      expectRefusal(t, await update(ids[0], { ...blank, ...part }), `draft${problem}`)
    }
    expectRefusal(t, await create([{ ...blank, type: 'x' }]), 'Invalid drafts[0]["type"]')
    expectRefusal(
      t,
      await create([{ ...blank, content: undefined }]),
      'drafts[0]["content"] field is missing: Field required',
    )
    t.same(await draftsOf(), [{ ...blank, id: ids[0] }], 'nothing was stored')
    const longest = { ...toChannel, content: '😀'.repeat(10_000), topic: 'x'.repeat(60) }
    t.same((await update(ids[0], longest)).body, done)
    t.same(await draftsOf(), [{ ...longest, id: ids[0] }])
    await remove(ids[0])
  },
)

t.test('[DRAFT5] a draft of another user looks absent', async (t) => {
  const { ids } = (await create([blank], 'owner')).body
  for (const id of [ids[0], 0, 10 ** 15 - 1]) {
    expectRefusal(t, await update(id, blank), 'Draft does not exist')
    expectRefusal(t, await remove(id), 'Draft does not exist')
  }
  t.same(await draftsOf('owner'), [{ ...blank, id: ids[0] }])
  await remove(ids[0], 'owner')
  expectRefusal(t, await remove(ids[0], 'owner'), 'Draft does not exist')
})

t.test('[DRAFT6] a user who turned synchronization off has no drafts here', async (t) => {
  const { ids } = (await create([blank])).body
  await sync(false)
  const refusal = 'User has disabled synchronizing drafts.'
  expectRefusal(t, await member.get('/drafts'), refusal)
  expectRefusal(t, await create([blank]), refusal)
  expectRefusal(t, await update(ids[0], blank), refusal)
  expectRefusal(t, await remove(ids[0]), refusal)
  t.same((await member.must('POST', '/register', { fetch_event_types: ['drafts'] })).drafts, [])
  await sync(true)
  t.same(await draftsOf(), [{ ...blank, id: ids[0] }])
  await remove(ids[0])
})

t.test('[DRAFT7] a user has at most 1,000 drafts, created at most 100 at once', async (t) => {
  const many = (count: number) => Array.from({ length: count }, () => blank)
  expectRefusal(t, await create(many(101), 'guest'), 'drafts is too long (limit: 100 items)')
  for (let made = 0; made < 900; made += 100)
    await server.as('guest').must('POST', '/drafts', { drafts: many(100) })
  t.equal((await create(many(99), 'guest')).status, 200)
  expectRefusal(t, await create(many(2), 'guest'), 'Too many drafts (maximum 1000).')
  t.equal((await server.as('guest').must('GET', '/drafts')).count, 999)
  const { ids } = (await create([blank], 'guest')).body
  expectRefusal(t, await create([blank], 'guest'), 'Too many drafts (maximum 1000).')
  t.same((await update(ids[0], toPeople, 'guest')).body, done)
  t.equal((await create([blank])).status, 200, 'other users have their own limit')
})

t.test('[DRAFT8] the drafts of one call have at most 100,000 characters together', async (t) => {
  const long = { ...blank, content: 'x'.repeat(10_000) }
  const most = [...Array.from({ length: 9 }, () => long), { ...blank, content: '😀'.repeat(10_000) }]
  const refused = await create([...most, { ...blank, content: 'x' }], 'moderator')
  expectRefusal(t, refused, 'drafts is too long (limit: 100000 characters together)')
  t.same(await draftsOf('moderator'), [])
  t.equal((await create(most, 'moderator')).status, 200)
})
