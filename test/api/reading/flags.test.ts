import t from 'tap'
import { lockLog } from '../../../db/log/append-events.ts'
import { commitEvents as commitWith } from '../../../server/events/append-events.ts'
import { readUnread } from '../../../db/unread/unread.ts'
import { beginBatch } from '../../../db/log/write-batch.ts'
import type { LogEvent } from '../../../server/domain/events.ts'
import type { MessageSent } from '../../../server/domain/events/messages.ts'
import type { ChannelId, MessageId, UserId } from '../../../server/domain/ids.ts'
import { placeOfChannel } from '../../../server/domain/messages/places.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { sendBetween } from '../../harness/worlds/send-between.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { makeEntry } from '../../log/make-entry.ts'
import { pollUntil } from '../../services/poll-until.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
await owner.subscribe(['secret'], { invite_only: true, principals: [1] })

const flag = (person: Person, fields: Fields) => server.as(person).post('/messages/flags', fields)
const mustFlag = (person: Person, fields: Fields) => server.as(person).must('POST', '/messages/flags', fields)
const flagsOf = async (person: Person, id: number): Promise<string[]> =>
  (await server.as(person).must('GET', `/messages/${id}`)).message.flags
const stateOf = async (person: Person) => (await server.as(person).register()).state
const event = (op: string, name: string, messages: number[], more: object = {}) => ({
  type: 'update_message_flags',
  op,
  operation: op,
  flag: name,
  messages,
  all: false,
  ...more,
})
const done = { result: 'success', msg: '', ignored_because_not_subscribed_channels: [] }

t.test('[FLAG1] messages become read and unread again, and only their reader gets events', async (t) => {
  const one = await owner.send('town', 'Tea', 'one')
  const two = await owner.send('town', 'Tea', 'two')
  const pair = await owner.sendDirect([4], 'direct')
  const group = await owner.sendDirect([4, 6], 'group')
  t.same(await flagsOf('member', one), [])
  const read = await expectConsistent(server, async () => {
    const messages = [two, pair, one, group]
    t.same((await flag('member', { messages, op: 'add', flag: 'read' })).body, { ...done, messages })
    for (const id of messages) t.same(await flagsOf('member', id), ['read'])
  })
  t.same(withoutIds(read.member), [event('add', 'read', [one, two, pair, group])])
  t.same([read.owner, read.member2, read.guest], [[], [], []])
  t.same(await flagsOf('guest', one), [])
  const unread = await expectConsistent(server, async () => {
    await mustFlag('member', { messages: [one, pair, group], op: 'remove', flag: 'read' })
    for (const id of [one, pair, group]) t.same(await flagsOf('member', id), [])
  })
  t.same(withoutIds(unread.member), [
    event('remove', 'read', [one, pair, group], {
      message_details: {
        [one]: { type: 'stream', stream_id: 1, topic: 'Tea', unmuted_stream_msg: true },
        [pair]: { type: 'private', user_ids: [1] },
        [group]: { type: 'private', user_ids: [1, 6] },
      },
    }),
  ])
  t.same([unread.owner, unread.guest], [[], []])
  t.equal((await stateOf('member')).unread_msgs.count, 3)
})

t.test(
  '[FLAG2] an event names only changed messages, and an update that changes nothing sends none',
  async (t) => {
    const one = await owner.send('town', 'Tea', 'one', { read_by_sender: true })
    const two = await owner.send('town', 'Tea', 'two', { read_by_sender: false })
    const events = await expectConsistent(server, async () => {
      await mustFlag('owner', { messages: [one, two, two], op: 'add', flag: 'read' })
      await mustFlag('owner', { messages: [one, two], op: 'add', flag: 'read' })
      await mustFlag('owner', { messages: [one], op: 'remove', flag: 'collapsed' })
      t.same(await mustFlag('owner', { messages: [], op: 'add', flag: 'read' }), { ...done, messages: [] })
    })
    t.same(withoutIds(events.owner), [event('add', 'read', [two])])
  },
)

