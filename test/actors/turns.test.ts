/** Requests of one user run one at a time. */

import t from 'tap'
import { Turns } from '../../server/actors/turns.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { connect } from '../../db/connection/connect.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const [ada, ben] = [1 as UserId, 2 as UserId]

await t.test('[TURN1] requests of one user run in order, one after another, even if one fails', async (t) => {
  const turns = new Turns<UserId>()
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = turns.take(ada, async () => {
    await gate.promise
    done.push('first')
    throw new Error('it failed')
  })
  const second = turns.take(ada, async () => {
    done.push('second')
    return 2
  })
  t.equal(await turns.take(ben, async () => 'at once'), 'at once', 'others do not wait')
  t.same(done, [])
  gate.resolve()
  await t.rejects(first, { message: 'it failed' })
  t.equal(await second, 2)
  t.same(done, ['first', 'second'])
  t.equal(turns.size, 0, 'nothing is left')
})

await t.test('[TURN2] polls of one user that read the database do not starve others', async (t) => {
  const server = await startTestServer(t) // Its pool has four connections.
  const other = connect(server.databaseUrl, 2, 'parley-test')
  t.teardown(() => other.end())
  const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = other.begin(async (tx) => {
    await tx`lock table event_queues in access exclusive mode`
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  const poll = (person: 'member' | 'owner', number: number) =>
    server
      .as(person)
      .get('/events', { queue_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` })
  const polls = Array.from({ length: 20 }, (_, number) => poll('member', number))
  const countWaiting = async () => {
    const [row] = await other<{ count: number }[]>`
      select count(*)::int as count from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`
    return row?.count ?? 0
  }
  await pollUntil('one of them waits', async () => (await countWaiting()) > 0)
  polls.push(poll('owner', 20))
  await pollUntil('another user waits, too', async () => (await countWaiting()) > 1)
  t.equal(await countWaiting(), 2)
  release.resolve()
  await holding
  for (const { body } of await Promise.all(polls)) t.equal(body.code, 'BAD_EVENT_QUEUE_ID')
})
