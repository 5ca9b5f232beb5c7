/** Mails about messages to people who are away. */

import t from 'tap'
import { Redis } from 'ioredis'
import { noteMailAnswer } from '../../db/mail/mail-results.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { openPage } from '../harness/browser/visit-page.ts'
import { pollUntil } from '../services/poll-until.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: mailServer.env, redis: true })
const { sql, state } = server.node.services
const [owner, member, member2, guest] = [
  server.as('owner'),
  server.as('member'),
  server.as('member2'),
  server.as('guest'),
]
await owner.subscribe(['general'], { principals: [owner, member, member2, guest].map((one) => one.userId) })
await owner.subscribe(['secret'], {
  principals: [owner, member].map((one) => one.userId),
  invite_only: true,
  history_public_to_subscribers: false,
})
const channelId = state.findChannelByName('general')?.channel.id ?? 0
for (const one of [member, member2, guest])
  await one.must('PATCH', '/settings', {
    enable_offline_email_notifications: true,
    email_notifications_batching_period_seconds: 3_600,
  })
await owner.must('PATCH', '/realm', { message_content_allowed_in_email_notifications: true })
await startMailWorkers(t, server)
const mailboxes = openMailboxes(mailServer, server)

/** The delay of every notification is over; resolves once they are mails, or nothing. */
async function passDelays(): Promise<void> {
  await sql`
    with due as (update pending_notifications set due_at = now() where way = 'mail' returning 1)
    select pg_notify('parley_pending', 'mail') from due`
  await pollUntil('nothing waits', async () => {
    return (await sql`select from pending_notifications where way = 'mail'`).length === 0
  })
  await mailboxes.settle()
}
const mailsTo = (person: Parameters<typeof emailOf>[0]) => mailServer.to(emailOf(person))
const clear = () => void mailServer.received.splice(0)

t.test(
  '[MSGMAIL1] the messages of a conversation come in one mail, after the delay of the reader',
  async (t) => {
    await member.send('general', 'lunch', 'who has an idea?')
    await owner.send('general', 'lunch', `@**The member|${member.userId}** the *thai* place`)
    await member2.send('general', 'lunch', 'agreed')
    await owner.send('general', 'lunch', `@**The member|${member.userId}** at noon? <b>&`)
    await owner.sendDirect([member.userId], 'bring a [coat](/help)')
    const rows = await sql`select extract(epoch from due_at - now())::int as delay from pending_notifications`
    t.ok(
      rows.every(({ delay }) => Number(delay) > 3_500),
      'each waits for an hour',
    )
    await passDelays()
    const mails = mailsTo('member')
    t.same(
      new Set(mails.map(({ subject }) => subject)),
      new Set(['#general › lunch', 'Direct messages with The owner']),
    )
    t.equal(mails.length, 2)
    const [mail] = mails.filter(({ subject }) => subject === '#general › lunch')
    const text = mail?.text ?? ''
    const said = ['who has an idea?', '@The member the thai place', 'agreed', '@The member at noon? <b>&']
    t.same(
      said.map((one) => text.indexOf(one)).sort((a, b) => a - b),
      said.map((one) => text.indexOf(one)),
      'in their order, with those around them',
    )
    t.ok(said.every((one) => text.includes(one)))
    t.match(text, /^You, /m)
    t.match(mail?.html, '<em>thai</em>')
    t.match(mail?.html, '&lt;b&gt;&amp;')
    t.notMatch(mail?.html, 'src="http')
    const link = `${server.node.url}/#narrow/channel/${channelId}/topic/lunch/near/`
    t.ok(text.includes(link) && mail?.html?.includes(`href="${link}`))
    const [direct] = mails.filter((one) => one !== mail)
    t.match(direct?.text, `coat (${server.node.url}/help)`)
    t.same(mailsTo('member2'), [], 'nobody named them')
  },
)

t.test(
  '[MSGMAIL2] mails of a conversation make a thread and a list, and those of others do not',
  async (t) => {
    clear()
    await owner.sendDirect([member.userId], 'one')
    await passDelays()
    await owner.sendDirect([member.userId], 'two')
    await owner.send('general', 'lunch', `@**The member|${member.userId}**`)
    await passDelays()
    const mails = mailsTo('member')
    const direct = mails.filter(({ subject }) => subject?.startsWith('Direct'))
    const [other] = mails.filter((one) => !direct.includes(one))
    t.equal(direct.length, 2)
    t.match(direct[0]?.inReplyTo, /^<conversation-[0-9a-f]{32}@example\.com>$/)
    t.equal(direct[1]?.inReplyTo, direct[0]?.inReplyTo)
    t.equal(direct[1]?.references, direct[0]?.inReplyTo)
    t.not(direct[0]?.messageId, direct[1]?.messageId)
    t.not(other?.inReplyTo, direct[0]?.inReplyTo)
    t.match(other?.raw, new RegExp(`List-ID: "?general"? <channel-${channelId}\\.example\\.com>`, 'i'))
    t.match(direct[1]?.text, /one[^]*two/, 'the read part of the conversation explains it')
  },
)

