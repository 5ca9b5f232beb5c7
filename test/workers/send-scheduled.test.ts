import t from 'tap'
import { appendEvents } from '../../server/events/append-events.ts'
import { readDue, StaleScheduledError } from '../../db/messages/scheduled-messages.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { ChannelChange } from '../../server/domain/events/channels.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { SYSTEM_GROUPS } from '../../server/domain/groups/system-groups.ts'
import {
  type Delivered,
  deliverPrepared,
  prepareDue,
} from '../../server/changes/scheduled-messages/deliver-scheduled.ts'
import { ScheduledAlarm } from '../../workers/jobs/scheduled/scheduled-alarm.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { sendScheduled } from '../../workers/jobs/scheduled/send-scheduled.ts'
import { addUser, deactivate } from '../harness/worlds/add-user.ts'
import type { Client, Fields } from '../harness/client/client.ts'
import { commitEvents } from '../harness/worlds/commit-events.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { openTestSender, sendDue } from '../harness/worlds/open-test-sender.ts'
import { channelIdOf, setUpChannel } from '../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import type { Recipients } from '../harness/client/wire-types.ts'

type AllSent = Extract<Delivered, { kind: 'sent' }>

const NOW = 1_790_000_000
const clock = new ManualClock(NOW * 1_000)
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const sender = await openTestSender(t, server)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town', 'attic', 'square'], { principals: [1, 4, 5, 6] })
const town = channelIdOf(server, 'town')
let next = NOW + 100
/** A separate second for each scheduled message. */
const soon = () => ++next

const schedule = async (client: Client, deliverAt: number, fields: Fields = {}): Promise<number> => {
  const body = await client.must('POST', '/scheduled_messages', {
    type: 'channel',
    to: town,
    topic: 'news',
    content: 'hello',
    scheduled_delivery_timestamp: deliverAt,
    ...fields,
  })
  return body.scheduled_message_id
}
const listOf = async (client: Client) => (await client.must('GET', '/scheduled_messages')).scheduled_messages
const newest = async (client: Client, count = 1, narrow: unknown = []) => {
  const page = { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false, narrow }
  return (await client.must('GET', '/messages', page)).messages
}
const countOf = async (content: string) => {
  const [row] = await sql<{ count: number }[]>`select count(*) from messages where content = ${content}`
  return row?.count
}
const as = (person: Person) => server.as(person)

t.test('[SCHED20] a message is sent at its time, not before, to its recipients', async (t) => {
  const at = soon()
  const id = await schedule(member, at, { content: 'hello **@all** @**The owner**', read_by_sender: true })
  t.same(await sendDue(server, sender, at - 1), { sent: 0, failed: 0 })
  const events = await expectConsistent(server, async () => {
    t.same(await sendDue(server, sender, at), { sent: 1, failed: 0 })
  })
  const [message, removal, ...rest] = events.member
  t.match(message, { type: 'message', flags: ['read'] })
  t.match(message.message, {
    sender_id: 4,
    type: 'stream',
    stream_id: town,
    subject: 'news',
    content:
      '<p>hello <strong>@all</strong> <span class="user-mention" data-user-id="1">@The owner</span></p>',
  })
  const [{ stampedAt } = {}] = await sql`select stamped_at as "stampedAt" from event_counter`
  t.equal(message.message.timestamp, stampedAt, 'the database stamps it')
  t.match(removal, { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id })
  t.same(rest, [])
  for (const person of ['owner', 'member2', 'guest'] as const) {
    t.match(events[person], [{ type: 'message', message: { id: message.message.id } }])
    t.equal(events[person]?.length, 1)
  }
  t.match(events.owner, [{ flags: ['mentioned'] }])
  t.same(await sendDue(server, sender, at), { sent: 0, failed: 0 })
})

