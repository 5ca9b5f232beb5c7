import { hash } from 'node:crypto'
import t from 'tap'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { Client } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t, { redis: true })
const [owner, member, bot] = [server.as('owner'), server.as('member'), server.as('bot')]
const INVALID = ['Invalid API key', { status: 401, code: 'UNAUTHORIZED' }] as const
const withKey = ({ url, userId, email }: Client, key: string) => new Client(url, userId, email, key)

t.test('[KEYS1] requesting a key adds one; earlier keys stay valid', async (t) => {
  const events = await expectConsistent(server, async () => {
    const { api_key: key } = await member.must('GET', '/bots/7/api_key')
    t.match(key, /^[A-Za-z0-9]{32}$/)
    t.equal((await withKey(bot, key).get('/users/me')).status, 200)
    const { api_key: second } = await owner.must('GET', '/bots/7/api_key')
    t.not(second, key)
    t.equal((await withKey(bot, key).get('/users/me')).status, 200)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  t.equal((await bot.get('/users/me')).status, 200)
})

t.test('[KEYS2] only its owner and administrators get the key of a bot', async (t) => {
  for (const person of ['moderator', 'member2', 'guest', 'bot'] as const)
    expectRefusal(t, await server.as(person).get('/bots/7/api_key'), 'Insufficient permission')
  for (const id of [4, 999]) expectRefusal(t, await owner.get(`/bots/${id}/api_key`), 'No such bot')
})

t.test('[KEYS3] a bot with 100 keys gets no more and loses none', async (t) => {
  const others = Array.from({ length: 99 }, (_, index) => hash('sha256', `key ${index}`, 'hex'))
  const keyHashes = [hash('sha256', bot.key, 'hex'), ...others]
  await commitEvents(server, [{ type: 'api_keys_changed', userId: 7 as never, keyHashes }])
  expectRefusal(t, await member.get('/bots/7/api_key'), 'Too many API keys (maximum 100): make the key anew.')
  t.equal((await bot.get('/users/me')).status, 200)
})

t.test('[KEYS4] a regenerated key is the only valid one in every process, and queues stay', async (t) => {
  const another = await server.startAnotherNode()
  const own = server.as('member2')
  const queue = await own.register({ event_types: ['user_settings'] })
  const ticket = (await own.must('POST', '/events/ticket')).ticket as string
  t.equal((await another.as('member2').get('/users/me')).status, 200)
  const { api_key: key } = await own.must('POST', '/users/me/api_key/regenerate')
  expectRefusal(t, await own.get('/users/me'), ...INVALID)
  const renewed = withKey(own, key)
  await renewed.must('PATCH', '/settings', { starred_message_counts: false })
  t.match(await renewed.events(queue), [{ type: 'user_settings', value: false }])
  // A process that makes a change has read everything committed before.
  await another.as('owner').must('PATCH', '/settings', { starred_message_counts: false })
  expectRefusal(t, await another.as('member2').get('/users/me'), ...INVALID)
  t.equal((await withKey(another.as('member2'), key).get('/users/me')).status, 200)
  const query = `queue_id=${queue.queueId}&ticket=${encodeURIComponent(ticket)}`
  const headers = { accept: 'text/event-stream' }
  const stream = await fetch(`${own.url}/api/v1/events/stream?${query}`, { headers })
  t.match(
    { status: stream.status, body: await stream.json() },
    { status: 401, body: { msg: 'Invalid ticket' } },
  )
})

t.test('[KEYS5] a bot can regenerate its own key', async (t) => {
  const { api_key: key } = await bot.must('POST', '/users/me/api_key/regenerate')
  expectRefusal(t, await bot.get('/users/me'), ...INVALID)
  t.equal((await withKey(bot, key).get('/users/me')).status, 200)
  expectRefusal(
    t,
    await server.anyone.post('/users/me/api_key/regenerate'),
    'Missing authorization header for basic auth',
    {
      status: 401,
      code: 'UNAUTHORIZED',
    },
  )
})