t.test('[MSGMAIL3] messages that were read, deleted, muted or hidden meanwhile are not mailed', async (t) => {
  clear()
  const named = `@**The member|${member.userId}**`
  const read = await owner.sendDirect([member.userId], 'read')
  const deleted = await owner.send('general', 'gone', named)
  await owner.send('secret', 'a topic', named)
  await member2.sendDirect([member.userId], 'muted')
  await owner.send('general', 'settings', `@**The member2|${member2.userId}**`)
  t.equal((await sql`select from pending_notifications where way = 'mail'`).length, 5)
  await member.must('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
  await owner.must('DELETE', `/messages/${deleted}`)
  await owner.must('DELETE', '/users/me/subscriptions', {
    subscriptions: ['secret'],
    principals: [member.userId],
  })
  await member.must('POST', `/users/me/muted_users/${member2.userId}`)
  await member2.must('PATCH', '/settings', { enable_offline_email_notifications: false })
  await passDelays()
  t.same(mailServer.received, [])
  await member.must('DELETE', `/users/me/muted_users/${member2.userId}`)
  await member2.must('PATCH', '/settings', { enable_offline_email_notifications: true })
})

t.test('[MSGMAIL9] mails wait for the end of a pause; what is unread then is mailed once', async (t) => {
  clear()
  const pause = (until: number) =>
    member.must('PATCH', '/settings', { parley_notifications_paused_until: until })
  await pause(Math.floor(Date.now() / 1_000) + 3_600)
  const read = await owner.sendDirect([member.userId], 'read during the pause')
  await owner.sendDirect([member.userId], 'the first of two')
  await owner.sendDirect([member.userId], 'the second of two')
  await sql`update pending_notifications set due_at = now()`
  await sql`select pg_notify('parley_pending', 'mail')`
  const delays = () => sql`select extract(epoch from due_at - now())::int as delay from pending_notifications`
  await pollUntil('all are postponed until its end', async () => {
    const rows = await delays()
    return rows.length === 3 && rows.every(({ delay }) => Number(delay) > 3_000 && Number(delay) <= 3_600)
  })
  t.same(mailServer.received, [])
  await member.must('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
  await pause(0) // Nobody waits for an hour that was called off.
  await pollUntil('nothing waits', async () => (await delays()).length === 0)
  await mailboxes.settle()
  const [mail, ...others] = mailsTo('member')
  t.same(others, [])
  t.match(mail?.text, /the first of two[^]*the second of two/)
})

t.test('[MSGMAIL5] without the text, a mail says nothing of who wrote what, and where', async (t) => {
  for (const hide of [
    () => member.must('PATCH', '/settings', { message_content_in_email_notifications: false }),
    () =>
      member.must('PATCH', '/settings', {
        message_content_in_email_notifications: true,
        parley_hide_notification_text: true,
      }),
    async () => {
      await member.must('PATCH', '/settings', { parley_hide_notification_text: false })
      await owner.must('PATCH', '/realm', { message_content_allowed_in_email_notifications: false })
    },
  ]) {
    clear()
    await hide()
    await owner.send('general', 'merger', `@**The member|${member.userId}** confidential`)
    await passDelays()
    const [mail] = mailsTo('member')
    t.equal(mail?.subject, 'New message')
    for (const word of ['confidential', 'merger', 'general', 'The owner'])
      t.notOk(mail?.raw.includes(word), word)
  }
  await owner.must('PATCH', '/realm', { message_content_allowed_in_email_notifications: true })
})

t.test('[MSGMAIL6] the link to stop asks people, and obeys mail programs at once', async (t) => {
  clear()
  await guest.must('POST', '/user_topics', { stream_id: channelId, topic: 'lunch', visibility_policy: 3 })
  await guest.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property: 'email_notifications', value: true }],
  })
  await owner.send('general', 'other', 'to all')
  await passDelays()
  const [mail] = mailsTo('guest')
  const [, url = ''] = /List-Unsubscribe: <([^>]*)>/i.exec(mail?.raw.replaceAll(/\r\n\s+/g, ' ') ?? '') ?? []
  t.match(mail?.raw, /List-Unsubscribe-Post: List-Unsubscribe=One-Click/i)
  t.match((await openPage(url)).text, 'Stop these emails?')
  const rows = async () => {
    for (const topic of ['lunch', 'other'])
      await owner.send('general', topic, `@**The guest|${guest.userId}**`)
    return (await sql`select from pending_notifications where way = 'mail' and user_id = ${guest.userId}`)
      .length
  }
  t.equal(await rows(), 2, 'a visit changes nothing')
  const login = url.replace('/messages/', '/')
  t.equal((await fetch(login, { method: 'POST' })).status, 404, 'the link is for these mails alone')
  t.equal((await fetch(url.replace(/.\/$/, 'g/'), { method: 'POST' })).status, 404)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  t.equal((await fetch(url, { method: 'POST', body })).status, 200)
  await sql`delete from pending_notifications`
  t.equal(await rows(), 0)
})

