/** Statement timeouts, and the answer to the client. */

import t from 'tap'
import { connect, STATEMENT_MS_MAX } from '../../db/connection/connect.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const server = await startTestServer(t)
const { databaseUrl } = server
const admin = connect(databaseUrl, 2, 'parley-test')
t.teardown(() => admin.end())

t.test('[STMT1] each kind of work has its own statement timeout', async (t) => {
  for (const [work, ms] of Object.entries(STATEMENT_MS_MAX)) {
    const sql = connect(databaseUrl, 1, 'parley-test', { work: work as keyof typeof STATEMENT_MS_MAX })
    const [row] = await sql`select setting::int as ms from pg_settings where name = 'statement_timeout'`
    t.equal(row?.ms, ms, work)
    await sql.end()
  }
  const { sql, pageSql } = server.node.services
  const timeoutOf = async (one: typeof sql) => (await one`show statement_timeout`)[0]?.statement_timeout
  t.equal(await timeoutOf(sql), '30s')
  t.equal(await timeoutOf(pageSql), '10s')
  t.equal(await server.node.services.searches.run(1, new AbortController().signal, timeoutOf), '3s')
})

t.test('[STMT2] a request whose statement takes too long is refused like in an overload', async (t) => {
  const owner = server.as('owner')
  const answer = await admin.begin(async (tx) => {
    await tx`lock table messages in access exclusive mode`
    const asked = owner.get('/messages', { anchor: 'newest', num_before: 1 })
    // The timeout cancels a statement in the same way, but later.
    await pollUntil('the statement is cancelled', async () => {
      const cut = await admin`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'parley-web' and wait_event_type = 'Lock'`
      return cut.length === 1
    })
    return asked
  })
  const overload = { status: 503, code: 'SERVICE_UNAVAILABLE' }
  expectRefusal(t, answer, 'The server is overloaded, try again shortly', overload)
  t.equal((await owner.get('/messages', { anchor: 'newest', num_before: 1 })).status, 200)
})
