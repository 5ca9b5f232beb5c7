import t from 'tap'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import { storeSubmessage } from '../../../db/messages/submessages.ts'
import type { EventId, MessageId, UserId } from '../../../server/domain/ids.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { writeAlone } from '../../harness/worlds/write-alone.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })

const POLL = '/poll Lunch?\nsoup\nsalad'
const VOTE = { type: 'vote', key: 'canned,0', vote: 1 }
const take = (person: Person, message_id: number, content: unknown, msg_type = 'widget') =>
  server.as(person).post('/submessage', {
    message_id,
    msg_type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })
const submessagesOf = async (id: number, person: Person = 'owner') =>
  (await server.as(person).must('GET', `/messages/${id}`)).message.submessages
const openingOf = async (content: string) => {
  const id = await owner.send('town', 'x', content)
  const [first, ...others] = await submessagesOf(id)
  t.same(others, [])
  t.same({ ...first, content: '' }, { id, message_id: id, sender_id: 1, msg_type: 'widget', content: '' })
  return JSON.parse(first.content)
}
const done = { result: 'success', msg: '' }

t.test('[POLL1] a poll begins with its question and its options, each once', async (t) => {
  const poll = (question: string, ...options: string[]) => ({
    widget_type: 'poll',
    extra_data: { question, options },
  })
  t.same(await openingOf(POLL), poll('Lunch?', 'soup', 'salad'))
  t.same(
    await openingOf('/poll  Lunch? \n* soup\n-  salad \n\n  - soup\nfish-cake'),
    poll('Lunch?', 'soup', 'salad', 'fish-cake'),
  )
  t.same(await openingOf('/poll'), poll(''))
  t.same(await openingOf('/poll\nyes\r\nno'), poll('', 'yes', 'no'))
})

t.test('[POLL2] a to-do list begins with its title and its tasks, each once', async (t) => {
  const list = (task_list_title: string, ...tasks: { task: string; desc: string }[]) => ({
    widget_type: 'todo',
    extra_data: { task_list_title, tasks },
  })
  t.same(
    await openingOf('/todo Today\n* bread: brown: two\n- milk\nmilk: fresh\n: nothing'),
    list('Today', { task: 'bread', desc: 'brown: two' }, { task: 'milk', desc: '' }),
  )
  t.same(await openingOf('/todo'), list(''))
})

t.test('[POLL3] other messages begin neither', async (t) => {
  for (const content of ['/polls x', 'a /poll x', '/Poll x', ' /poll x', '/me waves']) {
    t.same(await submessagesOf(await owner.send('town', 'x', content)), [], content)
  }
})

t.test('[POLL4] a message is sent with its poll or list, and each vote to its readers', async (t) => {
  let id = 0
  const received = await expectConsistent(server, async () => {
    id = await owner.send('town', 'x', POLL)
    t.same((await take('member', id, VOTE)).body, done)
    t.same((await take('member2', id, { type: 'new_option', idx: 0, option: 'fish' })).body, done)
  })
  const [first, second, third] = await submessagesOf(id)
  t.same(received.guest?.[0].message.submessages, [first])
  const events = [second, third].map(({ id: submessage_id, ...rest }) => ({
    type: 'submessage',
    submessage_id,
    ...rest,
  }))
  t.same(events, [
    {
      type: 'submessage',
      submessage_id: second.id,
      message_id: id,
      sender_id: 4,
      msg_type: 'widget',
      content: JSON.stringify(VOTE),
    },
    {
      type: 'submessage',
      submessage_id: third.id,
      message_id: id,
      sender_id: 5,
      msg_type: 'widget',
      content: '{"type":"new_option","idx":0,"option":"fish"}',
    },
  ])
  for (const person of ['owner', 'member', 'guest'] as const) {
    t.same(withoutIds(received[person]?.slice(1)), events, person)
  }
  t.same(withoutIds(received.member2), [events[1]], 'readers without a subscription get their own')
  const page = await member.must('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  t.same(page.messages[0].submessages, [first, second, third])
})

t.test('[POLL5] a cached page includes later votes and tasks', async (t) => {
  const id = await owner.send('town', 'x', '/todo Today')
  const narrow = [{ operator: 'channel', operand: 'town' }]
  const page = async () => {
    const { messages } = await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow,
    })
    return messages[0].submessages
  }
  t.same(await page(), await submessagesOf(id))
  for (const content of [
    { type: 'new_task', key: 2, task: 'bread', desc: '', completed: false },
    { type: 'strike', key: '2,4' },
  ]) {
    t.same((await take('member', id, content)).body, done)
  }
  t.equal((await page()).length, 3)
  t.same(await page(), await submessagesOf(id))
})

t.test('[POLL6] only the sender changes the question of a poll and the title of a list', async (t) => {
  const poll = await owner.send('town', 'x', POLL)
  const list = await owner.send('town', 'x', '/todo')
  const question = { type: 'question', question: 'Dinner?' }
  const title = { type: 'new_task_list_title', title: 'Tomorrow' }
  const forbidden = 'unless you are the author.'
  expectRefusal(t, await take('member', poll, question), `You can't edit a question ${forbidden}`)
  expectRefusal(t, await take('member', list, title), `You can't edit the task list title ${forbidden}`)
  t.same((await take('owner', poll, question)).body, done)
  t.same((await take('owner', list, title)).body, done)
})

