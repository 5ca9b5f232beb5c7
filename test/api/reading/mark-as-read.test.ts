import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
await owner.subscribe(['quiet'], { principals: [1, 4] })
await owner.subscribe(['secret'], { invite_only: true, principals: [1] })

const unreadOf = async (person: Person): Promise<number[]> => {
  const { state } = await server.as(person).register()
  const { streams, pms, huddles } = state.unread_msgs
  return [...streams, ...pms, ...huddles]
    .flatMap((one) => one.unread_message_ids)
    .sort((a: number, b: number) => a - b)
}
const mark = (person: Person, what: string, fields: Fields) => server.as(person).post(`/mark_${what}`, fields)
const event = (messages: number[], all = false) => ({
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: 'read',
  messages,
  all,
})
const done = { result: 'success', msg: '' }

t.test('[MARK1] a topic becomes read in any case of its name, and other topics do not', async (t) => {
  const one = await owner.send('town', 'Tea', 'one')
  const two = await owner.send('town', 'tea', 'two')
  const other = await owner.send('town', 'Coffee', 'other')
  const elsewhere = await owner.send('quiet', 'Tea', 'elsewhere')
  const events = await expectConsistent(server, async () => {
    const answer = await mark('member', 'topic_as_read', { stream_id: 1, topic_name: ' TEA ' })
    t.same(answer.body, done)
    await mark('member', 'topic_as_read', { stream_id: 1, topic_name: 'Tea' })
  })
  t.same(withoutIds(events.member), [event([one, two])])
  t.same([events.owner, events.guest], [[], []])
  t.same(await unreadOf('member'), [other, elsewhere])
  t.same(await unreadOf('guest'), [one, two, other])
})

t.test('[MARK2] a moved message counts for its new topic', async (t) => {
  const id = await owner.send('town', 'Milk', 'hello')
  await owner.must('PATCH', `/messages/${id}`, {
    topic: 'Cream',
    send_notification_to_new_thread: false,
  })
  expectRefusal(
    t,
    await mark('member', 'topic_as_read', { stream_id: 1, topic_name: 'Milk' }),
    "No such topic 'Milk'",
  )
  await member.must('POST', '/mark_topic_as_read', { stream_id: 1, topic_name: 'Cream' })
  t.notOk((await unreadOf('member')).includes(id))
})

t.test('[MARK3] a topic is known by its received messages', async (t) => {
  const ask = (person: Person, topic_name: string) =>
    mark(person, 'topic_as_read', { stream_id: 1, topic_name })
  await owner.send('town', 'Before', 'hello')
  expectRefusal(t, await ask('member2', 'Before'), "No such topic 'Before'")
  await server.as('member2').subscribe(['town'])
  expectRefusal(t, await ask('member2', 'Before'), "No such topic 'Before'")
  expectRefusal(t, await ask('member2', 'it%'), "No such topic 'it%'")
  expectRefusal(t, await ask('member2', '(no topic)'), "No such topic '(no topic)'")
  await owner.send('town', 'before', 'hello')
  t.same((await ask('member2', 'Before')).body, done)
  await server.as('member2').must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
  t.same((await ask('member2', 'Before')).body, done, 'received messages stay received')
})

t.test(
  '[MARK4] without a topic name the whole channel becomes read; the empty topic has its names',
  async (t) => {
    await member.must('POST', '/mark_all_as_read')
    const empty = await owner.send('town', '', 'one')
    const named = await owner.send('town', 'Tea', 'two')
    const elsewhere = await owner.send('quiet', 'Tea', 'three')
    const ask = (topic_name: string) => mark('member', 'topic_as_read', { stream_id: 1, topic_name })
    t.same((await ask('general chat')).body, done)
    t.same(await unreadOf('member'), [named, elsewhere])
    await member.must('POST', '/messages/flags', { messages: [empty], op: 'remove', flag: 'read' })
    t.same((await ask('(no topic)')).body, done)
    t.same(await unreadOf('member'), [named, elsewhere])
    await member.must('POST', '/messages/flags', { messages: [empty], op: 'remove', flag: 'read' })
    const events = await expectConsistent(server, () => ask(''))
    t.same(withoutIds(events.member), [event([empty, named])])
    t.same(await unreadOf('member'), [elsewhere])
  },
)

