/** Rows of notifications: written with their message, for those alone who want one, and claimed by one worker. */

import t from 'tap'
import {
  claimPending,
  findNextPending,
  PENDING_NOTICE,
  postponePending,
  removeOldPending,
  settlePending,
} from '../../db/notifications/pending-notifications.ts'
import { readActivity } from '../../db/personal/last-activity.ts'
import { AWAY_AFTER_SECONDS } from '../../packages/rules/notifications.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { addCrowd } from '../harness/worlds/add-crowd.ts'
import { commitEvents } from '../harness/worlds/commit-events.ts'
import { pollUntil } from '../services/poll-until.ts'

const NO_MAIL = { enable_offline_email_notifications: false }
/** Nothing leaves: no worker runs. */
const env = { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'team@example.com' }
const rowsOf = async ({ node: { services } }: TestServer) => {
  const rows = await services.sql`
    select way, user_id as "userId", message_id as "messageId", trigger, group_id as "groupId",
      extract(epoch from due_at - asked_at)::int as delay
    from pending_notifications order by message_id, user_id, way`
  return rows.map((row) => ({ ...row }))
}
const summaryOf = async (server: TestServer) =>
  (await rowsOf(server)).map((row) => `${row['userId']} ${row['way']} ${row['trigger']}`)
const clear = ({ node: { services } }: TestServer) => services.sql`delete from pending_notifications`

const server = await startTestServer(t, { env })
const { sql, state } = server.node.services
const [owner, member, member2, guest] = [
  server.as('owner'),
  server.as('member'),
  server.as('member2'),
  server.as('guest'),
]
await owner.subscribe(['general'], { principals: [owner, member, member2, guest].map((one) => one.userId) })
const channelId = state.findChannelByName('general')?.channel.id as ChannelId
const ids = { member: member.userId, member2: member2.userId }

t.test('[NOTIFY10] messages give rows to users who want an email or a push, with the reason', async (t) => {
  await owner.send('general', 'a topic', `@**The member2|${ids.member2}** and everyone else`)
  t.same(await summaryOf(server), [`${ids.member2} mail mention`], 'by default, users who are named')
  await clear(server)
  for (const one of [owner, member, member2, guest]) await one.must('PATCH', '/settings', NO_MAIL)
  await owner.sendDirect([ids.member], 'nobody wants it')
  await owner.send('general', 'a topic', `@**all** and @**The member|${ids.member}**`)
  t.same(await rowsOf(server), [])
  await member.must('PATCH', '/settings', {
    enable_offline_email_notifications: true,
    email_notifications_batching_period_seconds: 600,
  })
  const id = await owner.sendDirect([ids.member, ids.member2], 'one of them wants it')
  t.same(await rowsOf(server), [
    { way: 'mail', userId: ids.member, messageId: id, trigger: 'direct_message', groupId: null, delay: 600 },
  ])
  await clear(server)
  await member.must('POST', '/register_client_device')
  await owner.sendDirect([ids.member], 'with a device')
  t.same(await summaryOf(server), [`${ids.member} mail direct_message`, `${ids.member} push direct_message`])
  await clear(server)
  await owner.send('general', 'a topic', `@**The member|${ids.member}**`)
  await owner.send('general', 'a topic', '@**all**')
  await member2.must('PATCH', '/settings', { enable_stream_email_notifications: true })
  await guest.must('POST', '/user_topics', { stream_id: channelId, topic: 'followed', visibility_policy: 3 })
  await owner.send('general', 'Followed', 'anything')
  await member.sendDirect([ids.member], 'a note to myself')
  t.same(await summaryOf(server), [
    `${ids.member} mail mention`,
    `${ids.member} push mention`,
    `${ids.member} mail channel_wildcard`,
    `${ids.member} push channel_wildcard`,
    `${ids.member2} mail channel`,
    `${guest.userId} mail followed_topic`,
  ])
  await clear(server)
})