t.test('[POLL7] invalid submessages are refused', async (t) => {
  const poll = await owner.send('town', 'x', POLL)
  const list = await owner.send('town', 'x', '/todo')
  expectRefusal(t, await take('member', poll, 'not json'), 'Invalid json for submessage')
  expectRefusal(t, await take('member', poll, VOTE, 'other'), 'Invalid msg_type')
  const refused: readonly (readonly [id: number, content: unknown, msg: string])[] = [
    [poll, [], 'poll data is not a dict'],
    [poll, null, 'poll data is not a dict'],
    [poll, {}, 'poll data["type"] field is missing: Field required'],
    [poll, { type: 1 }, 'poll data["type"] is not a string'],
    [poll, { type: 'strike', key: 'x' }, 'Unknown type for poll data: strike'],
    [poll, { type: 'constructor' }, 'Unknown type for poll data: constructor'],
    [list, VOTE, 'Unknown type for todo data: vote'],
    [poll, { ...VOTE, vote: 0 }, 'Invalid poll data["vote"]'],
    [poll, { ...VOTE, vote: true }, 'poll data["vote"] is not an integer'],
    [poll, { type: 'vote', vote: 1 }, 'poll data["key"] field is missing: Field required'],
    [poll, { ...VOTE, more: 1, x: 2 }, 'Unexpected arguments: more, x'],
    [poll, { type: 'new_option', idx: '1', option: 'x' }, 'poll data["idx"] is not an integer'],
    [
      list,
      { type: 'new_task', key: 1, task: 'x', desc: '', completed: 0 },
      'todo data["completed"] is not a boolean',
    ],
  ]
  for (const [id, content, msg] of refused) expectRefusal(t, await take('member', id, content), msg)
  t.equal((await submessagesOf(poll)).length, 1)
  t.equal((await submessagesOf(list)).length, 1)
})

t.test('[POLL8] a vote or task needs a readable poll or list in an active channel', async (t) => {
  const plain = await owner.send('town', 'x', 'hello')
  expectRefusal(t, await take('owner', plain, VOTE), 'You cannot attach a submessage to this message.')
  const direct = await owner.sendDirect([4], POLL)
  expectRefusal(t, await take('guest', direct, VOTE), 'Invalid message(s)')
  expectRefusal(t, await take('guest', 10 ** 15, VOTE), 'Invalid message(s)')
  const queues = await Promise.all(
    ['member', 'guest'].map((person) => server.as(person as Person).register()),
  )
  t.same((await take('member', direct, VOTE)).body, done)
  t.equal((await submessagesOf(direct, 'member')).length, 2)
  t.equal((await member.events(queues[0] as never)).length, 1)
  t.same(await server.as('guest').events(queues[1] as never), [])
  await owner.subscribe(['old'])
  const old = await owner.send('old', 'x', POLL)
  await setUpChannel(server, 'old', { kind: 'archived', isArchived: true })
  expectRefusal(t, await take('owner', old, VOTE), 'Invalid message(s)')
})

t.test('[POLL9] submessages are bounded per message', async (t) => {
  const id = await owner.send('town', 'x', '/poll')
  const option = (length: number) => ({ type: 'new_option', idx: 1, option: 'x'.repeat(length) })
  const empty = JSON.stringify(option(0)).length
  expectRefusal(
    t,
    await take('member', id, option(2_001 - empty)),
    'content is too long (limit: 2000 characters)',
  )
  const opening = JSON.stringify({ widget_type: 'poll', extra_data: { question: '', options: [] } }).length
  const last = 100_000 - opening - 49 * 2_000
  for (let sent = 0; sent < 49; sent++) t.same((await take('member', id, option(2_000 - empty))).body, done)
  expectRefusal(
    t,
    await take('member', id, option(last + 1 - empty)),
    'This message can hold no more submessages.',
  )
  t.same((await take('member', id, option(last - empty))).body, done)
  expectRefusal(t, await take('member', id, VOTE), 'This message can hold no more submessages.')
})

t.test('[POLL10] a submessage decided on stale state is not stored', async (t) => {
  const { sql } = server.node.services
  const id = (await owner.send('town', 'x', POLL)) as MessageId
  const gone = (await owner.send('town', 'x', 'no poll')) as MessageId
  const event = {
    type: 'submessage',
    messageId: id,
    channelId: null,
    senderId: 4 as UserId,
    content: '{}',
  } as const
  const store = (one: Parameters<typeof storeSubmessage>[2]) =>
    writeAlone(sql, (writes) => storeSubmessage(writes, 1 as EventId, one))
  await t.rejects(store(event), StaleMessageError, 'it is elsewhere')
  await t.rejects(
    store({ ...event, messageId: (gone + 1_000) as MessageId }),
    StaleMessageError,
    'it is deleted',
  )
})
