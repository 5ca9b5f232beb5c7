/** `/metrics`: its readers, its figures after real actions, and faults that it shows. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { CACHES } from '../../server/node/cache-bounds.ts'
import { readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { mayReadMetrics } from '../../server/measures/may-read-metrics.ts'
import { renderMetrics } from '../../server/measures/metric.ts'
import { startNode } from '../../server/node/node.ts'
import { doorMetrics, MailInFigures } from '../../workers/jobs/mail-in/mail-in-figures.ts'
import { PushFigures } from '../../workers/jobs/push/push-figures.ts'
import { PreviewFigures } from '../../workers/jobs/previews/preview-figures.ts'
import { WebhookFigures } from '../../workers/jobs/webhooks/webhook-figures.ts'
import { NotificationFigures } from '../../workers/jobs/notifications/notification-figures.ts'
import { JobFigures } from '../../workers/queues/job-figures.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openDatabaseProxy } from '../harness/databases/database-proxy.ts'
import { Scrape, scrape } from '../harness/servers/scrape.ts'
import { ACCOUNTS, emailOf, type Person, startTestServer } from '../harness/servers/start-server.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'

const ROOT = join(import.meta.dirname, '../..')
const TOKEN = 'a-token-of-the-tests'

const databaseUrl = await createDatabase(t, 'people')
const proxy = await openDatabaseProxy(t, databaseUrl)
const redis = await startRedis(t)
const node = await startNode({
  config: {
    ...readConfig({
      PORT: '0',
      DATA_DIR: await makeFolder(t),
      LOG_LEVEL: 'silent',
      DATABASE_CONNECTIONS: '4',
      METRICS_TOKEN: TOKEN,
      RATE_LIMIT_ADDRESS_PER_MINUTE: '5',
      REDIS_URL: redis.url,
    }),
    databaseUrl: proxy.url,
  },
  logger: createLogger('silent'),
})
t.teardown(() => node.close())
const { url } = node
const sql = connect(databaseUrl, 2, 'parley-test')
t.teardown(() => sql.end({ timeout: 1 }))
const as = (person: Person) => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(url, id, emailOf(person), key)
}
const member = as('member')
await member.subscribe(['calm'])

/** How much a value grew. */
function grown(before: Scrape, after: Scrape, name: string, labels?: Record<string, string>): number {
  return (after.find(name, labels) ?? 0) - (before.find(name, labels) ?? 0)
}

t.test('[MET1] the metrics count sends, deliveries, requests, files and tasks', async (t) => {
  const before = await scrape(url)
  const queue = await member.register({ event_types: ['message'] })
  const held = member.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId })
  await pollUntil('the poll waits', async () => {
    return (await scrape(url)).find('parley_clients_waiting', { by: 'poll' }) === 1
  })
  const id = await member.send('calm', 'topic', 'hello')
  t.equal((await held).body.events[0].message.id, id)
  await member.send('calm', 'topic', '```js\nconst heavy = 1\n```')
  await member.patch(`/messages/${id}`, { content: 'hello again' })
  await member.get(`/messages/${id}`)
  await member.get('/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: 'search', operand: 'hello' }],
  })
  const path = await mustPostFile(member, 'twelve bytes', 'file.txt')
  t.equal(
    await (await fetch(url + path, { headers: { authorization: member.authorization } })).text(),
    'twelve bytes',
  )
  await fetch(`${url}/no/such/path`)
  // A file counts when its last bytes are written, which may be after its client has them.
  const isCounted = (now: Scrape) =>
    grown(before, now, 'parley_requests_total', { operation: 'file', status: '2xx' }) === 1
  const after = await pollUntil('the file is counted', async () => {
    const now = await scrape(url)
    return isCounted(now) ? now : undefined
  })

  const by = (name: string, labels?: Record<string, string>) => grown(before, after, name, labels)
  t.equal(by('parley_changes_total', { kind: 'message' }), 2)
  t.equal(by('parley_requests_total', { operation: 'POST /messages', status: '2xx' }), 2)
  t.equal(by('parley_request_seconds', { operation: 'POST /messages' }), 2)
  t.equal(by('parley_requests_total', { operation: 'PATCH /messages/{message_id}', status: '2xx' }), 1)
  t.equal(by('parley_requests_total', { operation: 'unknown', status: '4xx' }), 1)
  t.ok(by('parley_commit_seconds') >= 3, 'each commit was timed')
  t.ok(by('parley_deliveries_total') >= 1, 'the poll was answered')
  t.ok(by('parley_fan_out_delay_seconds') >= 1, 'its delay was timed')
  t.ok(by('parley_log_position') >= 3)
  t.equal(by('parley_tasks_total', { task: 'render' }), 1)
  t.ok(by('parley_renders_in_place_total') >= 2)
  t.equal(by('parley_search_run_seconds'), 1)
  t.equal(by('parley_file_bytes_written_total'), 12)
  t.equal(by('parley_file_bytes_sent_total'), 12)
  t.equal(by('parley_file_sync_seconds'), 1)
  t.equal(by('parley_queues'), 1)
  t.equal(after.find('parley_log_lag_entries'), 0)
  t.equal(after.find('parley_database_up'), 1)
  t.equal(after.find('parley_redis_up'), 1)
  t.equal(after.find('parley_scheduled_overdue_seconds'), 0)
  t.ok((after.find('parley_heap_bytes', { kind: 'used' }) ?? 0) > 1e6)
  t.ok((after.find('process_open_fds') ?? 0) > 10)
  for (const [cache, bytesMax] of Object.entries(CACHES)) {
    const held = after.find('parley_cache_bytes', { cache }) ?? Number.NaN
    t.ok(held >= 0 && held <= bytesMax, `${cache} is within its bound`)
    t.equal(after.find('parley_cache_bytes_max', { cache }), bytesMax)
  }
  t.ok((after.find('parley_cache_bytes', { cache: 'timeline' }) ?? 0) > 0)
})