t.test('[MARK5] a channel becomes read', async (t) => {
  const one = await owner.send('town', 'Tea', 'one')
  const two = await owner.send('town', 'Coffee', 'two')
  const elsewhere = await owner.send('quiet', 'Tea', 'three')
  const direct = await owner.sendDirect([4], 'four')
  // Messages that became unread again differ from those never read.
  for (const op of ['add', 'remove'])
    await server.as('member').must('POST', '/messages/flags', { messages: [direct], op, flag: 'read' })
  const events = await expectConsistent(server, async () => {
    t.same((await mark('member', 'stream_as_read', { stream_id: 1 })).body, done)
    await mark('member', 'stream_as_read', { stream_id: 1 })
  })
  t.same(withoutIds(events.member), [event([one, two])])
  t.same([events.owner, events.guest], [[], []])
  const left = await unreadOf('member')
  t.ok(left.includes(elsewhere) && left.includes(direct))
})

t.test('[MARK6] all messages become read, and later ones do not', async (t) => {
  const one = await owner.send('town', 'Tea', 'one')
  await owner.sendDirect([4, 6], 'two')
  t.ok((await unreadOf('member')).length >= 2)
  const events = await expectConsistent(server, async () => {
    t.same((await mark('member', 'all_as_read', {})).body, { ...done, complete: true })
    t.same((await mark('member', 'all_as_read', {})).body, { ...done, complete: true })
  })
  t.same(withoutIds(events.member), [event([], true)])
  t.same([events.owner, events.guest], [[], []])
  t.same(await unreadOf('member'), [])
  const later = await owner.send('town', 'Tea', 'later')
  t.same(await unreadOf('member'), [later])
  await member.must('POST', '/messages/flags', { messages: [one], op: 'remove', flag: 'read' })
  t.same(await unreadOf('member'), [one, later], 'messages read then become unread again')
  const { message } = await member.must('GET', `/messages/${one}`)
  t.same(message.flags, [])
})

t.test('[MARK7] an unreadable channel looks absent', async (t) => {
  await owner.send('secret', 'Tea', 'hello')
  for (const stream_id of [3, 99, 0, -1]) {
    expectRefusal(t, await mark('member', 'stream_as_read', { stream_id }), 'Invalid channel ID')
    for (const topic_name of ['Tea', ''])
      expectRefusal(t, await mark('member', 'topic_as_read', { stream_id, topic_name }), 'Invalid channel ID')
  }
  expectRefusal(t, await mark('guest', 'stream_as_read', { stream_id: 2 }), 'Invalid channel ID')
  const answer = await mark('member2', 'stream_as_read', { stream_id: 1 })
  t.same(answer.body, done, 'a public channel is readable without a subscription')
})

t.test('[MARK8] parameters are checked', async (t) => {
  const missing = (name: string) =>
    [`Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name: name }] as const
  expectRefusal(t, await mark('member', 'stream_as_read', {}), ...missing('stream_id'))
  expectRefusal(t, await mark('member', 'stream_as_read', { stream_id: 'x' }), 'stream_id is not valid JSON')
  expectRefusal(t, await mark('member', 'topic_as_read', { topic_name: 'x' }), ...missing('stream_id'))
  expectRefusal(t, await mark('member', 'topic_as_read', { stream_id: 1 }), ...missing('topic_name'))
  expectRefusal(
    t,
    await mark('member', 'topic_as_read', { stream_id: 1, topic_name: 'x'.repeat(61) }),
    'topic_name is too long (limit: 60 characters)',
  )
  expectRefusal(
    t,
    await mark('member', 'topic_as_read', { stream_id: 1, topic_name: '😀'.repeat(60) }),
    `No such topic '${'😀'.repeat(60)}'`,
  )
})

t.test('[MARK9] an archived channel becomes read, too', async (t) => {
  const id = await owner.send('quiet', 'Tea', 'hello')
  await owner.must('DELETE', '/streams/2')
  t.ok((await unreadOf('member')).includes(id))
  await member.must('POST', '/mark_stream_as_read', { stream_id: 2 })
  t.notOk((await unreadOf('member')).includes(id))
})
