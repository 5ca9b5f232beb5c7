import t from 'tap'
import type { MessageSent } from '../../../server/domain/events/messages.ts'
import type { ChannelId, UserId } from '../../../server/domain/ids.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { makeEntry } from '../../log/make-entry.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
await owner.subscribe(['quiet'], { principals: [1, 4] })

const ids: number[] = []
for (let index = 0; index < 6; index++)
  ids.push(await owner.send('town', index % 2 === 0 ? 'Tea' : 'Coffee', `message ${index}`))
const [one, two, three, four, five, six] = ids as [number, number, number, number, number, number]
const direct = await owner.sendDirect([4], 'direct')

const change = (person: Person, fields: Fields) =>
  server.as(person).post('/messages/flags/narrow', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    narrow: [],
    op: 'add',
    flag: 'read',
    ...fields,
  })
const must = async (person: Person, fields: Fields) => {
  const { status, body } = await change(person, fields)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const reply = (processed: number[], updated_count: number, more: object = {}) => ({
  result: 'success',
  msg: '',
  processed_count: processed.length,
  updated_count,
  first_processed_id: processed[0] ?? null,
  last_processed_id: processed.at(-1) ?? null,
  found_oldest: true,
  found_newest: true,
  ignored_because_not_subscribed_channels: [],
  ...more,
})
const town = [['channel', 'town']]
const tea = [
  ['channel', 'town'],
  ['topic', 'tea'],
]
const find = async (person: Person, ...terms: unknown[][]): Promise<number[]> => {
  const narrow = terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))
  const { messages } = await server.as(person).must('GET', '/messages', {
    narrow,
    anchor: 'newest',
    num_before: 1_000,
  })
  return messages.map(({ id }: { id: number }) => id)
}

t.test('[UNREAD1] an update of a page of a narrow returns its counts', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.same(await must('member', { narrow: tea }), reply([one, three, five], 3))
    t.same(await must('member', { narrow: tea }), reply([one, three, five], 0))
    t.same(await must('member', { narrow: town, op: 'remove' }), reply(ids, 3))
  })
  t.match(withoutIds(events.member), [
    { op: 'add', flag: 'read', messages: [one, three, five] },
    { op: 'remove', flag: 'read', messages: [one, three, five] },
  ])
  t.same([events.owner, events.guest], [[], []])
})

t.test('[UNREAD2] pages of flag updates lie around the anchor like pages of messages', async (t) => {
  const star = (fields: Fields) => must('member', { narrow: town, flag: 'collapsed', ...fields })
  const [start, end] = [{ found_oldest: false }, { found_newest: false }]
  t.same(
    await star({ anchor: three, num_before: 1, num_after: 1 }),
    reply([two, three, four], 3, { ...start, ...end }),
  )
  t.same(
    await star({ anchor: String(three), num_before: 1, num_after: 1, include_anchor: false }),
    reply([two, four], 0, { ...start, ...end }),
  )
  t.same(await star({ anchor: 'newest', num_before: 2, num_after: 0 }), reply([five, six], 2, start))
  t.same(await star({ anchor: 'oldest', num_before: 0, num_after: 1 }), reply([one], 1, end))
  t.same(await star({ anchor: 'oldest', num_before: 5, num_after: 0, include_anchor: false }), {
    ...reply([], 0, end),
  })
  await must('member', { narrow: tea })
  t.same(await must('member', { anchor: 'first_unread', num_after: 1, narrow: town }), {
    ...reply([two, three], 1, { ...start, ...end }),
  })
  await must('member', { narrow: town })
  t.same(
    await must('member', { anchor: 'first_unread', num_before: 1, num_after: 1, narrow: town, op: 'remove' }),
    reply([six], 1, start),
  )
})

t.test('[UNREAD3] messages in channels without a subscription do not become unread', async (t) => {
  t.same(
    await must('member2', { narrow: town, op: 'remove' }),
    reply(ids, 0, { ignored_because_not_subscribed_channels: [1] }),
  )
  t.same(await must('member2', { narrow: town, flag: 'starred' }), reply(ids, 6))
  t.same(await must('member2', { narrow: [] }), reply([], 0), 'nor among the received messages')
})

t.test('[UNREAD4] invalid requests are refused', async (t) => {
  const refused = async (fields: Fields, ...[msg, extra]: [string, Record<string, unknown>?]) =>
    expectRefusal(t, await change('member', fields), msg, extra)
  const missing = (name: string): [string, Record<string, unknown>] => [
    `Missing '${name}' argument`,
    { code: 'REQUEST_VARIABLE_MISSING', var_name: name },
  ]
  for (const name of ['anchor', 'num_before', 'num_after', 'op', 'flag'])
    await refused({ [name]: undefined }, ...missing(name))
  for (const anchor of ['date', 'x', '', '1.5']) await refused({ anchor }, 'Invalid anchor')
  await refused({ num_before: -1 }, 'Invalid num_before')
  const tooMany = 'Too many messages requested (maximum 5000).'
  await refused({ num_before: 2_500, num_after: 2_501 }, tooMany)
  await must('member', { num_before: 2_500, num_after: 2_500, flag: 'collapsed', op: 'remove' })
  await refused({ flag: 'x' }, "Invalid flag: 'x'")
  await refused({ flag: 'historical' }, "Flag not editable: 'historical'")
  await refused({ narrow: [['channel', 'nowhere']] }, 'Invalid narrow operator: unknown channel nowhere', {
    code: 'BAD_NARROW',
    desc: 'unknown channel nowhere',
  })
  t.same(
    (
      await member.must('POST', '/messages/flags/narrow', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        op: 'add',
        flag: 'read',
      })
    ).processed_count,
    1,
    'without a narrow all that was received is meant',
  )
})

