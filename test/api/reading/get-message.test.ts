import t from 'tap'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, PEOPLE, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4] })

const get = (person: Person, id: number, fields = {}) => server.as(person).get(`/messages/${id}`, fields)
const readersOf = async (id: number) => {
  const readers: Person[] = []
  for (const person of PEOPLE) {
    const answer = await get(person, id)
    if (answer.status === 200) readers.push(person)
    else expectRefusal(t, answer, 'Invalid message(s)')
  }
  return readers
}

t.test(
  '[GETMSG1] a single message equals its entry in a page, with its Markdown for older clients',
  async (t) => {
    const id = await member.send('town', '', '*one*', { read_by_sender: true })
    for (const person of ['owner', 'member'] as const) {
      for (const allow_empty_topic_name of [false, true]) {
        for (const apply_markdown of [false, true]) {
          const fields = { allow_empty_topic_name, apply_markdown }
          const { messages } = await server
            .as(person)
            .must('GET', '/messages', { message_ids: [id], ...fields })
          const { body } = await get(person, id, fields)
          t.same(body, { result: 'success', msg: '', message: messages[0], raw_content: '*one*' })
        }
      }
    }
    const { body } = await get('member', id)
    t.match(body.message, { id, subject: 'general chat', content: '<p><em>one</em></p>', flags: ['read'] })
    t.same((await get('owner', id)).body.message.flags, [])
  },
)

t.test('[GETMSG2] only users who can read a message get it; absent and forbidden look alike', async (t) => {
  const open = await owner.send('town', 'x', 'open')
  t.same(await readersOf(open), ['owner', 'administrator', 'moderator', 'member', 'member2', 'bot'])

  await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4] })
  const before = await owner.send('closed', 'x', 'before')
  await owner.subscribe(['closed'], { principals: [5, 6] })
  const after = await owner.send('closed', 'x', 'after')
  t.same(await readersOf(before), ['owner', 'member'])
  t.same(await readersOf(after), ['owner', 'member', 'member2', 'guest'])
  await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'] })
  t.same(await readersOf(after), ['owner', 'member2', 'guest'], 'former subscribers cannot read it')
  await setUpChannel(server, 'closed', {
    kind: 'privacy',
    isPrivate: true,
    isWebPublic: false,
    isHistoryPublic: true,
  })
  t.same(await readersOf(before), ['owner', 'member2', 'guest'], 'once the past is open')
  await setUpChannel(server, 'closed', { kind: 'archived', isArchived: true })
  t.same(await readersOf(before), ['owner', 'member2', 'guest'], 'an archived channel is read on')

  const direct = await owner.sendDirect([4, 6], 'direct')
  t.same(await readersOf(direct), ['owner', 'member', 'guest'])

  for (const id of [0, direct + 1, 10 ** 15 - 1]) t.same(await readersOf(id), [])
  t.equal((await server.anyone.get(`/messages/${open}`)).status, 401)
})
