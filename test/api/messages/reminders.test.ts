import t from 'tap'
import { deactivate, addUser } from '../../harness/worlds/add-user.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { openTestSender, sendDue } from '../../harness/worlds/open-test-sender.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'

const NOW = 1_790_000_000
const LATER = NOW + 600
const server = await startTestServer(t, { clock: new ManualClock(NOW * 1_000) })
const { sql } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')
const done = { result: 'success', msg: '' }
await owner.subscribe(['town'], { principals: [1, 4, 6] })
const town = channelIdOf(server, 'town')
const message = await owner.send('town', 'tea', 'Bring **milk**\nand @**all**')
let next = LATER
const soon = () => ++next

const remind = (fields: Fields = {}, client: Client = member) =>
  client.post('/reminders', { message_id: message, scheduled_delivery_timestamp: LATER, ...fields })
const reminded = async (fields: Fields = {}, client: Client = member): Promise<number> => {
  const { status, body } = await remind(fields, client)
  if (status !== 200) throw new Error(body.msg)
  return body.reminder_id
}
const list = async (client: Client = member) => (await client.must('GET', '/reminders')).reminders
const newest = async (client: Client = member) => {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
  return (await client.must('GET', '/messages', page)).messages[0]
}
const HEAD = `You requested a reminder for [this message](/#narrow/channel/${town}/near/${message}) in #**town>tea**.`
const SAID = '\n\n@_**The owner|1** said:\n\n> Bring **milk**\n> and @**all**'

t.test('[REMIND1] reminders are created and deleted, and only their owner gets events', async (t) => {
  let [first, second] = [0, 0]
  const events = await expectConsistent(server, async () => {
    const { body } = await remind({ note: '\nbuy it \n' })
    first = body.reminder_id
    t.same(body, { ...done, reminder_id: first })
    second = await reminded({ scheduled_delivery_timestamp: LATER - 1 })
    t.same((await member.delete(`/reminders/${first}`)).body, done)
  })
  const [added, addedSecond, removed, ...rest] = withoutIds(events.member)
  t.match(added, {
    type: 'reminders',
    op: 'add',
    reminders: [
      {
        reminder_id: first,
        type: 'private',
        to: [4],
        content: `${HEAD} Note:\n\n> buy it${SAID}`,
        scheduled_delivery_timestamp: LATER,
        failed: false,
        reminder_target_message_id: message,
      },
    ],
  })
  t.equal(added.reminders.length, 1)
  const html: string = addedSecond.reminders[0].rendered_content
  t.match(html, `href="/#narrow/channel/${town}/near/${message}"`)
  t.match(html, /<blockquote>\n<p>Bring <strong>milk<\/strong>/)
  t.match(html, /class="user-mention channel-wildcard-mention silent"/)
  t.same(removed, { type: 'reminders', op: 'remove', reminder_id: first })
  t.same(rest, [])
  t.same([events.owner, events.member2, events.guest], [[], [], []])
  t.same(await list(), addedSecond.reminders)
  t.same(await list(owner), [])
  const { reminders } = await member.must('POST', '/register', { fetch_event_types: ['reminders'] })
  t.same(reminders, addedSecond.reminders)
  t.same((await member.must('GET', '/scheduled_messages')).scheduled_messages, [])
  await member.must('DELETE', `/reminders/${second}`)
})

t.test(
  '[REMIND2] when due, the bot sends only the owner a message that quotes the current text',
  async (t) => {
    const sender = await openTestSender(t, server)
    const at = soon()
    const id = await reminded({ scheduled_delivery_timestamp: at, note: 'x' })
    await owner.must('PATCH', `/messages/${message}`, { content: 'Bring tea' })
    t.same(await sendDue(server, sender, at - 1), { sent: 0, failed: 0 })
    const events = await expectConsistent(server, async () => {
      t.same(await sendDue(server, sender, at), { sent: 1, failed: 0 })
    })
    const sent = events.member.filter(({ type }) => type === 'message' || type === 'reminders')
    t.match(sent, [
      {
        type: 'message',
        flags: [],
        message: { type: 'private', sender_full_name: 'Notification Bot', timestamp: Number },
      },
      { type: 'reminders', op: 'remove', reminder_id: id },
    ])
    t.equal((await newest()).content, `${HEAD} Note:\n\n> x\n\n@_**The owner|1** said:\n\n> Bring tea`)
    for (const person of ['owner', 'member2', 'guest'] as const)
      t.notOk(events[person]?.some(({ type }) => type === 'message' || type === 'reminders'))
    t.same(await list(), [])
    t.same(await sendDue(server, sender, at), { sent: 0, failed: 0 })
    expectRefusal(t, await member.delete(`/reminders/${id}`), 'Reminder does not exist')
  },
)