t.test('[FLAG3] messages are starred and collapsed, and registration lists the starred ones', async (t) => {
  const one = await owner.send('town', 'Tea', 'one')
  const two = await owner.send('town', 'Tea', 'two')
  const events = await expectConsistent(server, async () => {
    await mustFlag('member', { messages: [two, one], op: 'add', flag: 'starred' })
    await mustFlag('member', { messages: [one], op: 'add', flag: 'collapsed' })
    t.same((await stateOf('member')).starred_messages, [one, two])
    t.same(await flagsOf('member', one), ['starred', 'collapsed'])
    await mustFlag('member', { messages: [one], op: 'remove', flag: 'starred' })
  })
  t.same(withoutIds(events.member), [
    event('add', 'starred', [one, two]),
    event('add', 'collapsed', [one]),
    event('remove', 'starred', [one]),
  ])
  t.same(events.owner, [])
  t.same(await flagsOf('member', one), ['collapsed'])
  t.same((await stateOf('member')).starred_messages, [two])
  t.same((await stateOf('owner')).starred_messages, [])
  await mustFlag('member', { messages: [one], op: 'remove', flag: 'collapsed' })
  t.same(
    await server.node.services.sql`select message_id::int as id from message_marks where user_id = 4`,
    [{ id: two }],
    'a removed flag leaves no row',
  )
  const again = await server.startAnotherNode()
  const { message } = await again.as('member').must('GET', `/messages/${two}`)
  t.same(message.flags, ['starred'], 'memory equals the tables')
  await owner.must('POST', '/streams/1/delete_topic', { topic_name: 'Tea' })
  t.same((await stateOf('member')).starred_messages, [], 'deleted messages are no longer starred')
})

t.test(
  '[FLAG4] messages that were not received can be starred, and become unread only with a subscription',
  async (t) => {
    const id = await owner.send('town', 'Tea', 'before')
    const pair = await owner.sendDirect([5], 'direct')
    await mustFlag('member2', { messages: [pair], op: 'add', flag: 'read' })
    t.same(await flagsOf('member2', id), ['read', 'historical'])
    const events = await expectConsistent(server, async () => {
      await mustFlag('member2', { messages: [id], op: 'add', flag: 'starred' })
      t.same(await mustFlag('member2', { messages: [id, pair], op: 'remove', flag: 'read' }), {
        ...done,
        messages: [pair],
        ignored_because_not_subscribed_channels: [1],
      })
    })
    t.same(await flagsOf('member2', id), ['read', 'starred', 'historical'])
    t.same(withoutIds(events.member2), [
      event('add', 'starred', [id]),
      event('remove', 'read', [pair], {
        message_details: { [pair]: { type: 'private', user_ids: [1] } },
      }),
    ])
    await member2.subscribe(['town'])
    const later = await expectConsistent(server, () =>
      mustFlag('member2', { messages: [id], op: 'remove', flag: 'read' }),
    )
    t.match(withoutIds(later.member2), [{ op: 'remove', messages: [id] }])
    t.same(await flagsOf('member2', id), ['starred', 'historical'])
    const left = await expectConsistent(server, () =>
      member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] }),
    )
    t.notOk(left.member2?.some(({ type }) => type === 'update_message_flags'))
    t.same(await flagsOf('member2', id), ['read', 'starred', 'historical'], 'leaving ends unread messages')
    await member2.subscribe(['town'])
    t.same(await flagsOf('member2', id), ['read', 'starred', 'historical'], 'it stays so')
    await member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
  },
)

t.test('[FLAG5] one unreadable message refuses the whole update', async (t) => {
  const open = await owner.send('town', 'Tea', 'hello')
  const hidden = await owner.send('secret', 'Tea', 'hello')
  const direct = await owner.sendDirect([6], 'hello')
  for (const op of ['add', 'remove'])
    for (const name of ['read', 'starred', 'collapsed'])
      for (const id of [hidden, direct, 0, -1, 10 ** 15])
        expectRefusal(t, await flag('member', { messages: [open, id], op, flag: name }), 'Invalid message(s)')
  t.same(await flagsOf('member', open), [])
  t.same((await stateOf('member')).starred_messages, [])
})

t.test('[FLAG6] flags that cannot be set are refused, each with its own error', async (t) => {
  const id = await owner.send('town', 'Tea', 'hello')
  for (const name of ['mentioned', 'wildcard_mentioned', 'historical', 'has_alert_word', 'force_collapse'])
    expectRefusal(
      t,
      await flag('member', { messages: [id], op: 'add', flag: name }),
      `Flag not editable: '${name}'`,
    )
  for (const name of ['', 'Read', 'toString', 'x'.repeat(100)])
    expectRefusal(
      t,
      await flag('member', { messages: [id], op: 'add', flag: name }),
      `Invalid flag: '${name}'`,
    )
})

