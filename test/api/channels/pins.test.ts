/** Pins of messages and topics in their channel. */

import t from 'tap'
import { PINS_PER_CHANNEL_MAX } from '../../../server/domain/limits.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'

const server = await startTestServer(t)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
// Channel 1 has members and a guest, 2 is private with shared history, 3 with protected history.
await owner.subscribe(['town'], { principals: [1, 4, 5, 6] })
await owner.subscribe(['shared'], {
  principals: [1, 4],
  invite_only: true,
  history_public_to_subscribers: true,
})
await owner.subscribe(['closed'], {
  principals: [1, 4],
  invite_only: true,
  history_public_to_subscribers: false,
})
const [TOWN, SHARED, CLOSED] = [1, 2, 3]

const pin = (person: Person, id: number, kind = 'message') =>
  server.as(person).post(`/messages/${id}/pin`, { kind })
const unpin = (person: Person, id: number) => server.as(person).delete(`/pins/${id}`)
const list = async (person: Person, channelId: number) =>
  (await server.as(person).must('GET', `/streams/${channelId}/pins`)).pins
const mustPin = async (person: Person, id: number, kind = 'message') => {
  const { status, body } = await pin(person, id, kind)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.pin_id as number
}
const move = (id: number, change: Readonly<Record<string, unknown>>) =>
  owner.must('PATCH', `/messages/${id}`, {
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    ...change,
  })
async function clear(channelId: number): Promise<void> {
  for (const { id } of await list('owner', channelId)) await owner.must('DELETE', `/pins/${id}`)
}

t.test('[PINS1] pins are sent to the subscribers of the channel, as the whole list', async (t) => {
  const id = await member.send('town', 'lunch', 'Noodles?')
  const pins: number[] = []
  const events = await expectConsistent(server, async () => {
    pins.push(await mustPin('member', id), await mustPin('owner', id, 'topic'))
  })
  const first = { id: pins[0], message_id: id, topic: null }
  const both = [first, { id: pins[1], message_id: null, topic: 'lunch' }]
  for (const person of ['owner', 'member', 'member2', 'guest'] as const)
    t.match(
      events[person]?.filter(({ type }) => type === 'channel_pins'),
      [
        { stream_id: TOWN, pins: [first] },
        { stream_id: TOWN, pins: both },
      ],
      person,
    )
  t.same(await list('member2', TOWN), both)
  const { channel_pins } = await member2.must('POST', '/register', {
    event_types: [],
    fetch_event_types: ['channel_pins'],
  })
  t.same(channel_pins, [{ stream_id: TOWN, pins: both }])
  const queue = await member.register({ event_types: ['message'] })
  const quiet = await expectConsistent(server, async () => {
    t.equal(await mustPin('member2', id), pins[0], 'to pin again answers the same id')
  })
  t.equal(quiet.owner?.length, 0)
  const removed = await expectConsistent(server, () => unpin('member2', Number(pins[0])))
  t.match(removed.guest, [{ type: 'channel_pins', stream_id: TOWN, pins: both.slice(1) }])
  await member.send('town', 'lunch', 'Soup')
  t.match(await member.events(queue), [{ type: 'message' }], 'only clients that asked get them')
  await clear(TOWN)
})

t.test('[PINS2] the permission of the channel decides who pins and unpins, members by default', async (t) => {
  const id = await owner.send('town', 'rules', 'Be kind')
  expectRefusal(t, await pin('guest', id), 'You do not have permission to pin in this channel.')
  const pinId = await mustPin('member', id)
  expectRefusal(t, await unpin('guest', pinId), 'You do not have permission to pin in this channel.')
  await owner.must('PATCH', `/streams/${TOWN}`, { can_pin_group: { new: 2 } })
  expectRefusal(t, await pin('member', id), 'You do not have permission to pin in this channel.')
  expectRefusal(t, await unpin('member', pinId), 'You do not have permission to pin in this channel.')
  t.equal((await unpin('administrator', pinId)).status, 200)
  await owner.must('PATCH', `/streams/${TOWN}`, { can_pin_group: { new: 6 } })
  await mustPin('guest', id)
  await owner.must('PATCH', `/streams/${TOWN}`, { can_pin_group: { new: 5 } })
  await clear(TOWN)
})

t.test('[PINS3] absent and forbidden messages, pins and channels look alike', async (t) => {
  const hidden = await owner.send('shared', 'plans', 'secret')
  const pinId = await mustPin('owner', hidden)
  for (const id of [hidden, 999_999]) expectRefusal(t, await pin('member2', id), 'Invalid message(s)')
  for (const id of [pinId, 999_999]) expectRefusal(t, await unpin('member2', id), 'Pin does not exist')
  for (const id of [SHARED, 999])
    expectRefusal(t, await member2.get(`/streams/${id}/pins`), 'Invalid channel ID')
  const direct = await owner.sendDirect([4], 'hello')
  expectRefusal(t, await pin('member', direct), 'Direct messages cannot be pinned.')
  expectRefusal(t, await pin('member', hidden, 'channel'), 'Invalid kind')
  await clear(SHARED)
})