t.test('[NOTIFY11] a mention through a group names the smallest of the groups', async (t) => {
  for (const [name, members] of [
    ['large', [ids.member, ids.member2]],
    ['small', [ids.member]],
  ] as const)
    await owner.must('POST', '/user_groups/create', { name, description: '', members })
  const small = [...state.groups.groups.values()].find(({ group }) => group.name === 'small')?.group.id
  await owner.send('general', 'a topic', '@*large* @*small*')
  const rows = await rowsOf(server)
  t.match(
    rows.filter(({ way, userId }) => way === 'mail' && userId === ids.member),
    [{ trigger: 'group_mention', groupId: small }],
  )
  await clear(server)
})

t.test('[NOTIFY12] an edit notifies only users whom the message did not notify before', async (t) => {
  const id = await owner.send('general', 'edited', `@**The member|${ids.member}**`)
  const direct = await owner.sendDirect([ids.member], 'direct')
  await clear(server)
  await owner.must('PATCH', `/messages/${id}`, { content: `@**The member|${ids.member}** again` })
  t.same(await rowsOf(server), [], 'it was notified of that')
  const other = await owner.send('general', 'edited', 'for member2, who wants all')
  await clear(server)
  await owner.must('PATCH', `/messages/${other}`, {
    content: `@**The member|${ids.member}** @**The member2|${ids.member2}**`,
  })
  t.same(await summaryOf(server), [`${ids.member} mail mention`, `${ids.member} push mention`])
  await clear(server)
  await owner.must('PATCH', `/messages/${direct}`, { content: 'direct, edited' })
  t.same(await rowsOf(server), [])
})

t.test('[NOTIFY13] settings, mutes and the departure of a user count for the next message', async (t) => {
  await member.must('POST', `/users/me/muted_users/${owner.userId}`)
  await owner.sendDirect([ids.member], 'muted')
  await member.must('DELETE', `/users/me/muted_users/${owner.userId}`)
  await member2.must('PATCH', '/settings', { enable_stream_email_notifications: false })
  await owner.send('general', 'a topic', 'nobody wants all messages')
  await member2.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property: 'email_notifications', value: true }],
  })
  await owner.send('general', 'a topic', 'a channel that is on')
  await member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['general'] })
  await owner.send('general', 'a topic', 'left')
  await owner.send('general', 'followed', 'followed')
  await guest.must('POST', '/user_topics', { stream_id: channelId, topic: 'followed', visibility_policy: 1 })
  await owner.send('general', 'followed', 'muted')
  t.same(await summaryOf(server), [`${ids.member2} mail channel`, `${guest.userId} mail followed_topic`])
  await clear(server)
})

t.test('[NOTIFY19] without a mail server only users with a device get rows', async (t) => {
  const other = await startTestServer(t)
  const [from, to] = [other.as('owner'), other.as('member')]
  await to.must('PATCH', '/settings', { enable_stream_email_notifications: true })
  await from.subscribe(['general'], { principals: [from.userId, to.userId] })
  await from.sendDirect([to.userId], 'nothing could reach them')
  await from.send('general', 'a topic', '@**all**')
  t.same(await rowsOf(other), [])
  await to.must('POST', '/register_client_device')
  await from.sendDirect([to.userId], 'to the device')
  t.same(await summaryOf(other), [`${to.userId} push direct_message`])
})

t.test('[NOTIFY14] another process finds the same from the database as from the events', async (t) => {
  await member2.subscribe(['general'])
  await guest.must('POST', '/user_topics', { stream_id: channelId, topic: 'followed', visibility_policy: 3 })
  await guest.must('PATCH', '/settings', { enable_offline_push_notifications: false })
  const other = await server.startAnotherNode() // It loads the database.
  const found = []
  for (const { node } of [server, other]) {
    const { watchers } = node.services.state
    found.push(
      [
        watchers.unreached,
        watchers.channels,
        watchers.ofChannel(channelId),
        node.services.state.followersOf(channelId, 'FOLLOWED'),
      ].map((users) => users.toArray()),
    )
  }
  t.same(found[0], [[guest.userId], [], [ids.member2], [guest.userId]])
  t.same(found[1], found[0])
})

