import t from 'tap'
import type { ChannelId } from '../../../server/domain/ids.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
const TOWN = 1

const topics = async (person: Person, channelId = TOWN, fields: Fields = {}) =>
  (await server.as(person).must('GET', `/users/me/${channelId}/topics`, fields)).topics

t.test('[TOPIC1] a channel without messages has no topics', async (t) => {
  t.same(await topics('member'), [])
})

t.test('[TOPIC2] topics are listed newest first, with the newest message and its spelling', async (t) => {
  await owner.send('town', 'News', 'one')
  const tea = await owner.send('town', 'tea', 'two')
  const news = await member.send('town', 'NEWS', 'three')
  const empty = await owner.send('town', '', 'four')
  t.same(await topics('member', TOWN, { allow_empty_topic_name: true }), [
    { name: '', max_id: empty },
    { name: 'NEWS', max_id: news },
    { name: 'tea', max_id: tea },
  ])
  t.equal((await topics('member'))[0].name, 'general chat')
  t.equal((await topics('member', TOWN, { allow_empty_topic_name: false }))[0].name, 'general chat')
  const again = await owner.send('town', 'tea', 'five')
  t.match((await topics('owner'))[0], { name: 'tea', max_id: again })
})

t.test('[TOPIC3] messages of other channels and direct messages are not included', async (t) => {
  await owner.subscribe(['square'], { principals: [4] })
  await owner.send('square', 'elsewhere', 'x')
  await owner.sendDirect([4], 'x')
  const names = (await topics('member')).map(({ name }: { name: string }) => name)
  t.notOk(names.includes('elsewhere'))
  t.match(await topics('member', 2), [{ name: 'elsewhere' }])
})

t.test('[TOPIC4] everyone who can read the channel can list its topics, subscribed or not', async (t) => {
  t.equal((await topics('member2')).length, 3)
  t.equal((await topics('guest')).length, 3)
})

t.test('[TOPIC5] an unreadable channel looks absent', async (t) => {
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.send('secret', 'plans', 'x')
  for (const [person, id] of [
    ['member', 3],
    ['administrator', 3],
    ['guest', 2],
    ['member', 999],
    ['member', 0],
  ] as const) {
    expectRefusal(t, await server.as(person).get(`/users/me/${id}/topics`), 'Invalid channel ID')
  }
  expectRefusal(
    t,
    await owner.get('/users/me/1/topics', { allow_empty_topic_name: 'x' }),
    'allow_empty_topic_name is not valid JSON',
  )
})

t.test(
  '[TOPIC6] with protected history, only topics with messages that the reader received are listed',
  async (t) => {
    await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4] })
    const before = await owner.send('closed', 'before', 'x')
    await owner.send('closed', 'both', 'x')
    await owner.subscribe(['closed'], { principals: [5] })
    const both = await owner.send('closed', 'BOTH', 'x')
    const during = await owner.send('closed', 'during', 'x')
    await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'], principals: [5] })
    expectRefusal(t, await server.as('member2').get('/users/me/4/topics'), 'Invalid channel ID')
    const missed = await owner.send('closed', 'both', 'x')
    await owner.send('closed', 'missed', 'x')
    await owner.subscribe(['closed'], { principals: [5] })
    t.same(await topics('member2', 4), [
      { name: 'during', max_id: during },
      { name: 'BOTH', max_id: both },
    ])
    t.match(await topics('member', 4), [
      { name: 'missed' },
      { name: 'both', max_id: missed },
      { name: 'during' },
      { name: 'before', max_id: before },
    ])
    await setUpChannel(server, 'closed', {
      kind: 'privacy',
      isPrivate: true,
      isWebPublic: false,
      isHistoryPublic: true,
    })
    t.equal((await topics('member2', 4)).length, 4)
  },
)

t.test('[TOPIC7] at most the newest 10000 topics are listed', async (t) => {
  await owner.subscribe(['busy'], { principals: [1, 4] })
  const channelId = 5 as ChannelId
  const { committer } = server.node.services
  const sendMany = (from: number, count: number) =>
    committer.submit({
      kind: 'messages',
      decide: () => ({
        events: Array.from({ length: count }, (_, index) => ({
          event: {
            type: 'message' as const,
            channelId,
            conversationId: null,
            userIds: null,
            topic: `topic ${from + index}`,
            senderId: 1 as never,
            content: 'x',
            rendered: '<p>x</p>',
            sentAt: 1_700_000_000,
            client: 'test',
            readById: null,
            queueId: null,
            localId: null,
          },
          audience: { kind: 'subscribers' as const, channelId },
        })),
        reply: () => undefined,
      }),
    })
  const { sql } = server.node.services
  await sendMany(0, 10_000)
  // Autovacuum may have counted the rows before they were committed: until its next look the planner takes them for none.
  await sql`analyze messages`
  const whole = await topics('member', channelId)
  t.equal(whole.length, 10_000)
  t.equal(whole.at(-1).name, 'topic 0')
  await sendMany(10_000, 12_000)
  await sql`analyze messages`
  const newest = await topics('member', channelId)
  t.equal(newest.length, 10_000)
  // Beyond 20,000 topics those of the newest messages are still complete and in order.
  t.same(
    newest.slice(0, 5_000).map(({ name }: { name: string }) => name),
    Array.from({ length: 5_000 }, (_, index) => `topic ${21_999 - index}`),
  )
})