t.test('[PINS4] a channel has at most 50 pins', async (t) => {
  const ids: number[] = []
  for (let index = 0; index <= PINS_PER_CHANNEL_MAX; index++)
    ids.push(await owner.send('shared', 'many', `${index}`))
  for (const id of ids.slice(0, -1)) await mustPin('owner', id)
  expectRefusal(t, await pin('owner', ids.at(-1) ?? 0), 'Too many pins in this channel (maximum 50).')
  t.equal((await list('member', SHARED)).length, PINS_PER_CHANNEL_MAX)
  await clear(SHARED)
})

t.test('[PINS5] pins end with their messages, and follow topics that move as a whole', async (t) => {
  const [one, two, three] = [
    await owner.send('town', 'trip', 'one'),
    await owner.send('town', 'trip', 'two'),
    await owner.send('town', 'other', 'three'),
  ]
  for (const id of [one, two, three]) await mustPin('member', id)
  await mustPin('member', one, 'topic')
  const shown = async () => (await list('member', TOWN)).map(({ message_id, topic }) => message_id ?? topic)
  await expectConsistent(server, () => move(one, { topic: 'journey' }))
  t.same(await shown(), [one, two, three, 'journey'])
  await expectConsistent(server, () => move(two, { topic: 'train', propagate_mode: 'change_one' }))
  t.same(await shown(), [one, two, three, 'journey'], 'a part of it leaves the pin')
  await expectConsistent(server, () => owner.must('DELETE', `/messages/${two}`))
  t.same(await shown(), [one, three, 'journey'])
  await expectConsistent(server, () => move(one, { stream_id: SHARED }))
  t.same(await shown(), [three], 'the other channel has no pins of it')
  t.same(await list('owner', SHARED), [])
  await mustPin('member', three, 'topic')
  const four = await owner.send('town', 'another', 'four')
  await mustPin('member', four, 'topic')
  await expectConsistent(server, () => move(three, { topic: 'Another' }))
  t.same(await shown(), [three, 'another'], 'two pins of one topic are one')
  await clear(TOWN)
})

t.test(
  '[PINS6] with protected history, users see the pins of messages that they have received',
  async (t) => {
    const before = await owner.send('closed', 'news', 'before')
    const first = await mustPin('owner', before)
    const topic = await mustPin('owner', before, 'topic')
    const joined = await expectConsistent(server, () => owner.subscribe(['closed'], { principals: [5] }))
    t.same(
      joined.member2?.filter(({ type }) => type === 'channel_pins'),
      [],
    )
    t.same(await list('member2', CLOSED), [])
    expectRefusal(t, await unpin('member2', first), 'Pin does not exist')
    const after = await owner.send('closed', 'news', 'after')
    const received = await expectConsistent(server, () => mustPin('member', after))
    t.match(received.member2, [{ type: 'channel_pins', pins: [{ message_id: after }] }])
    t.equal((await list('member', CLOSED)).length, 3)
    t.same(
      (await list('member2', CLOSED)).map(({ message_id }) => message_id),
      [after],
    )
    const opened = await expectConsistent(server, () =>
      owner.must('PATCH', `/streams/${CLOSED}`, { history_public_to_subscribers: true }),
    )
    t.match(opened.member2?.at(-1), {
      type: 'channel_pins',
      pins: [{ id: first }, { id: topic }, { message_id: after }],
    })
    const closed = await expectConsistent(server, () =>
      owner.must('PATCH', `/streams/${CLOSED}`, { is_private: true, history_public_to_subscribers: false }),
    )
    t.match(closed.member2?.at(-1), { type: 'channel_pins', pins: [{ message_id: after }] })
    await member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'] })
    const { channel_pins } = await member2.must('POST', '/register', { fetch_event_types: ['channel_pins'] })
    t.same(channel_pins, [], 'nothing is left to somebody who has left')
  },
)

t.test('[PINS7] subscribers who join a channel with shared history get its pins', async (t) => {
  const id = await owner.send('shared', 'guide', 'Read me')
  const pinId = await mustPin('owner', id)
  const events = await expectConsistent(server, () => owner.subscribe(['shared'], { principals: [5] }))
  t.match(events.member2?.at(-1), { type: 'channel_pins', stream_id: SHARED, pins: [{ id: pinId }] })
  await expectConsistent(server, () => owner.must('DELETE', `/streams/${SHARED}`))
  expectRefusal(t, await unpin('owner', pinId), 'Pin does not exist')
  expectRefusal(t, await pin('owner', id), 'Invalid message(s)')
  await expectConsistent(server, () => owner.must('PATCH', `/streams/${SHARED}`, { is_archived: false }))
  t.match(await list('member2', SHARED), [{ id: pinId }])
})
