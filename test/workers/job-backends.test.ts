/** The storage of jobs in PostgreSQL. */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { openPostgresBackend } from '../../workers/queues/job-backends.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
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
