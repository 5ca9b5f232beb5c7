/** The storages of jobs. */

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { FAILURE_MS, openPostgresBackend, openRedisBackend } from '../../workers/queues/job-backends.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { adminDatabaseUrl, redisUrl } from '../harness/servers/environment.ts'
import { pollUntil } from '../services/poll-until.ts'

/** More than the listeners from which on Node warns of a leak. */
const QUEUE_COUNT = 12

t.test('[JOB62] without Redis, a lost idle connection is reported once for all queues', async (t) => {
  const databaseUrl = await createDatabase(t, 'people')
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  const warnings: string[] = []
  const warn = ({ message }: Error) => void warnings.push(message)
  process.on('warning', warn)
  t.teardown(() => process.off('warning', warn))
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const closers: (() => unknown)[] = []
  const backend = await openPostgresBackend(databaseUrl, onError, closers)
  const queues = Array.from({ length: QUEUE_COUNT }, (_, index) => backend.createQueue(`queue-${index}`))
  for (const queue of queues) queue.on('error', onError)
  await Promise.all(queues.map((queue) => queue.add('job', {})))

  const ofJobs = sql`datname = current_database() and application_name = 'parley-jobs'`
  await pollUntil('all connections are idle', async () => {
    const busy = await sql`select from pg_stat_activity where ${ofJobs} and state <> 'idle'`
    return busy.length === 0
  })
  const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${ofJobs}`
  t.ok(ended.length > 0)
  await pollUntil('all are reported', () => errors.length >= ended.length)
  for (const queue of queues) await queue.close()
  for (const close of closers) await close()
  t.equal(errors.length, ended.length)
  t.same(warnings, [], 'Node does not warn of too many listeners')
})

t.test(
  '[JOB63] without Redis, a worker whose database refuses connections asks again after a pause',
  async (t) => {
    const databaseUrl = await createDatabase(t, 'people')
    const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
    const closers: (() => unknown)[] = [() => admin.end()]
    // Also after a failure: a worker that goes on would keep the process alive.
    t.teardown(async () => {
      for (const close of closers.reverse()) await close()
    })
    const backend = await openPostgresBackend(databaseUrl, () => undefined, closers)
    const queue = backend.createQueue('queue')
    const taken: unknown[] = []
    const first = Promise.withResolvers<void>()
    const run = async ({ data }: { readonly data: unknown }) => {
      taken.push(data)
      if (data === 'first') await first.promise
    }
    const worker = backend.createWorker('queue', run, 1)
    closers.push(
      () => queue.close(),
      () => worker.close(),
    )
    let failures = 0
    worker.on('error', () => void failures++)
    await queue.add('job', 'first')
    await pollUntil('the worker runs', () => taken.length === 1)
    const name = new URL(databaseUrl).pathname.slice(1)
    const allow = (isAllowed: boolean) =>
      admin.unsafe(`alter database ${name} allow_connections ${isAllowed}`)
    await allow(false)
    closers.push(() => allow(true))
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    // A worker that waits for a job pauses by itself: one that has just finished one asks for the next at once.
    first.resolve()
    await pollUntil('the worker notices', () => failures > 0)
    const before = failures
    // Due before the timer of any attempt that fails from now on, however busy the machine is.
    await setTimeout(FAILURE_MS / 2)
    t.ok(failures - before < 10, `${failures - before} more failures within half of the pause`)
    await allow(true)
    await queue.add('job', 'second')
    await pollUntil('the worker goes on', () => taken.includes('second'))
  },
)

t.test(
  '[JOB65] a worker closes although it is about to connect to Redis again, and leaves nothing open',
  async (t) => {
    const accepted: Socket[] = []
    let isRefusing = false
    const proxy = createServer((client) => {
      client.on('error', () => {})
      if (isRefusing) return client.destroy()
      accepted.push(client)
      const upstream = createConnection(redisUrl())
      upstream.on('error', () => {})
      client.on('close', () => upstream.destroy())
      client.pipe(upstream).pipe(client)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const closers: (() => unknown)[] = []
    const reports = { onError: () => undefined }
    const backend = await openRedisBackend(`redis://127.0.0.1:${port}`, 'job65', reports, closers)
    const worker = backend.createWorker('queue', () => Promise.resolve(), 1)
    worker.on('error', () => undefined)
    await worker.waitUntilReady()
    const client = await worker.backend.blockingClient
    if (!client) throw new Error('the worker has no connection to wait on')
    const [, ...ofWorker] = accepted
    t.ok(ofWorker.length > 0, 'the worker waits on a connection of its own')
    isRefusing = true
    for (const socket of ofWorker) socket.destroy()
    await pollUntil('it tries to connect again', () => client.status === 'reconnecting')
    t.ok(backend.isConnected(), 'the other connection is still there')
    await worker.close()
    for (const close of closers) await close()
    t.equal(client.status, 'end')
    proxy.close()
    // A connection that still tries again would be found open at the end of this file.
  },
)
