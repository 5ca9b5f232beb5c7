/** A relay that fails: clients hear that phones get nothing after some minutes, and that they do once it answers again. */

import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { type Phone, startPushRelay } from '../harness/providers/start-push-relay.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const relay = await startPushRelay(t)
const server = await startTestServer(t, { env: relay.env })
const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
t.teardown(() => worker.close())
const [member, owner] = [server.as('member'), server.as('owner')]
const { sql } = server.node.services
await member.must('PATCH', '/settings', { enable_offline_push_notifications: true })

const isEnabled = async () =>
  (await server.anyone.must('GET', '/server_settings')).push_notifications_enabled === true
const failingSince = async () => {
  const [row] = await sql<{ at: Date | null }[]>`select failing_since as at from relay_state`
  return row?.at ?? undefined
}
const waitFor = (isOn: boolean) =>
  pollUntil(`clients hear of it: ${isOn}`, async () => (await isEnabled()) === isOn)
/** Lets the time pass during which a failure says nothing. */
const letMinutesPass = () => sql`update relay_state set failing_since = failing_since - interval '3 minutes'`

async function register(phone: Phone): Promise<number> {
  const { device_id } = await member.must('POST', '/register_client_device')
  await member.must('POST', '/mobile_push/register', { device_id, ...phone.keyFields, ...phone.tokenFields })
  return device_id
}
const tokenOf = async (id: number) =>
  (await member.must('POST', '/register', { fetch_event_types: ['device'] })).devices?.[id]?.push_token_id
const write = (content: string) =>
  owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content })

const phone = relay.createPhone()
const deviceId = await register(phone)
await pollUntil('the phone is registered', async () => (await tokenOf(deviceId)) === phone.tokenId)
await waitFor(true)

/** The ways in which a relay fails, and how each ends. */
const FAILURES = {
  refused: async () => {
    await relay.refuse()
    return () => relay.listen()
  },
  hung: async () => {
    relay.odd = 'silent'
    return async () => relay.hangUp()
  },
  'cut off': async () => {
    relay.odd = 'broken'
    return async () => undefined
  },
  'answered by 500': async () => {
    relay.odd = { status: 500 }
    return async () => undefined
  },
  'answered by 503 of a proxy': async () => {
    relay.odd = { status: 503, body: '<h1>No server is available.</h1>' }
    return async () => undefined
  },
} as const

for (const [name, begin] of Object.entries(FAILURES))
  t.test(
    `[RELAY1] pushes that are ${name} for minutes turn phones off for clients, and the next that leaves turns them on`,
    async (t) => {
      const queue = await member.must('POST', '/register', { event_types: ['realm'] })
      const count = phone.received.length
      const end = await begin()
      await write(name)
      await pollUntil('the failure is noted', failingSince)
      t.ok(await isEnabled(), 'not by the first failure')
      await letMinutesPass()
      await sql`update pushes set due_at = now() where due_at is not null`
      await sql`select pg_notify('parley_pending', 'push')`
      await waitFor(false)
      relay.odd = undefined
      await end()
      await sql`update pushes set due_at = now(), claimed_by = null where due_at is not null`
      await sql`select pg_notify('parley_pending', 'push')`
      await pollUntil('the push arrives', () => phone.received.length > count)
      await waitFor(true)
      await pollUntil('the failure is over', async () => (await failingSince()) === undefined)
      t.equal(await failingSince(), undefined)
      const { events } = await member.must('GET', '/events', {
        queue_id: queue.queue_id ?? '',
        last_event_id: -1,
        dont_block: true,
      })
      t.match(events, [
        { type: 'realm', op: 'update', property: 'push_notifications_enabled', value: false },
        { type: 'realm', op: 'update', property: 'push_notifications_enabled', value: true },
      ])
      t.equal(events.length, 2, 'each change once')
    },
  )

t.test(
  '[RELAY2] registrations that fail for minutes do so, too, and one that succeeds ends it',
  async (t) => {
    const other = relay.createPhone('apns')
    relay.odd = { status: 502 }
    const id = await register(other)
    await pollUntil('the failure is noted', failingSince)
    await letMinutesPass()
    await waitFor(false)
    relay.odd = undefined
    await pollUntil('the phone is registered', async () => (await tokenOf(id)) === other.tokenId)
    await waitFor(true)
    await pollUntil('the failure is over', async () => (await failingSince()) === undefined)
    t.equal(await failingSince(), undefined)
  },
)

t.test('[RELAY3] a failure that an answer follows within minutes changes nothing for clients', async (t) => {
  const count = phone.received.length
  relay.odd = { status: 500 }
  await write('a restart')
  await pollUntil('the failure is noted', failingSince)
  relay.odd = undefined
  await sql`update pushes set due_at = now() where due_at is not null`
  await sql`select pg_notify('parley_pending', 'push')`
  await pollUntil('the push arrives', () => phone.received.length > count)
  await pollUntil('the answer is noted', async () => (await failingSince()) === undefined)
  t.ok(await isEnabled())
})