t.test('[NOTIFY15] a message to 10,000 readers gives a row to the 10 who want one', async (t) => {
  const crowd = await addCrowd(server, 9_990, 1_700_000_000)
  const wanting = crowd.filter((_, index) => index % 999 === 0).slice(0, 10)
  const { channels } = state as typeof state
  const channel = channels.get(channelId)
  if (!channel) throw new Error('no channel')
  await commitEvents(server, [
    { type: 'subscription/add', channels: [channel.channel], userIds: crowd },
    ...wanting.map(
      (userId): LogEvent => ({
        type: 'subscription/update',
        userId,
        channelId,
        change: { property: 'emailNotifications', value: true },
      }),
    ),
  ])
  await clear(server)
  await member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['general'] })
  const id = await owner.send('general', 'large', 'to all')
  t.ok(state.getChannel(channelId).subscribers.size > 9_990)
  const rows = await rowsOf(server)
  t.same(
    rows.map(({ userId, messageId }) => [userId, messageId]),
    wanting.map((userId: UserId) => [userId, id]),
  )
  await clear(server)
})

t.test(
  '[NOTIFY16] each notification is claimed once, and again only after its claim has expired',
  async (t) => {
    for (let sent = 0; sent < 20; sent++) await owner.sendDirect([ids.member], `message ${sent}`)
    await sql`update pending_notifications set due_at = now() - interval '1 second'`
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimPending(sql, 'push', 5)))
    const taken = claims.flat().map(({ messageId }) => messageId)
    t.equal(new Set(taken).size, taken.length)
    const rest = await claimPending(sql, 'push', 100)
    t.equal(taken.length + rest.length, 20)
    t.same(await claimPending(sql, 'push', 100), [], 'all are claimed')
    t.ok(((await findNextPending(sql, 'push'))?.delayMs ?? 0) > 60_000)
    const [first = [], second = []] = claims.filter((one) => one.length > 0)
    await settlePending(sql, first)
    await postponePending(sql, second, 0)
    const again = await claimPending(sql, 'push', 100)
    t.same(
      again.map(({ messageId, tries }) => `${messageId} ${tries}`).sort(),
      second.map(({ messageId }) => `${messageId} 2`).sort(),
    )
    await settlePending(sql, second)
    t.equal(
      (await sql`select from pending_notifications where way = 'push'`).length,
      20 - first.length,
      'an old claim ends nothing',
    )
    await sql`update pending_notifications set due_at = now() - interval '25 hours' where way = 'mail'`
    t.same(await claimPending(sql, 'mail', 100), [], 'old ones are given up')
    t.equal(await findNextPending(sql, 'mail'), undefined)
    t.equal(await removeOldPending(sql, 15), 15)
    t.equal(await removeOldPending(sql, 15), 5)
    t.equal(await findNextPending(sql, 'mail'), undefined)
  },
)

t.test(
  '[NOTIFY17] workers are woken for what is due first, and not for what an alarm will find',
  async (t) => {
    await clear(server)
    const heard: string[] = []
    const listening = await sql.listen(PENDING_NOTICE, (way) => void heard.push(way))
    await owner.sendDirect([ids.member], 'the first')
    await owner.sendDirect([ids.member], 'the second')
    await sql`select pg_notify(${PENDING_NOTICE}, 'end')`
    await pollUntil('all notices arrived', () => heard.includes('end'))
    await listening.unlisten()
    t.same(heard.sort(), ['end', 'mail', 'push'])
  },
)

t.test('[NOTIFY18] without Redis, the activity of users is stored for workers', async (t) => {
  const { presences } = server.node.services
  const activeAt = async () =>
    (await readActivity(sql, [ids.member, ids.member2] as UserId[])).get(ids.member as UserId)
  t.equal(await activeAt(), undefined)
  await member.must('POST', '/users/me/presence', { status: 'active' })
  await presences.exchange()
  const first = (await activeAt()) ?? 0
  const [now] = await sql`select extract(epoch from now())::int as now`
  t.ok(Math.abs(first - Number(now?.['now'])) < 60)
  await member.must('PATCH', '/settings', { presence_enabled: false })
  await presences.exchange()
  t.ok(((await activeAt()) ?? 0) < first - AWAY_AFTER_SECONDS, 'a user who hides has left')
})