t.test(
  '[SCHED21] direct messages and polls are sent, too, with their read flag for the sender',
  async (t) => {
    const at = soon()
    await schedule(member, at, { type: 'direct', to: [5, 6], content: 'hi', read_by_sender: false })
    await schedule(member, at, { content: '/poll Tea?\nyes' })
    const read = { type: 'direct', to: [4], content: 'mine' }
    await member.request(
      'POST',
      '/scheduled_messages',
      { ...read, scheduled_delivery_timestamp: at },
      { 'user-agent': 'website/1' },
    )
    t.same(await sendDue(server, sender, at), { sent: 3, failed: 0 })
    const [direct, poll, mine] = await newest(member, 3)
    t.match(direct, { type: 'private', content: 'hi', flags: [] })
    t.same((direct.display_recipient as Recipients).map(({ id }) => id).sort(), [4, 5, 6])
    t.match(poll, { content: '/poll Tea?\nyes', submessages: [{ msg_type: 'widget' }] })
    t.match(mine, { content: 'mine', flags: ['read'], client: 'website' })
    t.match(await newest(as('guest'), 2), [{ content: 'hi', flags: [] }, { content: '/poll Tea?\nyes' }])
  },
)

t.test('[SCHED22] a message is rendered with the names and rights at its sending', async (t) => {
  const at = soon()
  await schedule(member, at, { content: '@*Later Group* and #**later**' })
  await owner.must('POST', '/user_groups/create', { name: 'Later Group', description: '', members: [5] })
  await owner.subscribe(['later'])
  t.same(await sendDue(server, sender, at), { sent: 1, failed: 0 })
  const [message] = await newest(as('member2'))
  t.ok(message.flags.includes('mentioned'))
  const { messages } = await member.must('GET', '/messages', { anchor: 'newest', num_before: 1 })
  t.match(messages[0].content, /class="user-group-mention"[^]*class="stream"/)
})

t.test('[SCHED23] two concurrent jobs send each message once', async (t) => {
  const at = soon()
  const other = await openTestSender(t, server)
  const contents = Array.from({ length: 40 }, (_, index) => `once ${index}`)
  await Promise.all(contents.map((content) => schedule(member, at, { content, topic: content })))
  const now = new Date(at * 1_000)
  const results = await Promise.all([sender, other, sender].map((one) => sendScheduled(one, now)))
  t.equal(
    results.reduce((sum, { sent }) => sum + sent, 0),
    contents.length,
  )
  for (const content of contents) t.equal(await countOf(content), 1, content)
})

t.test('[SCHED24] a message that was changed or deleted after the decision is not sent', async (t) => {
  const at = soon()
  const [changed, gone] = [
    await schedule(member, at, { content: 'before' }),
    await schedule(member, at, { content: 'given up' }),
  ]
  const due = await readDue(sql, at, 10)
  const prepared = await prepareDue(due, at, sender.services)
  await member.must('PATCH', `/scheduled_messages/${changed}`, { content: 'after' })
  await member.must('DELETE', `/scheduled_messages/${gone}`)
  t.same(await deliverPrepared(prepared, sender.services), { kind: 'stale' })
  t.same([await countOf('before'), await countOf('given up')], [0, 0])
  t.same(await sendDue(server, sender, at), { sent: 1, failed: 0 })
  t.same([await countOf('after'), await countOf('given up')], [1, 0])
})

