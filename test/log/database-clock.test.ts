/** The estimate of the database's time. */

import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { openDatabaseClock } from '../../server/log/database-clock.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { pollUntil } from '../services/poll-until.ts'

const HOUR_MS = 3_600_000
/** More than a precise comparison takes. */
const DELAY_MS = 20

t.test('[DBCLOCK1] a wrong estimate is corrected, however slowly the database answers', async (t) => {
  const sql = connect(await createDatabase(t), 1, 'parley-test')
  t.teardown(() => sql.end())
  let aheadMs = HOUR_MS
  const slow = async (...query: Parameters<typeof sql<{ ms: number }[]>>) => {
    await wait(DELAY_MS)
    const rows = await sql<{ ms: number }[]>(...query)
    return rows.map(({ ms }) => ({ ms: ms + aheadMs }))
  }
  const clock = await openDatabaseClock(slow as unknown as Sql, (error) => t.fail('no answer', { error }))
  t.teardown(() => clock.stop())
  const hoursAhead = () => Math.round((clock.nowMs() - Date.now()) / HOUR_MS)
  t.equal(hoursAhead(), 1)
  aheadMs = 0
  await pollUntil('the clock follows', () => hoursAhead() === 0)
})
