/** Log lines and spans that follow one request through processes, and the metrics of a worker. */

import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { readConfig } from '../../server/config.ts'
import { readTraceParent } from '../../server/measures/tracer.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { listenLocally } from '../harness/servers/listen-locally.ts'
import { scrape } from '../harness/servers/scrape.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'
import { startPushRelay } from '../harness/providers/start-push-relay.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startLoggedProcess } from './start-logged-process.ts'

/** A span as the receiver gets it. */
interface ReceivedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[]
}

const spans: ReceivedSpan[] = []
const heads: IncomingHttpHeaders[] = []
const receiver = createServer((request, response) => {
  void buffer(request).then((body) => {
    heads.push(request.headers)
    const { resourceSpans } = JSON.parse(gunzipSync(body).toString())
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value
        .stringValue
      for (const scope of scopeSpans) for (const span of scope.spans) spans.push({ ...span, service })
    }
    response.end('{}')
  })
})
const receiverUrl = await listenLocally(t, receiver)

const databaseUrl = await createDatabase(t, 'people')
const redis = await startRedis(t)
const relay = await startPushRelay(t)
const env = {
  ...relay.env,
  DATABASE_URL: databaseUrl,
  REDIS_URL: redis.url,
  DATA_DIR: await makeFolder(t),
  LOG_LEVEL: 'debug',
  OTEL_EXPORTER_OTLP_ENDPOINT: receiverUrl,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20team',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
}
const [web, worker] = await Promise.all([
  startLoggedProcess(t, 'server/main.ts', { ...env, OTEL_SERVICE_NAME: 'the-web' }),
  startLoggedProcess(t, 'workers/main.ts', { ...env, OTEL_SERVICE_NAME: 'the-worker', METRICS_PORT: '0' }),
])
const as = (name: 'member' | 'owner') => {
  const { id, key } = ACCOUNTS.get(name) as { id: number; key: string }
  return new Client(web.ready['url'] as string, id, emailOf(name), key)
}
const [member, owner] = [as('member'), as('owner')]
await member.subscribe(['calm'])
await member.must('POST', '/users/me/android_gcm_reg_id', { token: 'token-of-a-phone' })

const TRACE = 'a'.repeat(32)
const PARENT = 'b'.repeat(16)
const traceparent = `00-${TRACE}-${PARENT}-01`

t.test('[FOLLOW1] an id of the client is in the answer and in the lines of all processes', async (t) => {
  const requestId = 'phone-42.test:1'
  const { headers } = await member.request(
    'POST',
    '/mobile_push/test_notification',
    {},
    { 'x-request-id': requestId, traceparent },
  )
  t.equal(headers.get('x-request-id'), requestId)
  const linesOf = ({ lines }: typeof web) => lines.filter((line) => line['requestId'] === requestId)
  const request = await pollUntil('the web process logs it', () => linesOf(web)[0])
  t.match(request, { msg: 'request', path: '/api/v1/mobile_push/test_notification', traceId: TRACE })
  const job = await pollUntil('the worker logs it', () => linesOf(worker)[0])
  t.match(job, { msg: 'job', queue: 'push', job: 'send-push-test', traceId: TRACE })
})

t.test('[FOLLOW2] a task of the pool is logged with the id of its request', async (t) => {
  const requestId = 'rendered-1'
  const content = '```js\nconst heavy = 1\n```'
  await member.request(
    'POST',
    '/messages',
    { type: 'channel', to: '"calm"', topic: 'topic', content },
    { 'x-request-id': requestId, traceparent: `00-${'c'.repeat(32)}-${PARENT}-01` },
  )
  const task = await pollUntil('it is logged', () =>
    web.lines.find(({ msg, requestId: of }) => msg === 'task' && of === requestId),
  )
  t.equal(task['task'], 'render')
})

t.test('[FOLLOW3] an id that could harm a line is replaced, and each request has its own', async (t) => {
  const ask = async (given?: string) => {
    const headers = given === undefined ? {} : { 'x-request-id': given }
    return (await member.request('GET', '/users/me', {}, headers)).headers.get('x-request-id')
  }
  const ids = new Set<string | null>()
  for (const wrong of [undefined, 'a b', 'ä', '"quoted"', '-first', 'x'.repeat(65), '{}']) {
    const answered = await ask(wrong)
    t.match(answered, /^[0-9a-z]+-[0-9a-z]+$/)
    t.not(answered, wrong)
    ids.add(answered)
  }
  t.equal(ids.size, 7)
  t.equal(await ask('x'.repeat(64)), 'x'.repeat(64))
})

