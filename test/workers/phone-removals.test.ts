/** The removal of many notifications from phones: at most 200 ids a request. */

import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { startPushRelay } from '../harness/providers/start-push-relay.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Requests at once while the messages are written. */
const WRITERS = 20

const relay = await startPushRelay(t)
const server = await startTestServer(t, { env: relay.env })
const [member, owner] = [server.as('member'), server.as('owner')]
const { sql } = server.node.services
const start = () => startWorker({ config: server.config, logger: createLogger('silent') })
const phone = relay.createPhone()
const first = await start()
const { device_id } = await member.must('POST', '/register_client_device')
await member.must('POST', '/mobile_push/register', { device_id, ...phone.keyFields, ...phone.tokenFields })
await pollUntil('the phone is registered', async () => {
  const { devices } = await member.must('POST', '/register', { fetch_event_types: ['device'] })
  return devices?.[device_id]?.push_token_id === phone.tokenId
})
await first.close()

async function writeMany(count: number): Promise<number[]> {
  const ids: number[] = []
  const writer = async () => {
    for (let left = count / WRITERS; left > 0; left--) {
      if (ids.length >= count) return
      const index = ids.push(0) - 1
      const message = { type: 'direct', to: [member.userId], content: `message ${index}` }
      ids[index] = (await owner.must('POST', '/messages', message)).id
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  return ids.sort((a, b) => a - b)
}

for (const count of [200, 201, 400])
  t.test(`[PHONE6] reading ${count} messages removes each once, at most 200 in a request`, async (t) => {
    const ids = await writeMany(count)
    t.equal(ids.length, count)
    // As if a worker had shown all of them.
    await sql`delete from pending_notifications`
    await sql`insert into pushes (user_id, message_id, asked_at, shown_at, due_at)
      select ${member.userId}, id, now(), now(), null from unnest(${ids}::bigint[]) id`
    const before = phone.received.length
    await member.must('POST', '/mark_all_as_read')
    const worker = await start()
    t.teardown(() => worker.close())
    await pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)
    const removals = phone.received
      .slice(before)
      .map(({ content }) => content() as { type: string; message_ids: number[] })
    t.ok(removals.every(({ type, message_ids }) => type === 'remove' && message_ids.length <= 200))
    t.same(
      removals.flatMap(({ message_ids }) => message_ids).sort((a, b) => a - b),
      ids,
    )
    t.ok(removals.length >= Math.ceil(count / 200))
    await worker.close()
  })

t.test('[PHONE7] of more than 400 shown messages the oldest are no longer removed', async (t) => {
  const ids = await writeMany(401)
  await sql`delete from pending_notifications`
  await sql`insert into pushes (user_id, message_id, asked_at, shown_at, due_at)
    select ${member.userId}, id, now(), now(), null from unnest(${ids}::bigint[]) id`
  const worker = await start()
  t.teardown(() => worker.close())
  const count = phone.received.length
  await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'one more' })
  await pollUntil('it arrives', () => phone.received.length > count)
  await pollUntil('two are forgotten', async () => (await sql`select from pushes`).length === 400)
  const [oldest] = await sql<{ id: number }[]>`select min(message_id)::int as id from pushes`
  t.equal(oldest?.id, ids[2])
})
