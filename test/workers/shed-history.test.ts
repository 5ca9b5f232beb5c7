import t from 'tap'
import { shedHistory } from '../../workers/jobs/upkeep/shed-history.ts'
import { forgetTopics } from '../../workers/jobs/retention/forget-topics.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const DAY_SECONDS = 86_400
const server = await startTestServer(t)
const { sql, clock, state } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
const now = () => Math.floor(clock.nowMs() / 1_000)
await owner.subscribe(['town', 'village'], { principals: [1] })
const join = (name: string) => member.subscribe([name])
const leave = (name: string) => member.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
/** The log no longer has what happened until now. */
const forgetLog = () => sql`delete from event_log where id < (select last_id from event_counter)`
const endedSpans = async () => {
  const [row] = await sql`select count(*) from subscription_spans where user_id = 4 and until_id is not null`
  return row?.count
}
const readable = async () =>
  (await member.must('GET', '/messages', { anchor: 'newest', num_before: 100 })).messages.map(
    ({ id }: { id: number }) => id,
  )
const speak = () => owner.sendDirect([4, 5, 6], 'the newest of all')

t.test('[SHED1] ended subscriptions stay as long as they cover a message, or the log', async (t) => {
  const stay = async (name: string, act: () => Promise<unknown>) => {
    await join(name)
    await act()
    await leave(name)
  }
  const say = (content: string) => owner.send('town', 'talk', content)
  const ids: number[] = []
  await stay('town', async () => ids.push(await say('heard')))
  await stay('town', async () => undefined)
  await stay('town', async () => ids.push(await owner.send('town', 'other', 'heard, then moved away')))
  await stay('village', async () =>
    owner.must('PATCH', `/messages/${ids[1]}`, { stream_id: 2, send_notification_to_new_thread: false }),
  )
  await stay('village', async () => undefined)
  await stay('town', async () => undefined)
  const before = await readable()
  t.same(before, ids)
  const former = async () =>
    (await member.register()).state.unsubscribed.map(({ name }: { name: string }) => name)
  t.same(await former(), ['town', 'village'])
  t.equal(await endedSpans(), 6)
  t.match(await shedHistory(sql, now()), { subscriptions: 0 }, 'clients may be behind')
  await forgetLog()
  t.match(await shedHistory(sql, now()), { subscriptions: 1 }, 'the stay that heard nothing')
  t.same(await readable(), before)
  await owner.must('DELETE', `/messages/${ids[0]}`)
  await speak()
  await forgetLog()
  await expectConsistent(server, async () =>
    t.match(await shedHistory(sql, now()), { subscriptions: 1 }, 'its message is deleted'),
  )
  await owner.must('DELETE', `/messages/${ids[1]}`)
  await forgetLog()
  t.match(await shedHistory(sql, now()), { subscriptions: 2 }, 'in both channels of the moved message')
  t.equal(await endedSpans(), 2, 'the last of each channel stays')
  t.same(await former(), ['town', 'village'])
})

t.test('[SHED2] ended mutings go with the messages that they cover', async (t) => {
  await owner.subscribe(['town'], { principals: [4] })
  const mute = (method: 'POST' | 'DELETE') => owner.must(method, '/users/me/muted_users/4')
  await mute('POST')
  const id = await member.send('town', 'talk', 'unheard')
  await mute('DELETE')
  await forgetLog()
  t.match(await shedHistory(sql, now()), { mutings: 0 })
  await owner.must('DELETE', `/messages/${id}`)
  await forgetLog()
  t.match(await shedHistory(sql, now()), { mutings: 1 })
  await mute('POST')
  await forgetLog()
  t.match(await shedHistory(sql, now()), { mutings: 0 }, 'a muting that lasts stays')
  await mute('DELETE')
})

t.test('[SHED3] differences of edits are stored for 28 days, and then computed again', async (t) => {
  const id = await owner.send('town', 'talk', 'one word')
  await owner.must('PATCH', `/messages/${id}`, { content: 'two words' })
  const history = async () => (await owner.must('GET', `/messages/${id}/history`)).message_history
  const stored = async () => {
    const [row] = await sql`select count(*) from message_edits where encoded_diff is not null`
    return row?.count
  }
  const before = await history()
  await pollUntil('it is stored', async () => (await stored()) === 1)
  t.match(await shedHistory(sql, now() + 27 * DAY_SECONDS), { diffs: 0 })
  t.match(await shedHistory(sql, now() + 29 * DAY_SECONDS), { diffs: 1 })
  t.equal(await stored(), 0)
  t.same(await history(), before)
})

t.test('[SHED4] followed topics without messages are forgotten after 28 days; others stay', async (t) => {
  const sender = await openTestSender(t, server)
  const choose = (topic: string, visibility_policy: number) =>
    member.must('POST', '/user_topics', { stream_id: 1, topic, visibility_policy })
  await member.send('town', 'Alive', 'x')
  const gone = await member.send('town', 'Gone', 'x')
  for (const topic of ['alive', 'gone', 'never there']) await choose(topic, 3)
  await choose('muted', 1)
  await owner.must('DELETE', `/messages/${gone}`)
  await speak()
  const forget = async (nowSeconds: number) => {
    const count = await forgetTopics(sql, async () => sender, nowSeconds, new AbortController().signal)
    await pollUntil('the server has it', () => state.appliedId >= sender.services.state.appliedId)
    return count
  }
  t.equal(await forget(now() + 27 * DAY_SECONDS), 0)
  const events = await expectConsistent(server, async () =>
    t.equal(await forget(now() + 29 * DAY_SECONDS), 2),
  )
  t.match(events.member, [
    { type: 'user_topic', topic_name: 'gone', visibility_policy: 0 },
    { type: 'user_topic', topic_name: 'never there', visibility_policy: 0 },
  ])
  t.same(events.owner, [])
  const left = (await member.register()).state.user_topics
  t.same(left.map((one: { topic_name: string }) => one.topic_name).sort(), ['alive', 'muted'])
  t.equal(await forget(now() + 29 * DAY_SECONDS), 0)
})

t.test('[SHED5] all of thousands of followed topics are looked at', async (t) => {
  const server = await startTestServer(t)
  const { sql } = server.node.services
  await server.as('owner').subscribe(['town'], { principals: [4] })
  await sql`insert into user_topics (user_id, channel_id, topic, visibility, updated_at)
    select 4, 1, 'topic ' || n, 3, 1 from generate_series(1, 2_001) n`
  const sender = await openTestSender(t, server)
  const forgotten = await forgetTopics(sql, async () => sender, now(), new AbortController().signal)
  t.equal(forgotten, 2_001)
  t.same(await sql`select from user_topics`, [])
})
