/** Health, and the shutdown of a node. */

import { once } from 'node:events'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { VERSION } from '../../server/measures/version.ts'
import { startNode } from '../../server/node/node.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { adminDatabaseUrl } from '../harness/servers/environment.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { ACCOUNTS, emailOf, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection } from './send-raw.ts'

t.test(
  '[HLT1] a serving node is live and ready, and answers anyone with its version, without caching',
  async (t) => {
    const { node } = await startTestServer(t)
    for (const [path, status] of [
      ['/health/live', 'live'],
      ['/health/ready', 'ready'],
      ['/health', 'ready'],
    ]) {
      const response = await fetch(node.url + path)
      t.equal(response.status, 200)
      t.same(await response.json(), { status, version: VERSION })
      t.equal(response.headers.get('cache-control'), 'no-store')
    }
    const posted = await fetch(`${node.url}/health/live`, { method: 'POST', body: 'x=1' })
    t.equal(posted.status, 405)
    const head = await fetch(`${node.url}/health/live`, { method: 'HEAD' })
    t.equal(head.status, 200)
  },
)

t.test('[HLT2] a node without its database is live but not ready, until it returns', async (t) => {
  const clock = new ManualClock()
  const { node, databaseUrl } = await startTestServer(t, { clock, env: { LOG_LEVEL: 'silent' } })
  const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
  t.teardown(() => admin.end())
  const name = new URL(databaseUrl).pathname.slice(1)
  const statusAfter = async (ms: number) => {
    clock.advance(ms)
    const response = await fetch(`${node.url}/health/ready`)
    await response.arrayBuffer()
    return response.status
  }
  await admin.unsafe(`alter database ${name} with allow_connections false`)
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  try {
    await pollUntil('not ready', async () => (await statusAfter(5_000)) === 503)
    const response = await fetch(`${node.url}/health/ready`)
    t.same(await response.json(), { status: 'not ready', version: VERSION })
    t.equal((await fetch(`${node.url}/health`)).status, 503)
    t.equal((await fetch(`${node.url}/health/live`)).status, 200)
  } finally {
    await admin.unsafe(`alter database ${name} with allow_connections true`)
  }
  await pollUntil('ready again', async () => (await statusAfter(1_000)) === 200)
})

t.test(
  '[HLT3] a stopping node answers all waiting and running requests and accepts no new ones',
  async (t) => {
    const databaseUrl = await createDatabase(t, 'people')
    const config = { ...readConfig({ PORT: '0', LOG_LEVEL: 'error' }), databaseUrl }
    const node = await startNode({ config, logger: createLogger('error') })
    const { id, key } = ACCOUNTS.get('member') as { id: number; key: string }
    const member = new Client(node.url, id, emailOf('member'), key)
    await member.subscribe(['design'])
    const queue = await member.register()

    const poll = member.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId })
    // Nothing can be written while this holds the log.
    const other = connect(databaseUrl, 2, 'parley-test')
    const isHeld = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = other.begin(async (tx) => {
      await tx`lock table event_log in access exclusive mode`
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const send = member.post('/messages', { type: 'channel', to: '"design"', topic: 'x', content: 'held up' })
    await pollUntil('the send is under way', async () => {
      const [row] = await other<
        { count: number }[]
      >`select count(*)::int as count from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`
      return (row?.count ?? 0) > 0
    })

    const closing = node.close()
    const polled = await poll
    t.equal(polled.status, 200)
    t.same(polled.body.events, [])
    await pollUntil('no new connection is taken', () =>
      openConnection(node.port).then(
        (socket) => void socket.destroy(),
        () => true,
      ),
    )
    release.resolve()
    await holding
    const sent = await send
    t.equal(sent.status, 200)
    await closing
    const rows = await other<{ content: string }[]>`select content from messages where id = ${sent.body.id}`
    t.same([...rows], [{ content: 'held up' }])
    await other.end()
  },
)

t.test('[HLT4] a stopping node closes its connections', async (t) => {
  const databaseUrl = await createDatabase(t, 'people')
  const config = { ...readConfig({ PORT: '0', LOG_LEVEL: 'error' }), databaseUrl }
  const node = await startNode({ config, logger: createLogger('error') })
  const socket = await openConnection(node.port)
  const closed = once(socket, 'close')
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  await node.close()
  await closed
  t.ok(socket.destroyed)
})