t.test('[MSGMAIL7] a flood of conversations waits, and is mailed later', async (t) => {
  clear()
  await sql`insert into mails (kind, recipient, user_id, due_at)
    select 'messages', 'x@example.com', ${member2.userId}, null from generate_series(1, 60)`
  await owner.sendDirect([member2.userId], 'one more')
  await sql`update pending_notifications set due_at = now()`
  await sql`select pg_notify('parley_pending', 'mail')`
  await pollUntil('it waits', async () => {
    const [row] =
      await sql`select extract(epoch from due_at - now())::int as delay from pending_notifications`
    return Number(row?.['delay']) > 500
  })
  t.same(mailServer.received, [])
  await sql`delete from mails where recipient = 'x@example.com'`
  await passDelays()
  t.equal(mailsTo('member2').length, 1)
})

t.test('[MSGMAIL8] two workers and a Redis that lost everything mail each conversation once', async (t) => {
  clear()
  const redis = new Redis(redisUrl())
  for (let topic = 0; topic < 15; topic++)
    for (let count = 0; count < 3; count++)
      await owner.send('general', `topic ${topic}`, `@**The member2|${member2.userId}** ${count}`)
  await sql`update pending_notifications set due_at = now() where way = 'mail'`
  const keys = await redis.keys(`${server.config.redisPrefix}*`)
  if (keys.length > 0) await redis.del(keys) // As by FLUSHALL, for this server: others use it, too.
  await redis.quit()
  await sql`select pg_notify('parley_pending', 'mail') from generate_series(1, 5)`
  await passDelays()
  const subjects = mailsTo('member2').map(({ subject }) => subject)
  t.equal(subjects.length, 15)
  t.equal(new Set(subjects).size, 15)
})

t.test('[MSGMAIL12] people see whether the mail server takes emails to their address', async (t) => {
  clear()
  const answerTo = async (one: typeof member) => (await one.must('GET', '/users/me/web_push')).email
  t.match(await answerTo(member2), { last_success_at: Number, last_answer: '250' })
  t.same(
    await answerTo(server.as('administrator')),
    { last_success_at: null, last_answer: null },
    'no email was sent',
  )
  mailServer.refusals.set(emailOf('member2'), 550)
  t.teardown(() => mailServer.refusals.clear())
  await owner.sendDirect([member2.userId], 'to a mailbox that is gone')
  await owner.sendDirect([member.userId], 'to one that is there')
  await passDelays()
  t.match(await answerTo(member2), { last_success_at: Number, last_answer: '550' })
  t.match(await answerTo(member), { last_answer: '250' })
  const { userId } = member2
  await sql`
    update mail_answers set last_success_at = now() - interval '2 minutes' where user_id = ${userId}`
  const version = () => sql`select xmin::text from mail_answers where user_id = ${userId}`
  const before = await version()
  await noteMailAnswer(
    sql,
    { userId: userId as UserId, email: emailOf('member2') },
    { answer: '550', isTaken: false },
  )
  t.same(await version(), before, 'the same failure is not written again')
  await sql`update mail_answers set email = 'former@example.com' where user_id = ${member2.userId}`
  t.same(
    await answerTo(member2),
    { last_success_at: null, last_answer: null },
    'an answer is that of one address',
  )
  await owner.sendDirect([member2.userId], 'once more')
  await passDelays()
  t.same(await answerTo(member2), { last_success_at: null, last_answer: '550' })
  mailServer.refusals.clear()
  await owner.sendDirect([member2.userId], 'and again')
  await passDelays()
  // The mail is done first, so that it is not sent again if this note fails.
  await pollUntil('the answer is noted', async () => (await answerTo(member2)).last_answer === '250')
  t.match(await answerTo(member2), { last_success_at: Number, last_answer: '250' })
})

// The last one: for the following minutes, the member counts as somebody who has just been active.
t.test(
  '[MSGMAIL4] a reader who is active gets a mail once they have left, if they did not read it',
  async (t) => {
    clear()
    await member.must('POST', '/users/me/presence', { status: 'active', new_user_input: true })
    await server.node.services.presences.exchange()
    await owner.sendDirect([member.userId], 'are you there?')
    await sql`update pending_notifications set due_at = now()`
    await sql`select pg_notify('parley_pending', 'mail')`
    await pollUntil('it is postponed', async () => {
      const [row] =
        await sql`select extract(epoch from due_at - now())::int as delay, tries from pending_notifications`
      return row?.['tries'] === 1 && row['delay'] > 120 && row['delay'] <= 140 // A claim expires earlier.
    })
    t.same(mailServer.received, [])
    await member.must('PATCH', '/settings', { presence_enabled: false }) // For others, they have left.
    await server.node.services.presences.exchange()
    await passDelays()
    t.equal(mailsTo('member').length, 1)
    await member.must('PATCH', '/settings', { presence_enabled: true })
    await member.must('POST', '/users/me/presence', { status: 'idle' })
  },
)
