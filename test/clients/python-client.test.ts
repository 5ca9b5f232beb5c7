/** The start, event loop and restart of the Python client library. */

import t from 'tap'
import type { QueueId, UserId } from '../../server/domain/ids.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { PythonClient } from './python-client.ts'
import type { WireEvent } from '../harness/client/wire-types.ts'

const server = await startTestServer(t)
const { node } = server
const [owner, bot] = [server.as('owner'), server.as('bot')]

/** The queues of the bot, from the database. */
const queuesOf = async () =>
  (await node.services.sql<{ id: QueueId }[]>`select id from event_queues where user_id = ${bot.userId}`).map(
    ({ id }) => id,
  )

await t.test(
  '[PY1] a bot starts, answers messages, and registers again when its queue is gone',
  async (t) => {
    const client = await PythonClient.connect(node.url, bot.email, bot.key)
    const subscribed = await client.call('POST', 'users/me/subscriptions', {
      subscriptions: [{ name: 'py' }],
    })
    t.match(subscribed, { result: 'success', subscribed: { [bot.userId]: ['py'] } })
    const heard: WireEvent[] = []
    const listening = client.callOnEachEvent((event) => {
      heard.push(event)
      if (event.type !== 'message' || event.message.sender_email === bot.email) return
      const content = `you said: ${event.message.content}`
      void client.call('POST', 'messages', {
        type: 'stream',
        to: 'py',
        subject: event.message.subject,
        content,
      })
    })
    const parkedQueue = () =>
      pollUntil('the bot listens', async () => {
        for (const id of await queuesOf()) {
          const session = await node.services.queues.find(id, bot.userId as UserId)
          if (session?.phase.kind === 'parked') return id
        }
        return undefined
      })
    const first = await parkedQueue()
    t.same(client.requests.slice(0, 4), [
      'GET server_settings',
      'POST users/me/subscriptions',
      'POST register',
      'GET events',
    ])
    await owner.subscribe(['py'])
    await owner.send('py', 'talk', '**hello**')
    const answers = () => heard.filter(({ message }) => message?.content.startsWith('you said'))
    await pollUntil('the bot has answered', () => answers().length === 1)
    t.match(answers(), [
      { flags: [], message: { subject: 'talk', content: 'you said: **hello**', client: 'ZulipPython' } },
    ])

    await parkedQueue()
    await bot.must('DELETE', '/events', { queue_id: first })
    t.not(await parkedQueue(), first)
    await owner.send('py', 'talk', 'again')
    await pollUntil('the bot has answered again', () => answers().length === 2)
    t.equal(client.requests.filter((path) => path === 'POST register').length, 2)
    client.stop()
    await owner.send('py', 'talk', 'the last')
    await listening
  },
)

await t.test('[PY2] parameters that the client adds after a failure are accepted', async (t) => {
  const client = await PythonClient.connect(node.url, bot.email, bot.key)
  const reply = await client.call('POST', 'messages', {
    type: 'stream',
    to: 'py',
    subject: 'x',
    content: 'x',
    dont_block: true,
  })
  t.match(reply, { result: 'success', id: Number, ignored_parameters_unsupported: ['dont_block'] })
  t.match(await client.call('POST', 'register', { event_types: ['message'], dont_block: true }), {
    result: 'success',
    queue_id: String,
  })
})
