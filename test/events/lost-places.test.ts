import t from 'tap'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

const DAY_MS = 24 * 3600 * 1_000

t.test('[LOGDAYS1] a queue whose place in the log is gone is unknown; one at its end goes on', async (t) => {
  // Time stands still: a look at the log would find that its times are others than before, as after a restore.
  const server = await startTestServer(t, { clock: new ManualClock() })
  const { sql } = server.node.services
  const owner = server.as('owner')
  const [behind, resumed] = [await owner.register(), await owner.register()]
  await Promise.all(Array.from({ length: 120 }, (_, n) => owner.sendDirect([1], `${n}`)))
  const current = await owner.register()
  // A process that starts now has no event in memory.
  const another = await server.startAnotherNode()
  const later = another.as('owner')
  await sql`update event_log set logged_at = logged_at - interval '9 days'`
  await sql`update event_queues set idle_timeout_seconds = 604800`
  t.ok((await cleanUp(sql, new Date())).events > 0)
  const ask = (queue: typeof behind, last_event_id: number) =>
    later.get('/events', { queue_id: queue.queueId, last_event_id, dont_block: true })
  const lost = { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID', queue_id: behind.queueId } }
  t.match(await ask(behind, behind.lastEventId), lost)
  t.match(await ask(resumed, resumed.lastEventId + 5), { ...lost, body: { queue_id: resumed.queueId } })
  t.match(await ask(behind, behind.lastEventId), lost, 'and stays so')
  t.match(await ask(current, current.lastEventId), { status: 200, body: { events: [] } })
  await cleanUp(sql, new Date(Date.now() + 30 * DAY_MS))
  const fresh = await later.register()
  const id = await later.sendDirect([1], 'on')
  t.match(await later.events(fresh), [{ type: 'message', message: { id } }])
})
