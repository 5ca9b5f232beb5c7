/** Apps whose pushes come by a distributor of UnifiedPush: the same requests as for browsers, to servers that people host. */

import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import { startDistributor } from '../harness/providers/start-distributor.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

interface Opened {
  readonly notification?: { readonly body: string; readonly tag: string }
  readonly withdrawn?: readonly string[]
}

/** Characters of an address: as long as the specification allows, and one more. */
const ADDRESS_LENGTH_MAX = 1_000
const SUBSCRIPTIONS = '/users/me/web_push'

const distributor = await startDistributor(t)
const server = await startTestServer(t, { env: { OUTBOUND_ALLOWED: 'localhost' } })
const [member, owner] = [server.as('member'), server.as('owner')]
const { sql } = server.node.services
await member.must('PATCH', '/settings', { enable_offline_push_notifications: true })

const write = async (content: string) =>
  (await owner.must('POST', '/messages', { type: 'direct', to: [member.userId], content })).id
const subscriptions = async () => (await member.must('GET', SUBSCRIPTIONS)).subscriptions
const open = (text: string) => JSON.parse(text) as Opened

t.test('[UNIFIED1] an app gets messages and their withdrawal over TLS, until it is removed', async (t) => {
  startWorkerProcess(t, {
    ...distributor.env,
    DATABASE_URL: server.databaseUrl,
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: server.config.redisPrefix,
  })
  const long = '/up'.padEnd(ADDRESS_LENGTH_MAX - `https://localhost:${distributor.port}`.length, 'x')
  const app = distributor.register(long)
  const other = distributor.register('/upTr9s?up=1&of=a%20b')
  const tooLong = { ...app.fields, endpoint: `${app.fields.endpoint}x` }
  expectRefusal(t, await member.post(SUBSCRIPTIONS, tooLong), 'endpoint is too long (limit: 1000 characters)')
  await member.must('POST', SUBSCRIPTIONS, app.fields)
  await member.must('POST', SUBSCRIPTIONS, other.fields)

  const first = await write('first')
  await pollUntil('both have it', () => app.opened.length === 1 && other.opened.length === 1)
  const [shown] = app.opened.map(open)
  t.match(shown, { notification: { body: 'first' } })
  await pollUntil('the answers are noted', async () =>
    (await subscriptions()).every(({ last_answer }) => last_answer === '201'),
  )
  t.equal((await subscriptions())[0]?.service, 'localhost')

  app.isOn = false
  const last = await write('second')
  await pollUntil('the phone that is on has it', () => other.opened.length === 2)
  await member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [first, last] })
  await pollUntil('it is withdrawn there', () => other.opened.length === 3)
  t.match(open(other.opened[2] ?? ''), { withdrawn: [open(other.opened[1] ?? '').notification?.tag] })
  await pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)
  app.turnOn()
  t.same(
    app.opened.slice(1).map(open),
    [{ withdrawn: [shown?.notification?.tag], app_badge: 0 }],
    'the other one gets only the newest',
  )

  other.unregister()
  await write('third')
  await pollUntil('the app that is there has it', () => app.opened.length === 3)
  await pollUntil('the other one is dropped', async () => (await subscriptions()).length === 1)
})

t.test('[UNIFIED2] a distributor in the own network is asked only if the operator allows it', async (t) => {
  const dialled = distributor.connections()
  const app = distributor.register('/inside')
  for (const { id } of await subscriptions()) await member.must('DELETE', `${SUBSCRIPTIONS}/${id}`)
  await member.must('POST', SUBSCRIPTIONS, app.fields)
  const inside = `https://127.0.0.1:${distributor.port}/inside`
  for (const endpoint of [inside, 'https://10.0.0.5/up', 'https://[fd00::1]/up', 'http://push.example/up'])
    expectRefusal(t, await member.post(SUBSCRIPTIONS, { ...app.fields, endpoint }), 'Invalid `endpoint`')
  // Its name leads inside, which only its lookup shows.
  const config = { ...server.config, outbound: { networks: undefined, hosts: [] } }
  const worker = await startWorker({ config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  await write('for nobody')
  await pollUntil('it is given up', async () =>
    (await subscriptions()).every(({ last_answer }) => last_answer === 'address refused'),
  )
  t.equal(distributor.connections(), dialled, 'nothing was dialled')
  t.same(app.opened, [])
})
