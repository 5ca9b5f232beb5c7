import t from 'tap'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

const linksOf = async (id: number) => (await member.must('GET', `/messages/${id}`)).message.topic_links
const pageLinks = async () => {
  const { messages } = await member.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [['channel', 'town']],
  })
  return messages.map(({ topic_links }) => topic_links)
}
const issue = (id: string) => ({ text: `#${id}`, url: `https://issues.example.com/${id}` })

await owner.subscribe(['town'])
await member.subscribe(['town'])
const sent = await member.send('town', 'about #1, #2 and TKT-3', 'hello')

t.test('[TOPICLINK1] without linkifiers a topic has no links', async (t) => {
  t.same(await linksOf(sent), [])
  t.same(await pageLinks(), [[]])
})

t.test('[TOPICLINK2] a topic has the links of the current linkifiers, in their order', async (t) => {
  await owner.must('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://issues.example.com/{id}',
  })
  t.same(await linksOf(sent), [issue('1'), issue('2')])
  t.same(await pageLinks(), [[issue('1'), issue('2')]], 'cached messages are encoded again')
  const { id } = await owner.must('POST', '/realm/filters', {
    pattern: 'TKT-(?P<id>[0-9]+)|and',
    url_template: 'https://tickets.example.com/{id}',
  })
  const ticket = { text: 'TKT-3', url: 'https://tickets.example.com/3' }
  const and = { text: 'and', url: 'https://tickets.example.com/' }
  const both = [issue('1'), issue('2'), and, ticket]
  t.same(await linksOf(sent), both)
  t.same(await pageLinks(), [both])
  t.same(await linksOf(await member.send('town', 'about #1, #2 and TKT-3', 'again')), both, 'from the cache')
  await owner.must('DELETE', `/realm/filters/${id}`)
  t.same(await pageLinks(), [
    [issue('1'), issue('2')],
    [issue('1'), issue('2')],
  ])
})

t.test('[TOPICLINK3] events of messages and moves include topic links, in every form', async (t) => {
  const queues = [
    await member.register({ event_types: ['message', 'update_message'] }),
    await member.register({ event_types: ['message', 'update_message'], apply_markdown: true }),
  ]
  const id = await member.send('town', '✔ #7', 'hello')
  await member.must('PATCH', `/messages/${id}`, { topic: '#8 or x#9' })
  await member.sendDirect([1], 'hello')
  for (const queue of queues) {
    const events = await member.events(queue)
    const find = (type: string) => events.find(({ message }) => message?.type === type).message
    t.same(find('stream').topic_links, [issue('7')])
    t.same(events.find(({ type }) => type === 'update_message').topic_links, [issue('8')])
    t.same(find('private').topic_links, [])
  }
  t.same(await linksOf(id), [issue('8')])
})