t.test('[FLAG7] parameters are checked', async (t) => {
  const missing = (name: string) =>
    [`Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name: name }] as const
  expectRefusal(t, await flag('member', { op: 'add', flag: 'read' }), ...missing('messages'))
  expectRefusal(t, await flag('member', { messages: [], flag: 'read' }), ...missing('op'))
  expectRefusal(t, await flag('member', { messages: [], op: 'add' }), ...missing('flag'))
  expectRefusal(t, await flag('member', { messages: [], op: 'set', flag: 'read' }), 'Invalid op')
  expectRefusal(
    t,
    await flag('member', { messages: ['x'], op: 'add', flag: 'read' }),
    'messages[0] is not an integer',
  )
  expectRefusal(
    t,
    await flag('member', { messages: [], op: 'add', flag: 'x'.repeat(101) }),
    'flag is too long (limit: 100 characters)',
  )
  const many = Array.from({ length: 10_001 }, () => 1)
  expectRefusal(
    t,
    await flag('member', { messages: many, op: 'add', flag: 'read' }),
    'messages is too long (limit: 10000 items)',
  )
  expectRefusal(
    t,
    await flag('member', { messages: many.slice(1), op: 'add', flag: 'read' }),
    'Invalid message(s)',
  )
})

t.test('[FLAG8] events of messages that become unread include mentions', async (t) => {
  const mentioning = makeEntry(0, {}, { topic: 'Tea' }).event as MessageSent
  await mustFlag('member', { messages: [], op: 'add', flag: 'read' })
  await server.as('member').must('POST', '/mark_all_as_read')
  await commitEvents(server, [
    { ...mentioning, mentions: [[4 as UserId, 8]] },
    { ...mentioning, isForAll: true },
    mentioning,
  ])
  const { messages } = await member.must('GET', '/messages', { anchor: 'newest', num_before: 3 })
  const [named, all, plain] = messages.map(({ id }: { id: number }) => id)
  t.same(
    messages.map(({ flags }: { flags: string[] }) => flags),
    [['mentioned'], ['stream_wildcard_mentioned', 'wildcard_mentioned'], []],
  )
  const { unread_msgs } = await stateOf('member')
  t.same(unread_msgs.mentions, [named, all])
  await mustFlag('member', { messages: [named, all, plain], op: 'add', flag: 'read' })
  t.same((await stateOf('member')).unread_msgs.mentions, [])
  const events = await expectConsistent(server, () =>
    mustFlag('member', { messages: [named, all, plain], op: 'remove', flag: 'read' }),
  )
  const details = events.member?.[0].message_details
  t.same(
    [named, all, plain].map((id) => details[id]?.mentioned),
    [true, true, undefined],
  )
  await member2.subscribe(['town'])
  const historical = await expectConsistent(server, () =>
    mustFlag('member2', { messages: [all], op: 'remove', flag: 'read' }),
  )
  t.same(await flagsOf('member2', all), ['historical'])
  t.equal(
    historical.member2?.[0].message_details[all]?.mentioned,
    undefined,
    'users who did not receive it get no flag',
  )
  await member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
})

/** Stores messages of the owner in three topics of a channel without events; returns their ids. */
async function sendMany(channelId: ChannelId, count: number): Promise<number[]> {
  const { state } = server.node.services
  const before = state.appliedId
  await commitEvents(
    server,
    Array.from({ length: count }, (_, index) => ({
      type: 'message',
      channelId,
      conversationId: null,
      userIds: null,
      topic: `topic ${index % 3}`,
      senderId: 1 as UserId,
      content: 'hello',
      rendered: '<p>hello</p>',
      sentAt: 1_700_000_000,
      client: 'test',
      readById: 1 as UserId,
      queueId: null,
      localId: null,
    })),
  )
  return Array.from({ length: count }, (_, index) => before + 1 + index)
}

t.test('[FLAG9] a large update is sent in several events', async (t) => {
  await owner.subscribe(['busy'], { principals: [4] })
  const channelId = server.node.services.state.findChannelByName('busy')?.channel.id as ChannelId
  const count = 1_001
  await sendMany(channelId, count)
  const narrow = [['channel', 'busy']]
  const { messages } = await member.must('GET', '/messages', { narrow, anchor: 'newest', num_before: 2_000 })
  const ids = messages.map(({ id }: { id: number }) => id)
  t.equal(ids.length, count)
  const queue = await member.register()
  const unread = async () => {
    const { state } = await member.register({ client_capabilities: { empty_topic_name: true } })
    return state.unread_msgs.streams
      .filter((one) => one.stream_id === channelId)
      .flatMap((one) => one.unread_message_ids).length
  }
  await mustFlag('member', { messages: ids, op: 'add', flag: 'read' })
  t.equal(await unread(), 0)
  await mustFlag('member', { messages: ids, op: 'remove', flag: 'read' })
  t.equal(await unread(), count)
  const events = (await member.events(queue)).map((one) => [one.op, one.messages.length])
  t.same(events, [
    ['add', count],
    ['remove', 1_000],
    ['remove', 1],
  ])
  // Every third is read, so that marks have many exceptions; then most are, so that the marks move.
  const third = ids.filter((_: number, index: number) => index % 3 === 0)
  await mustFlag('member', { messages: third, op: 'add', flag: 'read' })
  t.equal(await unread(), count - third.length)
  await member.must('POST', '/mark_stream_as_read', { stream_id: channelId })
  t.equal(await unread(), 0)
})

t.test('[FLAG11] unread messages stay unread when the read mark moves past them, repeatedly', async (t) => {
  const channelId = server.node.services.state.findChannelByName('busy')?.channel.id as ChannelId
  const { sql, state } = server.node.services
  const unread = async () =>
    (await readUnread(sql, 4 as UserId, state.appliedId)).flatMap((one) =>
      one.channelId === channelId ? [one.id] : [],
    )
  const marks = () => sql`select through_id, cardinality(read_ids) as count from read_marks
    where user_id = 4 and place = ${channelId * 2}`
  const first = await sendMany(channelId, 400)
  await mustFlag('member', { messages: first.slice(20), op: 'add', flag: 'read' })
  t.match(await marks(), [{ through_id: first.at(-1), count: 0 }], 'the mark moved')
  t.same(await unread(), first.slice(0, 20))
  await mustFlag('member', { messages: [first[200]], op: 'remove', flag: 'read' })
  const second = await sendMany(channelId, 300)
  await mustFlag('member', { messages: second.slice(1), op: 'add', flag: 'read' })
  t.match(await marks(), [{ through_id: second.at(-1), count: 0 }], 'the mark moved again')
  t.same(await unread(), [...first.slice(0, 20), first[200], second[0]])
  await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['busy'] })
  await owner.subscribe(['busy'], { principals: [4] })
  t.same(await unread(), [], 'nothing is unread there after a return')
})

t.test(
  '[FLAG13] marking messages as read does not hold the lock of the log while it reads messages',
  async (t) => {
    const { sql } = server.node.services
    const channelId = server.node.services.state.findChannelByName('busy')?.channel.id as ChannelId
    const messageIds = (await sendMany(channelId, 300)) as MessageId[]
    const [hidden, blocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hiding = sql.begin(async (tx) => {
      await tx`lock table messages in access exclusive mode`
      blocked.resolve()
      await hidden.promise
    })
    await blocked.promise
    const userId = 4 as UserId
    const messages = [{ place: placeOfChannel(channelId), messageIds }]
    const marking = commitEvents(server, [
      { type: 'update_message_flags', userId, op: 'add', flag: 'read', messages },
    ])
    await t.resolves(marking, 'nobody can read a message meanwhile')
    hidden.resolve()
    await hiding
  },
)

/** Marks messages of the member as read, and commits another event just before the read mark moves. */
async function markMeanwhile(messageIds: readonly number[], intervention: LogEvent) {
  const { sql, committer } = server.node.services
  const locked = Promise.withResolvers<void>()
  const submit = committer.submit.bind(committer)
  let intervening: Promise<unknown> | undefined
  committer.submit = async (change) => {
    const done = await submit(change)
    committer.submit = submit
    intervening = beginBatch(sql, async (tx) => {
      await lockLog(tx)
      locked.resolve()
      await pollUntil('the mark is about to move', async () => {
        const waiting = await sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update read_marks%'
            and datname = current_database()`
        return waiting.length === 1
      })
      return commitWith(tx, [{ event: intervention, audience: { kind: 'nobody' } }], {})
    })
    await locked.promise
    return done
  }
  await mustFlag('member', { messages: messageIds, op: 'add', flag: 'read' })
  await intervening
}

