/** PgBouncer between the server and its database; it is used where it is installed. */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { startLoggedProcess } from '../cluster/start-logged-process.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { runEntry } from './run-entry.ts'
import { hasPgbouncer, startPgbouncer } from './start-pgbouncer.ts'

const options = hasPgbouncer() ? {} : { skip: 'PgBouncer is not installed: apt-get install pgbouncer' }

t.test(
  '[START41] a pooler that shares sessions is refused by every process, with the reason',
  options,
  async (t) => {
    const databaseUrl = await createDatabase(t, 'people')
    for (const mode of ['transaction', 'statement']) {
      const url = await startPgbouncer(t, databaseUrl, { pool_mode: mode, min_pool_size: '3' })
      const entries = ['server/main.ts', 'workers/main.ts', 'server/release.ts', 'server/start.ts']
      const endings = [...entries, 'server/admin/main.ts'].map((entry) =>
        runEntry(t, entry, { DATABASE_URL: url, PORT: '0' }, entry.includes('admin') ? ['user', 'list'] : []),
      )
      for (const { code, stdout, stderr } of await Promise.all(endings)) {
        t.strictSame({ code, stdout }, { code: 1, stdout: '' })
        t.match(
          stderr,
          /^parley: DATABASE_URL leads to a pooler that shares sessions .*: set pool_mode=session, or/,
        )
      }
    }
  },
)

t.test('[START42] a pooler with a session for each connection serves web and worker', options, async (t) => {
  const databaseUrl = await createDatabase(t, 'people')
  const url = await startPgbouncer(t, databaseUrl, { pool_mode: 'session', default_pool_size: '60' })
  const prefix = new URL(databaseUrl).pathname.slice(1)
  const withRedis = { DATABASE_URL: url, REDIS_URL: redisUrl(), REDIS_PREFIX: prefix }
  const web = await startLoggedProcess(t, 'server/main.ts', withRedis)
  const worker = await startLoggedProcess(t, 'workers/main.ts', { DATABASE_URL: url })
  const of = (person: 'member' | 'member2') => {
    const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
    return new Client(String(web.ready.url), id, emailOf(person), key)
  }
  const reader = of('member2')
  const queue = await reader.register({ event_types: ['message'] })
  await of('member').sendDirect([reader.userId], 'through the pooler')
  await pollUntil('the message arrives', async () => (await reader.events(queue)).length > 0)

  const sql = connect(url, 2, 'parley-test', { work: 'searches' })
  const [limit] = await sql`select current_setting('statement_timeout') as value`
  t.equal(limit?.value, '3s', 'limits hold')
  const heard = new Promise(
    (resolve) => void sql.listen('parley_test', resolve, () => sql.notify('parley_test', 'x')),
  )
  t.equal(await heard, 'x', 'notifications arrive')
  await sql.end()
  for (const process of [web, worker]) {
    await process.stop()
    t.same(
      process.lines.filter(({ level }) => Number(level) > 40),
      [],
    )
  }
})