t.test('[SCHED25] sending a message and removing it from the list are one commit', async (t) => {
  const at = soon()
  const id = await schedule(member, at, { content: 'both' })
  const [one] = await readDue(sql, at, 1)
  if (one?.kind !== 'message') throw new Error('it is due')
  const { state } = server.node.services
  const message = {
    type: 'message',
    channelId: town,
    conversationId: null,
    userIds: null,
    topic: 'news',
    senderId: one.userId,
    content: 'both',
    rendered: '<p>both</p>',
    sentAt: at,
    client: 'x',
    readById: null,
    queueId: null,
    localId: null,
  } as const
  const removal = (sentAsOf: number) =>
    ({ type: 'scheduled_messages/remove', userId: one.userId, scheduledId: one.id, sentAsOf }) as never
  const nobody = { kind: 'nobody' } as const
  const append = (sentAsOf: number, more: readonly object[] = []) =>
    appendEvents(
      sql,
      [message, removal(sentAsOf), ...more].map((event) => ({
        event: event as typeof message,
        audience: nobody,
      })),
      { seenId: state.appliedId },
    )
  // In one statement, along with another change.
  await t.rejects(append(one.changedId - 1), StaleScheduledError)
  await t.rejects(append(one.changedId - 1, [message]), StaleScheduledError)
  t.equal(await countOf('both'), 0)
  t.match(await listOf(member), [{ scheduled_message_id: id }])
  t.same(await sendDue(server, sender, at), { sent: 1, failed: 0 })
  t.equal(await countOf('both'), 1)
})

t.test(
  '[SCHED26] a message that cannot be sent is marked as failed, and its sender gets the reason',
  async (t) => {
    const at = soon()
    const attic = channelIdOf(server, 'attic')
    const id = await schedule(member, at, { to: attic, content: 'too late' })
    await setUpChannel(server, 'attic', { kind: 'archived', isArchived: true })
    const events = await expectConsistent(server, async () => {
      t.same(await sendDue(server, sender, at), { sent: 0, failed: 1 })
    })
    const failure = events.member.find(({ type }) => type === 'scheduled_messages')
    t.match(failure, { op: 'update', scheduled_message: { scheduled_message_id: id, failed: true } })
    for (const person of ['owner', 'member2', 'guest'] as const)
      t.notOk(events[person]?.some(({ type }) => type === 'scheduled_messages' || type === 'message'))
    const [notice] = await newest(member)
    t.match(notice, { sender_full_name: 'Notification Bot', type: 'private', flags: [] })
    const time = new Date(at * 1_000).toISOString()
    t.equal(
      notice.content,
      `The message you scheduled for <time:${time}> was not sent:\n\n` +
        "> Not authorized to send to channel 'attic'\n\n[Your scheduled messages](/#scheduled)",
    )
    t.same(await sendDue(server, sender, at), { sent: 0, failed: 0 }, 'there is no automatic retry')

    const { status, body } = await member.patch(`/scheduled_messages/${id}`, { content: 'still too late' })
    t.same([status, body.msg], [400, 'Scheduled delivery time must be in the future.'])
    const again = soon()
    // A new time alone is not checked; it fails again.
    await member.must('PATCH', `/scheduled_messages/${id}`, { scheduled_delivery_timestamp: again })
    t.match(await listOf(member), [{ failed: false }])
    t.same(await sendDue(server, sender, again), { sent: 0, failed: 1 })
    const last = soon()
    await member.must('PATCH', `/scheduled_messages/${id}`, {
      scheduled_delivery_timestamp: last,
      to: town,
      content: 'in time',
    })
    t.same(await sendDue(server, sender, last), { sent: 1, failed: 0 })
    t.equal(await countOf('in time'), 1)
  },
)

t.test(
  '[SCHED27] rights lost before the sending, or between rendering and sending, no longer count',
  async (t) => {
    const square = channelIdOf(server, 'square')
    const at = soon()
    await schedule(member, at, { to: square, content: 'no right' })
    await schedule(member, at, { content: 'right' })
    const prepared = await prepareDue(await readDue(sql, at, 10), at, sender.services)
    const noone = { kind: 'permission', permission: 'canSendMessage', setting: SYSTEM_GROUPS.nobody }
    await setUpChannel(server, 'square', noone as ChannelChange)
    const { sent, failed: refused } = (await deliverPrepared(prepared, sender.services)) as AllSent
    t.same([sent.length, refused.length], [1, 1])
    t.same([await countOf('no right'), await countOf('right')], [0, 1])
    const [failed] = await listOf(member)
    t.match(failed, { failed: true, content: 'no right' })
    await member.must('DELETE', `/scheduled_messages/${failed.scheduled_message_id}`)
    t.same(await listOf(member), [])
  },
)