t.test('[FLAG14] a read mark does not move if the user leaves its channel meanwhile', async (t) => {
  const { sql, state } = server.node.services
  const channelId = state.findChannelByName('busy')?.channel.id as ChannelId
  const sent = await sendMany(channelId, 300)
  const userIds = [4 as UserId]
  const channelIds = [channelId]
  await markMeanwhile(sent.slice(20), { type: 'subscription/remove', channelIds, userIds, names: ['busy'] })
  await pollUntil(
    'the process has received it',
    () => !state.channels.get(channelId)?.subscribers.has(4 as UserId),
  )
  await owner.subscribe(['busy'], { principals: [4] })
  const unread = await readUnread(sql, 4 as UserId, state.appliedId)
  t.same(
    unread.filter((one) => one.channelId === channelId),
    [],
  )
})

t.test('[FLAG15] a read mark does not move over what the user marks as unread meanwhile', async (t) => {
  const { sql, state } = server.node.services
  const channelId = state.findChannelByName('busy')?.channel.id as ChannelId
  const sent = (await sendMany(channelId, 300)) as MessageId[]
  const [again] = sent.slice(-1)
  const messages = [{ place: placeOfChannel(channelId), messageIds: [again as MessageId] }]
  const userId = 4 as UserId
  await markMeanwhile(sent.slice(20), {
    type: 'update_message_flags',
    userId,
    op: 'remove',
    flag: 'read',
    messages,
  })
  const unread = await readUnread(sql, userId, state.appliedId)
  t.same(
    unread.filter((one) => one.channelId === channelId).map(({ id }) => id),
    [...sent.slice(0, 20), again],
  )
})