t.test('[MET2] labels hold no id, address, name or text of a request', async (t) => {
  const secret = 'label-from-a-request'
  await fetch(`${url}/${secret}`)
  await fetch(`${url}/api/v1/${secret}`, { method: secret.toUpperCase() })
  await fetch(`${url}/api/v1/users/${secret}@example.com`, {
    headers: { authorization: member.authorization, 'user-agent': secret, 'x-forwarded-for': secret },
  })
  await fetch(`${url}/user_uploads/${secret}`)
  await fetch(`${url}/api/v1/tus/${secret}`, { method: 'PATCH' })
  const { text } = await scrape(url)
  t.notMatch(text.toLowerCase(), secret)
  t.notMatch(text, '127.0.0.1')
  t.notMatch(text, '@')
})

/** A request with these headers, as it is answered; without the headers that differ each time. */
function ask(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, { headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { 'x-request-id': _, date: __, ...others } = response.headers
        resolve({ status: response.statusCode, headers: others, body: Buffer.concat(chunks).toString() })
      })
    })
    request.on('error', reject)
    request.end()
  })
}

t.test('[MET3] to everyone else the metrics are an unknown path', async (t) => {
  const strangers: Record<string, string>[] = [
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { host: 'chat.example.com' },
    { host: '127.0.0.1.example.com' },
    { host: 'x', authorization: `Bearer ${TOKEN}x` },
    { host: 'x', authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { host: 'x', authorization: 'Bearer' },
    { host: 'x', authorization: `Basic ${TOKEN}` },
    { host: 'x', authorization: member.authorization },
  ]
  for (const headers of strangers) {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      t.same(
        await ask('/metrics', headers, method),
        await ask('/metricz', headers, method),
        `${method} ${JSON.stringify(headers)}`,
      )
    }
  }
  const bearer = { host: 'chat.example.com', 'x-forwarded-for': '8.8.8.8', authorization: `bearer ${TOKEN}` }
  t.match(await ask('/metrics', bearer), { status: 200, body: /parley_changes_total/ })
  t.match(await ask('/metrics', {}), {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
  })
  t.match(await ask('/metrics', {}, 'POST'), { status: 405 })
})

t.test('[MET4] only a socket of this machine is local, whatever its headers say', async (t) => {
  const local = { peerAddress: '127.0.0.1', isForwarded: false, host: 'localhost:8080', authorization: '' }
  const read = (changes: Partial<typeof local>, token?: string) =>
    mayReadMetrics({ ...local, ...changes }, { token, isPublic: false })
  for (const peerAddress of [
    '127.0.0.1',
    '127.8.9.1',
    '::1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::ffff:127.0.0.1',
  ])
    t.ok(read({ peerAddress }), peerAddress)
  for (const peerAddress of ['10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', 'fe80::1', '', 'localhost'])
    t.notOk(read({ peerAddress }), peerAddress)
  for (const host of ['127.0.0.1', '[::1]:80', 'LOCALHOST']) t.ok(read({ host }), host)
  for (const host of ['', 'example.com', 'localhost.example.com', '10.0.0.1', 'localhost@example.com', 'a b'])
    t.notOk(read({ host }), host)
  t.notOk(read({ isForwarded: true }))
  t.notOk(read({ peerAddress: '10.0.0.1', authorization: 'Bearer undefined' }))
  t.ok(read({ peerAddress: '10.0.0.1', authorization: 'Bearer secret' }, 'secret'))
})