t.test(
  '[SCHED60] many failing messages are marked together, except for those changed meanwhile',
  async (t) => {
    const at = soon()
    const attic = channelIdOf(server, 'attic') // Its channel is archived.
    await sql`
    insert into scheduled_messages
      (id, user_id, channel_id, topic, content, rendered, deliver_at, is_read_by_sender, client, changed_id)
    select -n, 4, ${attic}, '', 'never sent', '', ${at}, true, '', -n from generate_series(1, 100) n`
    const prepared = await prepareDue(await readDue(sql, at, 100), at, sender.services)
    await sql`update scheduled_messages set changed_id = 0 where id = -30`
    const { sent, failed } = (await deliverPrepared(prepared, sender.services)) as AllSent
    t.same([sent.length, failed.length], [0, 99])
    const [row] = await sql`
    select count(*), count(distinct xmin::text) as commits from scheduled_messages
    where content = 'never sent' and has_failed`
    t.equal(row?.count, 99)
    t.ok(row?.commits <= 8, 'a half without the changed one, and one part with it, halved')
    const [notices] = await sql`
    select count(*) from messages where content like ${`%${new Date(at * 1_000).toISOString()}%`}`
    t.equal(notices?.count, 99)
    await sql`delete from scheduled_messages where content = 'never sent'`
    await sender.catchUp()
  },
)

t.test('[SCHED28] messages from or to deactivated users are not sent', async (t) => {
  const [partner, author] = [await addUser(server, 'partner'), await addUser(server, 'author')]
  const at = soon()
  await schedule(member, at, { type: 'direct', to: [partner.userId], content: 'nobody there' })
  await schedule(author, at, { type: 'direct', to: [4], content: 'nobody here' })
  await deactivate(server, partner.userId)
  await deactivate(server, author.userId)
  t.same(await sendDue(server, sender, at), { sent: 0, failed: 2 })
  t.match((await newest(member))[0].content, new RegExp(`> '${partner.email}' is no longer using`))
  t.same([await countOf('nobody there'), await countOf('nobody here')], [0, 0])
  const rows = await sql`select from scheduled_messages where user_id = ${author.userId} and has_failed`
  t.equal(rows.length, 1, 'it is there after the return')
})

t.test('[SCHED71] a message is not sent if its sender is deactivated while it is being sent', async (t) => {
  const author = await addUser(server, 'author who leaves')
  const at = soon()
  await schedule(author, at, { content: 'no longer here' })
  await sender.catchUp()
  const prepared = await prepareDue(await readDue(sql, at, 10), at, sender.services)
  await deactivate(server, author.userId)
  await sender.catchUp()
  const sent = { kind: 'sent', sent: [], failed: [{ userId: author.userId }] }
  t.match(await deliverPrepared(prepared, sender.services), sent)
  t.equal(await countOf('no longer here'), 0)
  const rows = await sql`select from scheduled_messages where user_id = ${author.userId} and has_failed`
  t.equal(rows.length, 1, 'it is there after the return')
})

