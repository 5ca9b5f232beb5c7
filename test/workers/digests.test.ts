/** Weekly digests to users who were away. */

import t from 'tap'
import type { ChannelId } from '../../server/domain/ids.ts'
import { hottestTopics } from '../../server/domain/personal/digests.ts'
import { makeDigests } from '../../workers/jobs/notifications/make-digests.ts'
import { openMailboxes } from '../harness/mail/mailbox.ts'
import { startMailServer } from '../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../harness/mail/start-mail-workers.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'

t.test('[DIGEST1] two topics have the most people, and two the most messages', async (t) => {
  const make = (topic: string, people: number, messages: number) => ({
    channelId: 1 as ChannelId,
    topic,
    people,
    messages,
  })
  const topics = [make('a', 1, 90), make('b', 5, 6), make('c', 9, 9), make('d', 2, 70), make('e', 2, 80)]
  t.same(
    hottestTopics(topics).map(({ topic }) => topic),
    ['c', 'b', 'a', 'e'],
  )
  t.equal(hottestTopics(topics.slice(0, 3)).length, 3)
})

t.test('[DIGEST2] users who were away for five days get one digest, with what they may see', async (t) => {
  const mailServer = await startMailServer(t)
  const server = await startTestServer(t, { env: mailServer.env })
  const { sql } = server.node.services
  const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
  const all = [owner, member, member2].map((one) => one.userId)
  await owner.subscribe(['general'], { principals: all })
  await owner.subscribe(['fresh'])
  await owner.subscribe(['closed'], {
    invite_only: true,
    history_public_to_subscribers: false,
    principals: all,
  })
  for (const topic of ['one', 'muted'])
    for (const one of [owner, member2]) await one.send('general', topic, 'text')
  await owner.send('general', 'two <b>', 'text')
  await owner.send('closed', 'secret', 'text')
  const { stream_id } = await member.must('GET', '/get_stream_id', { stream: 'general' })
  await member.must('POST', '/user_topics', { stream_id, topic: 'muted', visibility_policy: 1 })
  for (const one of [member, member2]) await one.must('PATCH', '/settings', { enable_digest_emails: true })
  await owner.must('PATCH', '/realm', { message_content_allowed_in_email_notifications: true })
  const now = Date.now()
  const weekday = (new Date(now).getUTCDay() + 6) % 7
  const sender = await openTestSender(t, server)
  const run = (days = 0) =>
    makeDigests({ clock: new ManualClock(now + days * 86_400_000), openSender: async () => sender })
  const today = Math.floor(now / 86_400_000)
  const seen = (userId: number, day: number) => sql`update users set seen_day = ${day} where id = ${userId}`
  await seen(member.userId, today - 5)
  await seen(member2.userId, today - 4)
  await owner.must('PATCH', '/realm', { digest_weekday: weekday })
  t.equal(await run(), 0, 'the organization does not send digests by default')
  await owner.must('PATCH', '/realm', { digest_emails_enabled: true })
  await owner.must('PATCH', '/realm', { digest_weekday: (weekday + 1) % 7 })
  t.equal(await run(), 0, 'on another day')
  await owner.must('PATCH', '/realm', { digest_weekday: weekday })
  await startMailWorkers(t, server, 1)
  const counts = await Promise.all([run(), run()])
  await openMailboxes(mailServer, server).settle()
  t.equal(counts[0] + counts[1], 1, 'two runs at once make one')
  t.equal(await run(), 0)
  t.equal(mailServer.received.length, 1)
  const [mail] = mailServer.to(emailOf('member'))
  t.equal(mail?.subject, 'This week at Test Organization')
  const text = mail?.text ?? ''
  t.match(text, '#general › one, 2 messages from 2 people')
  t.match(text, '#general › two <b>, 1 message from 1 person')
  t.match(text, '#fresh, new channel')
  for (const word of ['muted', 'secret', 'closed']) t.notOk(text.includes(word), word)
  t.notOk(mail?.html?.includes('<b>,'))
  t.match(mail?.raw, /List-Unsubscribe-Post/)
})