t.test(
  '[REMIND3] a reminder can be about a direct message, and says if its message is deleted',
  async (t) => {
    const sender = await openTestSender(t, server)
    const direct = await owner.sendDirect([4, 6], 'between us')
    const at = soon()
    await reminded({ message_id: direct, scheduled_delivery_timestamp: at })
    t.same(await sendDue(server, sender, at), { sent: 1, failed: 0 })
    t.equal(
      (await newest()).content,
      `You requested a reminder for [this direct message](/#narrow/dm/1,4,6/near/${direct}).` +
        '\n\n@_**The owner|1** said:\n\n> between us',
    )
    const gone = soon()
    await reminded({ message_id: direct, scheduled_delivery_timestamp: gone, note: 'call' })
    await owner.must('DELETE', `/messages/${direct}`)
    t.same(await sendDue(server, sender, gone), { sent: 1, failed: 0 })
    t.equal(
      (await newest()).content,
      'You requested a reminder for a message that you can no longer see. Note:\n\n> call',
    )
  },
)

t.test('[REMIND4] reminders need a readable message', async (t) => {
  const direct = await owner.sendDirect([1], 'mine')
  for (const message_id of [direct, 0, 999_999]) {
    expectRefusal(t, await remind({ message_id }), 'Invalid message(s)')
  }
  const missing = (name: string) => ({ code: 'REQUEST_VARIABLE_MISSING', var_name: name })
  for (const name of ['message_id', 'scheduled_delivery_timestamp'])
    expectRefusal(t, await remind({ [name]: undefined }), `Missing '${name}' argument`, missing(name))
  const past = 'Scheduled delivery time must be in the future.'
  for (const scheduled_delivery_timestamp of [NOW, NOW - 1, -1])
    expectRefusal(t, await remind({ scheduled_delivery_timestamp }), past)
  t.equal((await remind({ scheduled_delivery_timestamp: undefined, timestamp: NOW + 1 }, owner)).status, 200)
})

t.test('[REMIND5] a note is limited in length', async (t) => {
  const tooLong = 'Maximum reminder note length: 500 characters'
  expectRefusal(t, await remind({ note: 'x'.repeat(501) }), tooLong)
  t.equal((await remind({ note: `\n\n${'😀'.repeat(500)} \n` }, owner)).status, 200)
})

t.test(
  '[REMIND6] a reminder of another user looks absent, and a scheduled message is not a reminder',
  async (t) => {
    const id = await reminded()
    const scheduled = await member.must('POST', '/scheduled_messages', {
      type: 'direct',
      to: [4],
      content: 'x',
      scheduled_delivery_timestamp: LATER,
    })
    expectRefusal(t, await owner.delete(`/reminders/${id}`), 'Reminder does not exist')
    for (const other of [999_999, scheduled.scheduled_message_id])
      expectRefusal(t, await member.delete(`/reminders/${other}`), 'Reminder does not exist')
    await member.must('DELETE', `/reminders/${id}`)
    await member.must('DELETE', `/scheduled_messages/${scheduled.scheduled_message_id}`)
  },
)

t.test('[REMIND7] reminders are limited per user', async (t) => {
  await sql`insert into scheduled_messages (id, user_id, topic, content, rendered, deliver_at, is_read_by_sender,
      client, target_id, changed_id)
    select -n, ${guest.userId}, '', 'x', '<p>x</p>', ${LATER}, false, '', ${message}, -n from generate_series(1, 999) n`
  t.equal((await remind({}, guest)).status, 200)
  expectRefusal(t, await remind({}, guest), 'Too many reminders (maximum 1000).')
  t.equal((await remind({}, owner)).status, 200)
  await sql`delete from scheduled_messages where user_id = ${guest.userId}`
})

t.test('[REMIND8] notes and quotes reveal no users that the owner cannot see', async (t) => {
  await commitEvents(server, [
    { type: 'realm/update_dict', changes: { permissions: { canAccessAllUsers: SYSTEM_GROUPS.members } } },
  ])
  const secret = await owner.send('town', 'tea', 'who is @**|3**?')
  await reminded({ message_id: secret, note: '@**|5**' }, guest)
  const [{ rendered_content: html }] = await list(guest)
  t.notMatch(html, /moderator|member2/)
})

t.test('[REMIND9] a deactivated user gets no reminders, even after reactivation', async (t) => {
  const sender = await openTestSender(t, server)
  const leaver = await addUser(server, 'leaver')
  const own = await leaver.sendDirect([leaver.userId], 'x')
  const at = soon()
  await reminded({ message_id: own, scheduled_delivery_timestamp: at }, leaver)
  await deactivate(server, leaver.userId)
  const before = await sql`select count(*) from messages where sender_id <> 1`
  await sql`delete from scheduled_messages where user_id <> ${leaver.userId}`
  t.same(await sendDue(server, sender, at), { sent: 0, failed: 1 })
  t.same(await sql`select count(*) from messages where sender_id <> 1`, before)
  t.same(await sql`select from scheduled_messages where user_id = ${leaver.userId}`, [])
})

t.test('[REMIND10] the reminder of a message that takes too long to render omits its text', async (t) => {
  const slow = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const client = slow.as('owner')
  const id = await client.sendDirect([1], 'x')
  await slow.node.services.sql`update messages set content = ${'![['.repeat(3_300)} where id = ${id}`
  const inAnHour = Math.floor(Date.now() / 1_000) + 3_600
  await client.must('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: inAnHour })
  const [{ content }] = await list(client)
  t.equal(content, `You requested a reminder for [this direct message](/#narrow/dm/1/near/${id}).`)
})
