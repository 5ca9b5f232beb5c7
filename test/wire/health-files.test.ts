/** Readiness and the metric of the object store, and the health of a worker. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect as connectTcp } from 'node:net'
import aws4 from 'aws4'
import t from 'tap'
import type { FileStore } from '../../server/files/file-store.ts'
import { StoreCheck } from '../../server/files/store-check.ts'
import { createLogger } from '../../server/logger.ts'
import { renderMetrics } from '../../server/measures/metric.ts'
import { serveMetrics } from '../../server/measures/serve-metrics.ts'
import { VERSION } from '../../server/measures/version.ts'
import { startWorker } from '../../workers/worker.ts'
import { startLoggedProcess } from '../cluster/start-logged-process.ts'
import { FOR_ADDRESSES } from '../harness/databases/certificates.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { findFreePort, listenLocally } from '../harness/servers/listen-locally.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { scrape } from '../harness/servers/scrape.ts'
import { startObjectStore } from '../harness/files/start-object-store.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const s3 = await startObjectStore(t)
const PERIOD_MS = 15_000

/** The answer of a probe. */
const saying = (status: string) => JSON.stringify({ status, version: VERSION })

/** A web process with an object store; its clock is the test's. */
async function start(context: TestContext, url: string) {
  const clock = new ManualClock()
  const { node } = await startTestServer(context, {
    clock,
    env: { FILES_URL: url, LOG_LEVEL: 'silent' },
  })
  const status = async () => {
    const response = await fetch(`${node.url}/health/ready`)
    await response.arrayBuffer()
    return response.status
  }
  const isUp = async () => (await scrape(node.url)).find('parley_files_up')
  return { node, clock, status, isUp }
}

t.test('[HLT41] a process is not ready while the object store refuses its settings', async (t) => {
  const secure = createSecureServer(FOR_ADDRESSES)
  const unknownAuthority = (await listenLocally(t, secure)).replace('http:', 'https:')
  const wrong = {
    'an absent bucket': s3.address('chat', { bucket: 'absent' }),
    'a wrong key': s3.address('chat', { key: 'ANOTHER' }),
    'an unknown authority': `s3://key:secret@files/chat?endpoint=${unknownAuthority}`,
    'an absent host': 's3://key:secret@files/chat?endpoint=http://store.invalid',
  }
  for (const [title, url] of Object.entries(wrong)) {
    const { node, status, isUp } = await start(t, url)
    await pollUntil(`${title} was tried`, async () => {
      return ((await scrape(node.url)).find('parley_file_failures_total') ?? 0) > 0
    })
    t.equal(await status(), 503, title)
    t.equal(await isUp(), 0, title)
    t.equal((await fetch(`${node.url}/health/live`)).status, 200, title)
  }
})

