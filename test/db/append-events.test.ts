/** Checks at the commit, independent of the state that the decision used. */

import t from 'tap'
import { appendMessages } from '../../db/log/append-events.ts'
import { appendEvents } from '../../server/events/append-events.ts'
import { connect } from '../../db/connection/connect.ts'
import { readNewestOfChannel } from '../../db/messages/message-pages.ts'
import { migrate } from '../../db/migrate.ts'
import { readReminders, readScheduled } from '../../db/messages/scheduled-messages.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeEntry } from '../log/make-entry.ts'

const server = await startTestServer(t)
const { sql } = server.node.services
await server.as('owner').subscribe(['town'])
const MEMBER = 4 as UserId
const TOWN = 1 as ChannelId
const message = makeEntry(0, {}, { channelId: TOWN }).event as MessageSent
const nobody = { kind: 'nobody' } as const
const last = async () => (await sql<{ id: EventId }[]>`select last_id as id from event_counter`)[0]?.id ?? 0

await t.test('[APPEND1] an append decided on an older log is refused and writes nothing', async (t) => {
  const id = await last()
  const seenId = (id + 1) as EventId
  const stale = { kind: 'stale' }
  t.same(await appendMessages(sql, [message], { seenId }), stale)
  t.same(await appendEvents(sql, [{ event: message, audience: nobody }], { seenId }), stale)
  t.equal(await last(), id)
  t.match(await appendMessages(sql, [message], { seenId: id as EventId }), { kind: 'appended', baseId: id })
})

await t.test(
  '[APPEND2] a clock that is set back does not stamp a message earlier than the one before',
  async (t) => {
    await sql`update event_counter set stamped_at = stamped_at + 3600`
    const [counter] = await sql<{ at: number }[]>`select stamped_at as at from event_counter`
    t.match(await appendMessages(sql, [message], {}), { sentAt: counter?.at })
    t.match(await appendEvents(sql, [{ event: message, audience: nobody }], {}), { sentAt: counter?.at })
  },
)

await t.test('[APPEND3] a read as of an event has nothing that came later', async (t) => {
  const asOf = (await last()) as EventId
  await appendMessages(sql, [message], {})
  await sql`insert into scheduled_messages (id, user_id, user_ids, topic, content, rendered, deliver_at,
      is_read_by_sender, client, target_id, note, changed_id)
    select ${asOf} + 1 + n, ${MEMBER}, '{5}', '', 'x', '', 1, true, '', case when n = 1 then 1 end, '', 1
    from generate_series(0, 1) n`
  for (const [id, isThere] of [
    [asOf, false],
    [(asOf + 2) as EventId, true],
  ] as const) {
    t.equal((await readNewestOfChannel(sql, TOWN, id, 9)).at(-1)?.id === asOf + 1, isThere)
    t.equal((await readScheduled(sql, MEMBER, id)).length, isThere ? 1 : 0)
    t.equal((await readReminders(sql, MEMBER, id)).length, isThere ? 1 : 0)
  }
})

await t.test('[APPEND5] messages of one batch each get their own mentions, marks and openings', async (t) => {
  const marked = { ...message, queueId: 'queue' }
  const has = {
    mentions: { mentions: [[MEMBER, 1]] },
    mark: { localId: 'mark' },
    opening: { submessage: '{"widget_type":"poll"}' },
  } as const
  for (let bits = 0; bits < 8; bits++) {
    const parts = Object.entries(has).filter((_, bit) => (bits & (1 << bit)) !== 0)
    const full: MessageSent = Object.assign({ ...marked }, ...parts.map(([, part]) => part))
    if (full.localId !== null) Object.assign(full, { localId: `mark ${bits}` })
    const appended = await appendMessages(sql, [message, full, message], {})
    const baseId = appended.kind === 'appended' ? appended.baseId : 0
    const rows = await sql<{ id: number; kind: string }[]>`
      select message_id as id, 'mentions' as kind from mentions where message_id > ${baseId}
      union all select message_id, 'mark' from message_sends where message_id > ${baseId}
      union all select message_id, 'opening' from submessages where message_id > ${baseId} order by kind`
    const wanted = parts.map(([kind]) => ({ id: baseId + 2, kind }))
    t.same(
      rows,
      wanted.sort((a, b) => a.kind.localeCompare(b.kind)),
      parts.map(([kind]) => kind).join(' and '),
    )
    const [logged] = await sql<{ count: number }[]>`
      select count(*)::int from event_log l join messages m on m.id = l.id where l.id > ${baseId}`
    t.equal(logged?.count, 3)
  }
})

await t.test('[APPEND4] one of two processes that migrate the schema concurrently does it', async (t) => {
  const empty = connect(await createDatabase(t, 'empty'), 2, 'parley-test')
  t.teardown(() => empty.end())
  await empty`drop schema public cascade`
  await empty`create schema public`
  const applied = await Promise.all([migrate(empty), migrate(empty)])
  const counts = applied.map(({ length }) => length).sort((a, b) => a - b)
  t.equal(counts[0], 0)
  t.ok((counts[1] ?? 0) > 20)
})