t.test('[MET20] behind a PUBLIC_URL of others only the token counts, from this machine, too', async (t) => {
  for (const [publicUrl, status] of [
    ['https://chat.example.com', 404],
    ['http://10.0.0.7:8080', 404],
    ['http://localhost:8080', 200],
    ['http://[::1]', 200],
  ] as const) {
    const env = { PUBLIC_URL: publicUrl, METRICS_TOKEN: TOKEN }
    const { node } = await startTestServer(t, { env })
    // A proxy without settings of its own sends no more than this for a stranger.
    t.equal((await fetch(`http://127.0.0.1:${node.port}/metrics`)).status, status, publicUrl)
    const authorization = `Bearer ${TOKEN}`
    t.equal((await fetch(`${node.url}/metrics`, { headers: { authorization } })).status, 200)
  }
})

t.test('[MET5] a refused request counts for its limit', async (t) => {
  const before = await scrape(url)
  const guess = `Basic ${Buffer.from(`${emailOf('owner')}:${'0'.repeat(32)}`).toString('base64')}`
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => fetch(`${url}/api/v1/users/me`, { headers: { authorization: guess } })),
  )
  const refused = answers.filter(({ status }) => status === 429).length
  t.ok(refused > 0)
  const after = await scrape(url)
  t.equal(grown(before, after, 'parley_refusals_total', { limit: 'address' }), refused)
})

t.test('[MET6] a full queue can be seen', async (t) => {
  const before = await scrape(url)
  const isHeld = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await tx`lock table search_index in access exclusive mode`
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  const searches = Array.from({ length: 12 }, (_, index) =>
    member.get('/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'search', operand: `word${index}` }],
    }),
  )
  const full = await pollUntil('the queue is full', async () => {
    const now = await scrape(url)
    return grown(before, now, 'parley_refusals_total', { limit: 'search_queue' }) === 3 ? now : undefined
  })
  t.equal(full.find('parley_searches', { state: 'waiting' }), 8)
  t.equal(full.find('parley_searches', { state: 'running' }), 1)
  t.ok((full.find('parley_database_connections_busy', { pool: 'searches' }) ?? 0) >= 1)
  release.resolve()
  await holding
  const refused = (await Promise.all(searches)).filter(({ status }) => status === 503)
  t.equal(refused.length, 3)
})

t.test('[MET7] a slow disk can be seen', async (t) => {
  const before = await scrape(url)
  const undo = await slowDisk(t, 300)
  await mustPostFile(member, 'slowly stored', 'slow.txt')
  undo()
  const after = await scrape(url)
  t.equal(grown(before, after, 'parley_file_sync_seconds'), 1)
  t.ok(after.sum('parley_file_sync_seconds') - before.sum('parley_file_sync_seconds') > 0.29)
  t.equal(
    after.above('parley_file_sync_seconds', '0.25') - before.above('parley_file_sync_seconds', '0.25'),
    1,
  )
})

/** Makes each sync of a file in this process take longer. */
async function slowDisk(t: Test, ms: number): Promise<() => void> {
  const file = await open(join(ROOT, 'package.json'))
  const shared = Object.getPrototypeOf(file) as { datasync(): Promise<void> }
  await file.close()
  const datasync = Reflect.get(shared, 'datasync')
  shared.datasync = async function () {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return datasync.call(this)
  }
  const undo = () => {
    shared.datasync = datasync
  }
  t.teardown(undo)
  return undo
}

t.test('[MET8] a lost Redis can be seen, and its return', async () => {
  await redis.kill()
  const up = async () => (await scrape(url)).find('parley_redis_up')
  await pollUntil('Redis is down', async () => (await up()) === 0)
  await redis.start()
  await pollUntil('Redis is up', async () => (await up()) === 1)
})

t.test('[MET9] a lost database can be seen while it is away, and its return', async (t) => {
  proxy.become('refusing')
  const away = await pollUntil('the database is down', async () => {
    const now = await scrape(url)
    return now.find('parley_database_up') === 0 ? now : undefined
  })
  t.equal(away.find('parley_scheduled_overdue_seconds'), undefined)
  t.ok(away.find('process_resident_memory_bytes'), 'other metrics are there')
  proxy.become('open')
  await pollUntil('the database is up', async () => (await scrape(url)).find('parley_database_up') === 1)
})

