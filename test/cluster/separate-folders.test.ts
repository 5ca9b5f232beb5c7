/** The warning of web processes whose uploads may lie in folders of their own. */

import { pino } from 'pino'
import t, { type Test } from 'tap'
import { connect, countConnections } from '../../db/connection/connect.ts'
import { readConfig } from '../../server/config.ts'
import { LOOK_CONNECTION } from '../../server/log/tail-log.ts'
import { startNode } from '../../server/node/node.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { pollUntil } from '../services/poll-until.ts'

const MINUTE_MS = 60_000

/** Two processes that start one after the other, and the warnings of both. */
async function startPair(t: Test) {
  const databaseUrl = await createDatabase(t, 'people')
  const env = {
    PORT: '0',
    DATABASE_CONNECTIONS: '4',
    DATA_DIR: await makeFolder(t),
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
  }
  const config = { ...readConfig(env), databaseUrl }
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const clock = new ManualClock()
  const earlier = await startNode({ config, logger, clock })
  const later = await startNode({ config, logger, clock })
  return {
    databaseUrl,
    earlier,
    later,
    clock,
    warnings: () => lines.filter((line) => line.includes('DATA_DIR')),
  }
}

t.test('[WARN1] a second web process warns of uploads in a folder, once it is there to stay', async (t) => {
  const { earlier, later, clock, warnings } = await startPair(t)
  clock.advance(MINUTE_MS - 1)
  t.same(warnings(), [])
  clock.advance(1)
  await pollUntil('a warning', () => {
    if (warnings().length > 0) return true
    clock.advance(MINUTE_MS)
    return false
  })
  clock.advance(10 * MINUTE_MS)
  await later.close()
  await earlier.close()
  t.equal(warnings().length, 1)
  t.match(warnings()[0], '2 web processes run: uploads need a DATA_DIR that all share, or FILES_URL')
})

t.test('[WARN2] a web process that replaces an earlier one does not warn', async (t) => {
  const { databaseUrl, earlier, later, clock, warnings } = await startPair(t)
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  await earlier.close()
  const count = () => countConnections(sql, LOOK_CONNECTION)
  await pollUntil('its connections are gone', async () => (await count()) === 1)
  clock.advance(MINUTE_MS)
  await pollUntil('it has looked for others', async () => {
    const looked = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name <> 'parley-test' and state = 'idle'
        and query like '%count(*)%from pg_stat_activity%'`
    return looked.count > 0
  })
  await later.close()
  t.same(warnings(), [])
})
