/** The unmodified JavaScript client library. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { storePasswordHash } from '../../db/accounts/users.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

const connectClient = createRequire(import.meta.url)('zulip-js')

const server = await startTestServer(t)
const { sql, passwords } = server.node.services
const [owner, member] = [server.as('owner'), server.as('member')]
await storePasswordHash(sql, member.userId as UserId, await passwords.hash('a good password'))

await t.test(
  '[JS1] the client subscribes, sends, registers, gets its own message, and deletes its queue',
  async (t) => {
    const client = await connectClient({ realm: server.node.url, username: member.email, apiKey: member.key })
    const subscribed = await client.users.me.subscriptions.add({
      subscriptions: JSON.stringify([{ name: 'js' }]),
    })
    t.match(subscribed, { result: 'success', subscribed: { [member.userId]: ['js'] } })
    t.match(await client.streams.subscriptions.retrieve(), { subscriptions: [{ name: 'js' }] })
    t.match(await client.streams.retrieve(), { result: 'success', streams: [{ name: 'js' }] })
    t.match(await client.users.me.getProfile(), { result: 'success', email: member.email })

    const queue = await client.queues.register({ event_types: ['message'] })
    t.match(queue, { result: 'success', queue_id: String, last_event_id: Number })
    const content = 'Ein *Gruß* – 👋'
    const sent = await client.messages.send({ to: 'js', type: 'stream', subject: 'greetings', content })
    t.match(sent, { result: 'success', id: Number })
    const direct = await client.messages.send({ to: [owner.email], type: 'private', content: 'hello' })
    t.match(direct, { result: 'success', id: Number })
    const heard = await client.events.retrieve({
      queue_id: queue.queue_id,
      last_event_id: queue.last_event_id,
      dont_block: true,
    })
    t.match(heard.events, [
      { id: sent.id, message: { id: sent.id, content, subject: 'greetings', display_recipient: 'js' } },
      { id: direct.id, message: { type: 'private' } },
    ])
    const page = await client.messages.retrieve({
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'sender', operand: member.email }],
    })
    t.same(
      page.messages.map(({ id }: { id: number }) => id),
      [sent.id, direct.id],
    )
    t.match(await client.queues.deregister({ queue_id: queue.queue_id }), { result: 'success' })
    t.match(await client.events.retrieve({ queue_id: queue.queue_id, dont_block: true }), {
      code: 'BAD_EVENT_QUEUE_ID',
    })
  },
)

await t.test('[JS2] the client fetches its key by password, and polls in its endless loop', async (t) => {
  const program = join(import.meta.dirname, 'run-zulip-js.ts')
  const args = [program, server.node.url, member.email, 'a good password']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value)
  t.match(await next(), { apiKey: /^[A-Za-z0-9]{32}$/ })
  // Its queue is registered later; earlier events are not for it.
  const sender = await sendUntilHeard()
  for (const content of ['one', 'two']) {
    await owner.sendDirect([4], content)
    t.match(await next(), { type: 'message', message: { content } })
  }
  t.ok(sender >= 1)

  async function sendUntilHeard(): Promise<number> {
    const first = next()
    let isHeard = false
    void first.then(() => (isHeard = true))
    let count = 0
    for (; !isHeard && count < 100; count++) {
      await owner.sendDirect([4], 'are you there?')
      await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 100))])
    }
    // The messages that arrived while it got the first one.
    for (let event = await first; event.id < server.node.services.state.appliedId; ) event = await next()
    return count
  }
})