t.test('[NARROWF1] is:unread finds unread messages, and its negation the read ones', async (t) => {
  await member.must('POST', '/mark_all_as_read')
  await member.must('POST', '/messages/flags', { messages: [two, five, direct], op: 'remove', flag: 'read' })
  t.same(await find('member', ['is', 'unread']), [two, five, direct])
  t.same(await find('member', ['is', 'unread', true]), [one, three, four, six])
  t.same(await find('member', ['is', 'unread'], ['channel', 'town']), [two, five])
  t.same(await find('member', ['is', 'unread'], ['channel', 'town'], ['topic', 'tea']), [five])
  t.same(await find('member', ['is', 'unread'], ['is', 'dm']), [direct])
  t.same(await find('member', ['is', 'unread'], ['sender', 'member@example.com']), [])
  t.same(await find('member', ['is', 'unread'], ['is', 'unread', true]), [])
  t.same(await find('member', ['is', 'unread'], ['search', 'direct']), [direct])
  t.same(await find('member', ['is', 'unread'], ['channels', 'public']), [two, five])
  t.same(await find('member', ['is', 'unread'], ['id', five]), [five])
  t.same(await find('member2', ['is', 'unread'], ['channel', 'town']), [])
  const page = (fields: Fields) =>
    member.must('GET', '/messages', { narrow: [['is', 'unread']], num_before: 1, num_after: 1, ...fields })
  const middle = await page({ anchor: five })
  t.same([middle.messages.map((message) => message.id), middle.found_newest], [[two, five, direct], true])
  t.equal((await page({ anchor: 'first_unread' })).anchor, two)
  t.same(await must('member', { narrow: [['is', 'unread']] }), reply([two, five, direct], 3))
  t.same(await find('member', ['is', 'unread']), [])
})

t.test('[NARROWF2] is:starred finds starred messages that the reader may read', async (t) => {
  await member.must('POST', '/messages/flags', { messages: [one, direct], op: 'add', flag: 'starred' })
  await member.must('POST', '/messages/flags', { messages: [two], op: 'add', flag: 'collapsed' })
  t.same(await find('member', ['is', 'starred']), [one, direct])
  t.same(await find('member', ['is', 'starred', true]), [two, three, four, five, six])
  t.same(await find('member', ['is', 'starred'], ['topic', 'tea']), [one])
  t.same(await find('owner', ['is', 'starred']), [])
  t.same(await find('member2', ['is', 'starred'], ['channel', 'town']), ids)
  t.same(await find('member2', ['is', 'starred']), ids, 'though they never received it')
  t.same(await find('member2', ['is', 'starred', true]), [])
})

t.test('[NARROWF3] is:mentioned finds messages that mention the reader, by name or wildcard', async (t) => {
  const sent = makeEntry(0, {}, { channelId: 2 as ChannelId, topic: 'Tea' }).event as MessageSent
  await commitEvents(server, [
    {
      ...sent,
      mentions: [
        [4 as UserId, 8],
        [5 as UserId, 8],
      ],
    },
    { ...sent, isForAll: true },
    sent,
  ])
  const [named, all, plain] = (await find('owner', ['channel', 'quiet'])) as [number, number, number]
  t.same(await find('member', ['is', 'mentioned']), [named, all])
  t.same(await find('member', ['is', 'mentioned', true]), [...ids, direct, plain])
  t.same(await find('member', ['is', 'mentioned'], ['is', 'unread']), [named, all])
  t.same(await find('owner', ['is', 'mentioned']), [all])
  t.same(
    await find('member2', ['is', 'mentioned'], ['channel', 'quiet']),
    [],
    'users who did not receive it get no flag',
  )
  t.same(await find('member2', ['is', 'mentioned', true], ['channel', 'quiet']), [named, all, plain])
  t.same(await must('member', { narrow: [['is', 'mentioned']] }), reply([named, all], 2))
})

t.test('[NARROWF4] is:alerted finds nothing for a user without alert words', async (t) => {
  t.same(await find('member', ['is', 'alerted']), [])
  t.same(await find('member', ['is', 'alerted', true], ['channel', 'town']), ids)
})

t.test('[NARROWF5] has:reaction finds messages with reactions', async (t) => {
  await owner.must('POST', `/messages/${four}/reactions`, { emoji_name: 'smile' })
  t.same(await find('member', ['has', 'reaction']), [four])
  t.same(await find('member', ['has', 'reaction', true], ['channel', 'town']), [one, two, three, five, six])
  t.same(await find('member', ['has', 'reaction'], ['is', 'starred']), [])
  t.same(await find('member', ['has', 'reaction'], ['is', 'starred', true]), [four])
})