t.test('[FLAG16] flags that a move takes from a user do not return with the message', async (t) => {
  const channelOf = (name: string) => server.node.services.state.findChannelByName(name)?.channel.id
  await owner.subscribe(['here'], { principals: [1, 4] })
  await owner.subscribe(['away'], { principals: [1] })
  await owner.subscribe(['hidden'], { principals: [1], invite_only: true })
  const move = (id: number, name: string) =>
    owner.must('PATCH', `/messages/${id}`, { stream_id: channelOf(name), propagate_mode: 'change_one' })
  const [starred, unread] = [await owner.send('here', 'a', 'x'), await owner.send('here', 'b', 'y')]
  await mustFlag('member', { messages: [starred, unread], op: 'add', flag: 'read' })
  await mustFlag('member', { messages: [starred], op: 'add', flag: 'starred' })
  await mustFlag('member', { messages: [unread], op: 'remove', flag: 'read' })
  t.same(await flagsOf('member', starred), ['read', 'starred'])
  t.same(await flagsOf('member', unread), [])
  await move(starred, 'hidden')
  await move(starred, 'here')
  t.same(await flagsOf('member', starred), ['read', 'historical'])
  await move(unread, 'away')
  await owner.subscribe(['away'], { principals: [4] })
  t.same(await flagsOf('member', unread), ['read', 'historical'])
})

t.test('[FLAG10] a notice is read for the user whose action caused it', async (t) => {
  await commitEvents(server, [
    { type: 'realm/update_dict', changes: { settings: { sendsChannelEvents: true } } },
  ])
  for (const person of ['owner', 'member'] as const) await server.as(person).must('POST', '/mark_all_as_read')
  await owner.must('PATCH', '/streams/1', { description: 'changed' })
  await owner.subscribe(['busy'], { principals: [6], send_new_subscription_messages: true })
  t.equal((await stateOf('owner')).unread_msgs.count, 0)
  t.equal((await stateOf('member')).unread_msgs.count, 1)
  const { unread_msgs } = await stateOf('guest')
  t.equal(unread_msgs.pms.length, 2, 'by the owner before, by the bot now')
  t.same(
    (await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow: [['channel', 'town']] }))
      .messages[0].flags,
    ['read'],
  )
})

t.test('[FLAG12] a large update is committed in parts, and other sends fit between', async (t) => {
  const { committer, state, sql } = server.node.services
  const before = state.appliedId
  const sent: MessageSent = {
    type: 'message',
    channelId: 1 as ChannelId,
    conversationId: null,
    userIds: null,
    topic: 'many',
    senderId: 1 as UserId,
    content: 'x',
    rendered: '<p>x</p>',
    sentAt: 1_700_000_000,
    client: 'test',
    readById: null,
    queueId: null,
    localId: null,
  }
  await commitEvents(server, Array<MessageSent>(2_001).fill(sent))
  const messages = Array.from({ length: 2_001 }, (_, index) => before + 1 + index)
  const sending = sendBetween(committer, () => owner.send('town', 'many', 'between'))
  t.same((await mustFlag('member', { messages, op: 'add', flag: 'starred' })).messages, messages)
  const id = (await sending.stop()) as number
  const logged = await sql<{ id: number; count: number }[]>`
    select id, json_array_length(event -> 'messages' -> 0 -> 'messageIds') as count from event_log
    where event ->> 'type' = 'update_message_flags' and id > ${before} order by id`
  t.same(
    logged.map(({ count }) => count),
    [2_000, 1],
  )
  t.ok((logged[0]?.id as number) < id && id < (logged[1]?.id as number))
})