t.test(
  '[SCHED30] without jobs the sweep sends overdue messages, including those due while no worker ran',
  async (t) => {
    const start = soon()
    await schedule(member, start, { content: 'while away' })
    const alarmClock = new ManualClock(start * 1_000)
    const jobs: number[] = []
    const sendings: number[] = []
    const alarm = new ScheduledAlarm({
      sql,
      clock: alarmClock,
      send(now) {
        sendings.push(now.getTime())
        return sendScheduled(sender, now)
      },
      setJob: (at) => jobs.push(at), // Like a Redis that loses data at once.
      onError(error) {
        throw error
      },
    })
    t.teardown(() => alarm.stop())
    await alarm.start()
    t.equal(await countOf('while away'), 1)
    const at = start + 60
    await schedule(member, at, { content: 'swept' })
    await schedule(member, at + 10, { content: 'next' })
    await schedule(member, at + 2 * 86_400, { content: 'far' })
    await pollUntil('a job is asked for', () => jobs.includes(at))
    alarmClock.advance(60_000)
    await alarm.ring(at - 1)
    t.equal(await countOf('swept'), 1)
    t.ok(jobs.includes(at + 10), 'each sending schedules the next')
    alarmClock.advance(9_950)
    await alarm.ring(at)
    t.equal(await countOf('next'), 0, 'never early')
    sendings.length = 0
    const rung = alarm.ring(at + 10)
    alarmClock.advance(50)
    await rung
    t.same(sendings, [(at + 10) * 1_000], 'a job that is a little early waits for its time')
    t.equal(await countOf('next'), 1)
    t.notOk(jobs.includes(at + 2 * 86_400), 'the sweep schedules far ones when their day comes')
    await sql`delete from scheduled_messages where content = 'far'`
    await schedule(member, at + 15, { content: 'swept later' })
    alarmClock.advance(10_000)
    await pollUntil('it is sent', async () => (await countOf('swept later')) === 1)
    next = at + 100
  },
)

t.test(
  '[SCHED31] users that become visible to a guest by a scheduled message are sent before it',
  async (t) => {
    await commitEvents(server, [
      { type: 'realm/update_dict', changes: { permissions: { canAccessAllUsers: SYSTEM_GROUPS.members } } },
    ])
    const stranger = await addUser(server, 'stranger')
    const at = soon()
    await schedule(stranger, at, { type: 'direct', to: [6], content: 'pleased to meet you' })
    const events = await expectConsistent(server, async () => {
      t.same(await sendDue(server, sender, at), { sent: 1, failed: 0 })
    })
    t.match(events.guest, [
      { type: 'realm_user', op: 'add', person: { user_id: stranger.userId } },
      { type: 'message', message: { content: '<p>pleased to meet you</p>' } },
    ])
    t.same(await listOf(stranger), [])
  },
)

t.test('[SCHED63] of two messages that are due together only the first starts their topic', async (t) => {
  const starts = { automatically_follow_topics_policy: 3 }
  for (const one of [owner, member]) await one.must('PATCH', '/settings', starts)
  const at = soon()
  for (const one of [owner, member]) await schedule(one, at, { topic: 'begun together' })
  t.same(await sendDue(server, sender, at), { sent: 2, failed: 0 })
  const { state } = server.node.services
  const policies = [owner, member].map(({ userId }) =>
    state.topicVisibility(userId as UserId, town, 'begun together'),
  )
  t.same(policies, [3, 0])
  for (const one of [owner, member])
    await one.must('PATCH', '/settings', { automatically_follow_topics_policy: 4 })
})

t.test(
  '[SCHED29] scheduled messages are deleted some days after they are sent, and nothing else is',
  async (t) => {
    await schedule(member, soon() + 100_000)
    const waiting = await listOf(member)
    const before = await sql`select id from scheduled_messages where sent_id is not null`
    t.ok(before.length > 0)
    const [row] = await sql<{ count: number }[]>`select count(*) from messages`
    await cleanUp(sql, new Date())
    t.equal((await sql`select id from scheduled_messages where sent_id is not null`).length, before.length)
    // The newest hundred entries of the log stay at any age.
    const entries: LogEvent[] = Array.from({ length: 100 }, () => ({ type: 'muted_topics', mutedTopics: [] }))
    await commitEvents(server, entries)
    await sql`update event_log set logged_at = now() - interval '9 days' where id < (select max(id) from event_log)`
    await cleanUp(sql, new Date())
    t.same(await sql`select id from scheduled_messages where sent_id is not null`, [])
    t.same(await listOf(member), waiting)
    t.same(await sql`select count(*) from messages`, [row])
  },
)