t.test('[FOLLOW4] a delivery is logged with the id of the request that scheduled it', async (t) => {
  const deliveryOf = (requestId: string) =>
    pollUntil(`${requestId} is delivered`, () =>
      worker.lines.find(({ msg, requestId: of }) => msg === 'delivery' && of === requestId),
    )
  await member.subscribe(['brief'])
  const { streams } = await member.must('GET', '/streams')
  const channel = streams.find(({ name }: { name: string }) => name === 'brief')
  // A busy machine may take a second or two to accept it, and it must be in the future then.
  const soon = () => Math.floor(Date.now() / 1000) + 4
  const schedule = async (requestId: string, deliverAt: number) => {
    const params = { type: 'channel', to: channel?.stream_id, topic: 'topic', content: requestId }
    const timed = { ...params, scheduled_delivery_timestamp: deliverAt }
    const answer = await member.request('POST', '/scheduled_messages', timed, { 'x-request-id': requestId })
    return answer.body['scheduled_message_id'] as number
  }
  const setTime = async (scheduledId: number, requestId: string) => {
    const change = { scheduled_delivery_timestamp: soon() }
    await member.request('PATCH', `/scheduled_messages/${scheduledId}`, change, { 'x-request-id': requestId })
  }
  const later = await schedule('scheduled-1', soon() + 3600)
  const id = await schedule('scheduled-2', soon())
  const delivery = await deliveryOf('scheduled-2')
  t.match(delivery, { scheduled: 'message', scheduledId: id })
  // The worker may log it before the web process has the event.
  const { message } = await pollUntil('the web process has the message', async () => {
    const { status, body } = await member.get(`/messages/${String(delivery['messageId'])}`)
    return status === 200 ? body : undefined
  })
  t.match(message, { content: '<p>scheduled-2</p>' })
  await setTime(later, 'changed-1')
  t.match(await deliveryOf('changed-1'), { scheduled: 'message', scheduledId: later })

  const reminder = { message_id: delivery['messageId'], scheduled_delivery_timestamp: soon() }
  await member.request('POST', '/reminders', reminder, { 'x-request-id': 'reminder-1' })
  t.match(await deliveryOf('reminder-1'), { scheduled: 'reminder' })

  const unsent = await schedule('unsent-1', soon() + 3600)
  await owner.must('DELETE', `/streams/${channel.stream_id}`)
  await setTime(unsent, 'unsent-2')
  const failure = await deliveryOf('unsent-2')
  t.match(failure, { scheduled: 'message', scheduledId: unsent })
  t.notOk('messageId' in failure, 'it was not sent')
})

t.test('[TRACE1] spans show the parts of a send, within the trace of its client', async (t) => {
  const trace = 'd'.repeat(32)
  await member.request(
    'POST',
    '/messages',
    { type: 'channel', to: '"calm"', topic: 'topic', content: 'traced' },
    { traceparent: `00-${trace}-${PARENT}-01` },
  )
  const find = (name: string) => spans.find((span) => span.traceId === trace && span.name === name)
  const request = await pollUntil('the request arrives', () => find('POST /messages'))
  t.equal(request.parentSpanId, PARENT)
  t.equal(request.service, 'the-web')
  t.equal(request.kind, 2)
  const status = request.attributes.find((attribute) => attribute.key === 'http.response.status_code')
  t.same(status?.value, { intValue: '200' })
  for (const name of ['prepare', 'decide', 'commit', 'publish']) {
    const part = await pollUntil(`${name} arrives`, () => find(name))
    t.equal(part.parentSpanId, request.spanId, name)
    t.ok(BigInt(part.startTimeUnixNano) >= BigInt(request.startTimeUnixNano), `${name} starts within it`)
    t.ok(BigInt(part.endTimeUnixNano) >= BigInt(part.startTimeUnixNano), `${name} ends after its start`)
  }
  const { text } = { text: JSON.stringify(spans) }
  t.notMatch(text, 'traced', 'no text of a message')
  t.notMatch(text, emailOf('member'))
  t.equal(heads[0]?.['x-tenant'], 'a team')
})

