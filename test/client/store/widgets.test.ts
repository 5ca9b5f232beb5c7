/** Polls and to-do lists as the client shows them, from messages of a real server. */

import t from 'tap'
import { nextNumber, widgetOf } from '../../../client/store/messages/widgets.ts'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['open'], { principals: [1, 4, 5] })

async function load(id: number): Promise<Message> {
  const { messages } = await owner.must('GET', '/messages', { message_ids: [id] })
  return messages[0] as unknown as Message
}

async function act(person: Person, id: number, entry: object): Promise<void> {
  const content = JSON.stringify(entry)
  await server.as(person).must('POST', '/submessage', { message_id: id, msg_type: 'widget', content })
}

t.test('[STORE66] a poll adds up its votes, options and question', async (t) => {
  const id = await member.send('open', 'polls', '/poll When?\nThursday\nFriday')
  await act('owner', id, { type: 'vote', key: 'canned,0', vote: 1 })
  await act('owner', id, { type: 'vote', key: 'canned,0', vote: 1 })
  await act('member', id, { type: 'vote', key: 'canned,1', vote: 1 })
  await act('owner', id, { type: 'new_option', idx: 7, option: 'Never' })
  await act('member', id, { type: 'new_option', idx: 7, option: 'Never' })
  await act('member', id, { type: 'vote', key: '1,7', vote: 1 })
  await act('member', id, { type: 'vote', key: 'canned,1', vote: -1 })
  await act('member', id, { type: 'question', question: 'When then?' })
  const message = await load(id)
  t.same(widgetOf(message), {
    type: 'poll',
    question: 'When then?',
    options: [
      { key: 'canned,0', text: 'Thursday', voterIds: [1] },
      { key: 'canned,1', text: 'Friday', voterIds: [] },
      { key: '1,7', text: 'Never', voterIds: [4] },
    ],
  })
  t.equal(nextNumber(message, 1), 8)
  t.equal(nextNumber(message, 5), 1)
})

t.test('[STORE67] a to-do list adds up its tasks, and a second strike opens one again', async (t) => {
  const id = await member.send('open', 'lists', '/todo Before Thursday\nRehearse: on a copy\nTell support')
  await act('owner', id, { type: 'strike', key: '0,canned' })
  await act('owner', id, { type: 'new_task', key: 3, task: 'Notes', desc: 'short', completed: false })
  await act('member', id, { type: 'strike', key: '3,1' })
  await act('member', id, { type: 'strike', key: '0,canned' })
  await act('member', id, { type: 'new_task_list_title', title: 'Before Friday' })
  const message = await load(id)
  t.same(widgetOf(message), {
    type: 'todo',
    title: 'Before Friday',
    tasks: [
      { key: '0,canned', text: 'Rehearse', description: 'on a copy', isDone: false },
      { key: '1,canned', text: 'Tell support', description: '', isDone: false },
      { key: '3,1', text: 'Notes', description: 'short', isDone: true },
    ],
  })
  t.equal(nextNumber(message, 1), 4)
})

t.test('[STORE68] entries that are malformed, or not by the author, have no effect', async (t) => {
  const id = await member.send('open', 'polls', '/poll Why?\nOnly this')
  const message = await load(id)
  const [first] = message.submessages
  if (!first) throw new Error('a poll begins with an entry')
  const entries = [
    'not JSON',
    '[]',
    '{"type":"vote"}',
    '{"type":"question","question":"Stolen"}',
    '{"type":7}',
  ]
  const submessages = [first, ...entries.map((content) => ({ ...first, sender_id: 5, content }))]
  t.same(widgetOf({ ...message, submessages }), widgetOf(message))
  t.equal(widgetOf({ ...message, submessages: [] }), undefined)
  t.equal(
    widgetOf({ ...message, submessages: [{ ...first, content: '{"widget_type":"other"}' }] }),
    undefined,
  )
})
