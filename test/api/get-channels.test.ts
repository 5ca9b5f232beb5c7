import t from 'tap'
import type { Fields } from '../harness/client.ts'
import { expectRefusal } from '../harness/expect-refusal.ts'
import { type Person, startTestServer } from '../harness/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['public'])
await owner.subscribe(['joined'], { principals: [4, 5, 6, 7] })
await owner.subscribe(['owned'], { principals: [4] })
await member.subscribe(['private'], { invite_only: true })
await member.subscribe(['ours'], { invite_only: true, principals: [4, 5, 6] })

const NOTHING = { include_public: false, include_subscribed: false }
async function list(person: Person, fields: Fields = {}): Promise<string[]> {
  const { streams } = await server.as(person).must('GET', '/streams', fields)
  return streams.map(({ name }: { name: string }) => name).sort()
}

t.test('[CHAN1] by default public channels and those of the caller are listed, whole', async (t) => {
  t.same(await list('owner'), ['joined', 'owned', 'public'])
  t.same(await list('member'), ['joined', 'ours', 'owned', 'private', 'public'])
  t.same(await list('member2'), ['joined', 'ours', 'owned', 'public'])
  t.same(await list('guest'), ['joined', 'ours'])
  t.same(await list('bot'), ['joined', 'owned', 'public'])
  const { streams } = await owner.must('GET', '/streams')
  t.notOk('is_default' in streams[0])
})

t.test('[CHAN2] without any filter nothing is listed', async (t) => {
  for (const person of ['owner', 'member', 'guest'] as const) t.same(await list(person, NOTHING), [])
})

t.test('[CHAN3] each filter adds its own', async (t) => {
  const only = (person: Person, filter: string) => list(person, { ...NOTHING, [filter]: true })
  t.same(await only('member2', 'include_public'), ['joined', 'owned', 'public'])
  t.same(await only('member2', 'include_subscribed'), ['joined', 'ours'])
  t.same(await only('member2', 'include_all'), ['joined', 'ours', 'owned', 'public'])
  t.same(await only('owner', 'include_all'), ['joined', 'ours', 'owned', 'private', 'public'])
  t.same(await only('owner', 'include_can_access_content'), ['joined', 'owned', 'public'])
  t.same(await only('member2', 'include_can_access_content'), ['joined', 'ours', 'owned', 'public'])
  for (const none of ['include_web_public', 'include_default', 'include_owner_subscribed']) {
    t.same(await only('member', none), [], none)
  }
  t.same(await list('member', { ...NOTHING, exclude_archived: false }), [])
})

t.test('[CHAN4] filters add up', async (t) => {
  t.same(await list('member2', { include_public: true, include_subscribed: false }), [
    'joined',
    'owned',
    'public',
  ])
  t.same(await list('member2', { include_public: false }), ['joined', 'ours'])
  t.same(await list('owner', { ...NOTHING, include_all: true, include_can_access_content: true }), [
    'joined',
    'ours',
    'owned',
    'private',
    'public',
  ])
})

t.test('[CHAN5] public channels are no matter of guests', async (t) => {
  for (const filter of ['include_public', 'include_all', 'include_can_access_content']) {
    t.same(await list('guest', { include_subscribed: true, [filter]: true }), ['joined', 'ours'], filter)
  }
  t.same(await list('guest', { ...NOTHING, include_public: true }), [])
})

t.test(
  '[CHAN6] whether a channel is a default one is told where default channels are asked for',
  async (t) => {
    const { streams } = await owner.must('GET', '/streams', { include_default: true })
    t.ok(streams.every((one: any) => one.is_default === false))
    t.equal(streams.length, 3)
  },
)

t.test('[CHAN7] include_all_active is for administrators', async (t) => {
  for (const person of ['owner', 'administrator'] as const) {
    t.same(await list(person, { ...NOTHING, include_all_active: true }), [
      'joined',
      'ours',
      'owned',
      'private',
      'public',
    ])
  }
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(
      t,
      await server.as(person).get('/streams', { include_all_active: true }),
      'Must be an organization administrator',
    )
  }
})

t.test('[CHAN8] a filter is a boolean', async (t) => {
  expectRefusal(t, await owner.get('/streams', { include_all: 'perhaps' }), 'include_all is not valid JSON')
  expectRefusal(t, await owner.get('/streams', { include_all: 1 }), 'include_all is not a boolean')
})

t.test('[CHAN9] a bot may list the channels of its owner', async (t) => {
  const owned = { ...NOTHING, include_owner_subscribed: true }
  t.same(await list('bot', owned), ['joined', 'ours', 'owned', 'private'])
  t.same(await list('bot', { ...owned, include_subscribed: true }), ['joined', 'ours', 'owned', 'private'])
  t.same(await list('bot', { ...NOTHING, include_all: true }), ['joined', 'owned', 'public'])
})