t.test('[TRACE2] the job and the rendering of a request belong to its trace', async (t) => {
  const job = await pollUntil('the job arrives', () => spans.find(({ name }) => name === 'job push'))
  t.equal(job.service, 'the-worker')
  t.equal(job.kind, 5)
  const ofRequest = await pollUntil('the span of the request arrives', () =>
    spans.find(({ traceId, name }) => traceId === TRACE && name.startsWith('POST /mobile_push')),
  )
  const own = await pollUntil('the job of the test arrives', () =>
    spans.find(({ traceId, name }) => traceId === TRACE && name === 'job push'),
  )
  t.equal(own.parentSpanId, ofRequest.spanId)
  await pollUntil('the rendering arrives', () =>
    spans.find(({ traceId, name }) => traceId === 'c'.repeat(32) && name === 'render'),
  )
})

t.test('[TRACE3] a trace that its client does not sample is not exported', async (t) => {
  const trace = 'e'.repeat(32)
  await member.request('GET', '/users/me', {}, { traceparent: `00-${trace}-${PARENT}-00` })
  const last = 'f'.repeat(32)
  await member.request('GET', '/users/me', {}, { traceparent: `00-${last}-${PARENT}-01` })
  await pollUntil('the later one arrives', () => spans.find(({ traceId }) => traceId === last))
  t.equal(
    spans.find(({ traceId }) => traceId === trace),
    undefined,
  )
})

t.test('[TRACE4] a process sends its last spans before it ends', async (t) => {
  const trace = '1'.repeat(32)
  await member.request('GET', '/users/me', {}, { traceparent: `00-${trace}-${PARENT}-01` })
  await web.stop()
  t.ok(spans.find(({ traceId }) => traceId === trace))
})

t.test('[TRACE5] the standard variables decide, and wrong ones are named', async (t) => {
  const read = (more: Record<string, string>) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/', ...more }).traces
  t.equal(readConfig({}).traces, undefined)
  t.equal(read({})?.url, 'http://localhost:4318/v1/traces')
  t.equal(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/x' })?.url, 'http://other/x')
  t.equal(read({ OTEL_SDK_DISABLED: 'true' }), undefined)
  t.equal(read({ OTEL_TRACES_EXPORTER: 'none' }), undefined)
  t.same(read({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,host=b%2C' })?.resource, {
    'service.name': 'a',
    host: 'b,',
  })
  const samples = (sampler: string, argument: string, parent?: boolean) =>
    read({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument })?.sample(
      `${'0'.repeat(24)}80000000`,
      parent === undefined ? undefined : { traceId: '', spanId: '', isSampled: parent },
    )
  t.equal(samples('always_off', '', true), false)
  t.equal(samples('always_on', '', false), true)
  t.equal(samples('traceidratio', '0.4'), false)
  t.equal(samples('traceidratio', '0.6'), true)
  t.equal(samples('parentbased_traceidratio', '0.4', true), true)
  t.equal(samples('parentbased_always_on', '', false), false)
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ] as const) {
    t.throws(() => read({ [name]: value }), { message: new RegExp(`^${name} must be`) }, name)
  }
  for (const wrong of ['', '00-0-0-01', `00-${'0'.repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`])
    t.equal(readTraceParent(wrong), undefined, wrong)
})

t.test('[MET13] a worker serves its metrics on its own port, to the same readers', async (t) => {
  const url = `http://127.0.0.1:${String(worker.ready['metricsPort'])}`
  const read = await scrape(url)
  t.ok((read.find('parley_jobs_total', { queue: 'push', result: 'done' }) ?? 0) >= 1)
  t.ok((read.find('parley_job_late_seconds', { queue: 'push' }) ?? 0) >= 1)
  t.equal(read.find('parley_database_connections_max', { pool: 'jobs' }), 2)
  t.not(read.find('parley_jobs', { queue: 'push', state: 'waiting' }), undefined)
  const refused = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '127.0.0.1' } })
  const unknown = await fetch(`${url}/metricz`)
  t.same([refused.status, await refused.text()], [unknown.status, await unknown.text()])
  t.equal(refused.status, 404)
})
