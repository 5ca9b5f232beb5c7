/** The identity of a database, with the roles that operators use. */

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { openLogHistory } from '../../db/log/log-history.ts'
import { findQueue, storeQueue } from '../../db/log/queues.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import { createDatabase } from '../harness/databases/create-database.ts'

await t.test('[EPOCH4] a database role with minimal rights recognizes the database again', async (t) => {
  const url = await createDatabase(t, 'people')
  const admin = connect(url, 1, 'parley-test')
  const role = `plain_${new URL(url).pathname.slice(1)}`
  await admin.unsafe(`create role ${role} login`)
  await admin.unsafe(`grant select, update on event_counter to ${role}; grant select on event_log to ${role}`)
  const sql = connect(Object.assign(new URL(url), { username: role }).href, 1, 'parley-test')
  t.teardown(async () => {
    await sql.end()
    await admin.unsafe(`drop owned by ${role}; drop role ${role}`)
    await admin.end()
  })
  const homeOf = async () => (await admin<{ home: string }[]>`select home from event_counter`)[0]?.home ?? ''
  const history = await openLogHistory(sql)
  t.match(await homeOf(), /^\d+\/[0-9A-F]{8}\/\d+$/)
  for (const right of ['pg_control_system()', 'pg_walfile_name(pg_lsn)'])
    await admin.unsafe(`revoke execute on function ${right} from public`)
  const lesser = await openLogHistory(sql)
  const isAtHome = async () => (await lesser.read(sql, 0 as EventId)).isAtHome
  t.ok(await isAtHome(), 'without that right there is no difference')
  await admin`update event_counter set home = null`
  await openLogHistory(sql)
  t.match(await homeOf(), /^-\/-\/\d+$/)
  t.ok(await isAtHome())
  await admin`update event_counter set home = '1/2/3'`
  t.notOk(await isAtHome(), 'another identifier of the database counts')
  await t.rejects(history.read(sql, 0 as EventId), { code: '42501' }, 'the right is revoked')
})

await t.test(
  '[EPOCH5] of several processes that need a new epoch one creates it, and the others use it',
  async (t) => {
    const sql = connect(await createDatabase(t, 'people'), 1, 'parley-test')
    t.teardown(() => sql.end())
    const history = await openLogHistory(sql)
    const { epoch } = await history.read(sql, 0 as EventId)
    const renewed = await history.renew(sql, epoch)
    t.not(renewed, epoch)
    const queue = {
      id: randomUUID() as string as QueueId,
      userId: 1 as UserId,
      options: {},
      acknowledgedId: 0 as EventId,
      idleTimeoutSeconds: 600,
      seenAtMs: Date.now(),
    }
    await storeQueue(sql, queue, 10)
    t.equal(await history.renew(sql, epoch), renewed)
    t.equal((await history.read(sql, 0 as EventId)).epoch, renewed)
    t.ok(await findQueue(sql, queue.id), 'queues of the new epoch stay')
    await history.renew(sql, renewed)
    t.notOk(await findQueue(sql, queue.id), 'old ones are deleted')
  },
)