t.test(
  '[HLT42] a process becomes ready when the bucket is there, and stays ready while the store is away',
  async (t) => {
    const address = s3.address('chat', { bucket: 'later' })
    const { clock, status, isUp } = await start(t, address)
    t.equal(await status(), 503)
    const { endpoint } = Object.fromEntries(new URL(address).searchParams)
    const host = new URL(endpoint ?? '').host
    const { headers, path } = aws4.sign(
      { service: 's3', method: 'PUT', path: '/later', host, region: 'us-east-1' },
      { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    )
    const made = await fetch(`${endpoint}${path}`, {
      method: 'PUT',
      headers: headers as Record<string, string>,
    })
    t.equal(made.status, 200)
    await pollUntil('ready', async () => {
      clock.advance(PERIOD_MS)
      return (await status()) === 200
    })
    t.equal(await isUp(), 1)

    await s3.stop()
    await pollUntil('the outage shows', async () => {
      clock.advance(PERIOD_MS)
      return (await isUp()) === 0
    })
    t.equal(await status(), 200, 'everything but files works')
    await s3.start()
    await pollUntil('the return shows', async () => {
      clock.advance(PERIOD_MS)
      return (await isUp()) === 1
    })
  },
)

t.test('[HLT43] a store that is away or busy at the start keeps no process out of service', async (t) => {
  const busy = createServer((_, response) => response.writeHead(429).end())
  const endpoints = [`http://127.0.0.1:${await findFreePort()}`, await listenLocally(t, busy)]
  for (const endpoint of endpoints) {
    const { status, isUp } = await start(t, `s3://key:secret@files/chat?endpoint=${endpoint}`)
    await pollUntil('ready', async () => (await status()) === 200)
    t.equal(await isUp(), 0)
  }
})

t.test('[HLT46] a check that the store does not answer is the only one', (t) => {
  const clock = new ManualClock()
  let asked = 0
  const size = () => {
    asked++
    return new Promise<number>(() => {})
  }
  const silent = { size } as unknown as FileStore
  const check = new StoreCheck(silent, clock, { onFailure: () => undefined, onBack: () => undefined })
  clock.advance(3 * PERIOD_MS)
  t.equal(asked, 1)
  t.notOk(check.mayWork)
  check.stop()
  t.end()
})

t.test('[HLT44] a worker says on the port of its metrics whether it lives and can work', async (t) => {
  const env = { MAIL_IN_ADDRESS: 'parley+%s@chat.example.com', MAIL_IN_PORT: '0' }
  const server = await startTestServer(t, { env })
  const proxy = await openDatabaseProxy(t, server.databaseUrl)
  const config = { ...server.config, databaseUrl: proxy.url, redisUrl: undefined }
  const worker = await startWorker({ config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  const metrics = await serveMetrics({
    host: '127.0.0.1',
    port: 0,
    token: 'x'.repeat(16),
    render: async () => '',
    isReady: () => worker.isReady(),
  })
  t.teardown(() => metrics.close())
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${metrics.port}${path}`, { method })
    return [response.status, await response.text(), response.headers.get('cache-control')]
  }
  t.same(await ask('/health/live'), [200, saying('live'), 'no-store'])
  t.same(await ask('/health/ready'), [200, saying('ready'), 'no-store'])
  t.same(await ask('/health/ready', 'HEAD'), [200, '', 'no-store'])
  t.same((await ask('/health/ready', 'POST'))[0], 404)

  proxy.become('hanging')
  t.same(await ask('/health/ready'), [503, saying('not ready'), 'no-store'], 'a database that hangs')
  t.same((await ask('/health/live'))[0], 200)
  proxy.become('refusing')
  await pollUntil('a lost database shows', async () => (await ask('/health/ready'))[0] === 503)
  proxy.become('open')
  await pollUntil('its return shows', async () => (await ask('/health/ready'))[0] === 200)

  const door = () => renderMetrics(worker.metrics, () => undefined)
  const client = connectTcp(worker.mailInPort ?? 0, '127.0.0.1')
  client.on('error', () => undefined) // It is cut in the end.
  await once(client, 'data') // The greeting.
  t.match(await door(), /^parley_mail_in_up 1$/m)
  t.match(await door(), /^parley_mail_in_connections 1$/m)
  const closing = worker.close() // It waits for the client.
  t.same((await ask('/health/ready'))[0], 503, 'a door that is closed')
  t.match(await door(), /^parley_mail_in_up 0$/m)
  client.destroy()
  await closing
})

t.test('[HLT45] the worker process serves its health and the state of the store', async (t) => {
  const server = await startTestServer(t)
  const env = { DATABASE_URL: server.databaseUrl, METRICS_PORT: '0' }
  const statusOf = async (filesUrl: string) => {
    const worker = await startLoggedProcess(t, 'workers/main.ts', { ...env, FILES_URL: filesUrl })
    const url = `http://127.0.0.1:${Number(worker.ready['metricsPort'])}`
    return { worker, url, status: async () => (await fetch(`${url}/health/ready`)).status }
  }
  const right = await statusOf(s3.address('chat'))
  await pollUntil('ready', async () => (await right.status()) === 200)
  t.equal((await scrape(right.url)).find('parley_files_up'), 1)
  await right.worker.stop()
  const wrong = await statusOf(s3.address('chat', { bucket: 'absent' }))
  await pollUntil('the store was tried', () =>
    wrong.worker.lines.some(({ msg }) => msg === 'the object store of FILES_URL does not work'),
  )
  t.equal(await wrong.status(), 503)
  t.equal((await fetch(`${wrong.url}/health/live`)).status, 200)
  await wrong.worker.stop()
})