t.test('[MET10] a metric that fails or does not answer leaves the others readable', async (t) => {
  const errors: unknown[] = []
  const failure = new Error('unreadable')
  const text = await renderMetrics(
    [
      { name: 'one', type: 'gauge', help: 'Fails.', read: () => Promise.reject(failure) },
      { name: 'two', type: 'gauge', help: 'Hangs.', read: () => new Promise(() => {}) },
      { name: 'three', type: 'gauge', help: 'A \\ and\na line.', read: () => 3 },
      { name: 'four', type: 'gauge', help: 'Text.', read: () => [{ labels: { x: 'a"b\\c\nd' }, value: 4 }] },
    ],
    (error) => errors.push(error),
  )
  t.same(errors, [failure])
  const read = new Scrape(text)
  t.equal(read.find('one'), undefined)
  t.equal(read.find('two'), undefined)
  t.equal(read.find('three'), 3)
  t.match(text, 'four{x="a\\"b\\\\c\\nd"} 4')
})

/** All metrics of web processes and workers. */
const NAMES = [
  ...(await scrape(url)).families,
  ...new JobFigures().metrics,
  ...new NotificationFigures().metrics,
  ...new PushFigures().metrics,
  ...new WebhookFigures().metrics,
  ...new PreviewFigures().metrics,
  ...new MailInFigures().metrics(async () => 0),
  ...doorMetrics({ isOpen: () => true, connections: () => 0 }),
]
  .map(({ name }) => name)
  .sort()

t.test('[MET21] each process names its version, the one of package.json', async (t) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const labels = { version, node: process.versions.node }
  t.equal((await scrape(url)).find('parley_build_info', labels), 1)
})

t.test('[MET25] promtool finds nothing to object to in the metrics of a process', async (t) => {
  const input = await (await fetch(new URL('/metrics', url))).text()
  t.match(input, /^# TYPE parley_event_loop_delay_seconds summary$/m)
  const checked = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input })
  if (checked.error)
    return t.comment('promtool is not installed (apt-get install prometheus): metrics are not checked')
  t.equal(checked.status, 0, checked.stdout + checked.stderr)
})

t.test('[MET11] the document explains every metric and no other', async (t) => {
  const rows = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8').matchAll(/^\| (`[^|]+`) \|/gm)
  const listed = [...rows].flatMap(([, names]) => names?.match(/\b(?:parley|process)_[a-z_]+/g) ?? [])
  t.same(listed.sort(), NAMES)
})

t.test('[MET22] each alert asks for metrics that exist, and says what to do', async (t) => {
  const file = join(ROOT, 'deploy/alerts.yaml')
  const [, ...alerts] = readFileSync(file, 'utf8').split(/^ {6}- alert: /m)
  t.ok(alerts.length > 20)
  for (const text of alerts) {
    const [name = ''] = text.split('\n')
    const expression = /^ {8}expr: (['"])(.+)\1$/m.exec(text)?.[2] ?? ''
    const asked = expression.match(/\b(?:parley|process)_[a-z_]+/g) ?? []
    const unknown = asked.filter((one) => !NAMES.includes(one.replace(/_(?:bucket|sum|count)$/, '')))
    t.strictSame(unknown, [], `${name}: ${expression}`)
    t.ok(asked.length > 0 || expression.startsWith('up{'), name)
    t.match(text, /^ {10}summary: (['"]).+\1$/m)
    t.match(text, /^ {10}description: (['"]).+[.?]\1$/m, `${name} says what to do`)
  }
  const checked = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  if (checked.error)
    return t.comment('promtool is not installed (apt-get install prometheus): rules are not parsed')
  t.equal(checked.status, 0, checked.stdout + checked.stderr)
})

t.test('[MET12] the dashboard asks for metrics that exist, and leaves none out', async (t) => {
  const text = readFileSync(join(ROOT, 'deploy/grafana-dashboard.json'), 'utf8')
  const { panels } = JSON.parse(text) as { panels: { targets?: { expr: string }[] }[] }
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  t.ok(queries.length > 50)
  const asked = queries.flatMap((query) => {
    const names = query.match(/\b(?:parley|process)_[a-z_]+/g) ?? []
    t.ok(names.length > 0, query)
    return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
  })
  t.same([...new Set(asked)].sort(), NAMES)
})
