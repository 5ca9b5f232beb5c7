import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { readUnread } from '../../db/unread/unread.ts'
import type { EventId, UserId } from '../../server/domain/ids.ts'
import { createDatabase } from '../harness/databases/create-database.ts'

const CHANNELS = 40
const MOVED = 100
/** So many that the planner uses an index for the few moved ones. */
const UNMOVED = 5_000
/** A subscriber of all channels. */
const READER = 4 as UserId

const sql = connect(await createDatabase(t, 'people'), 1, 'parley-test')
t.teardown(() => sql.end())

t.test('[UNREADPLAN1] moved messages are read once, however many channels their reader has', async (t) => {
  await sql`insert into channels (id, name, description, rendered_description, created_at, creator_id, is_private,
      is_history_public, permissions)
    select c, 'c' || c, '', '', 0, 1, false, true, '{}' from generate_series(1, ${CHANNELS}::int) c`
  const send = (from: number, count: number, placed: boolean) => sql`
    insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client, placed_id, passed)
    select ${from} + n, 1, 't', 1, 'x', 'x', 0, 'test', ${placed ? 5_000 : null}::bigint,
      ${placed ? sql`'[{"channelId": 2, "placedId": 100}]'::jsonb` : null}
    from generate_series(1, ${count}::int) n`
  await send(1_000, UNMOVED, false)
  await sql`analyze` // The planner's statistics have no moved message and few subscriptions.
  await sql`insert into subscription_spans (channel_id, user_id, from_id)
    select c, ${READER}::int, 1 from generate_series(1, ${CHANNELS}::int) c`
  await send(10_000, MOVED, true)
  const unread = await readUnread(sql, READER, 20_000 as EventId)
  t.equal(unread.length, UNMOVED + MOVED)
  const [before] = await countRead()
  await readUnread(sql, READER, 20_000 as EventId)
  const [after] = await countRead()
  t.ok(after.count - before.count <= MOVED, `${after.count - before.count} entries of the index were read`)
})

/** Entries read of the index of moved messages; a process counts its own on request. */
async function countRead() {
  await sql`select pg_stat_force_next_flush()`
  return sql<[{ count: number }]>`
    select idx_tup_read::int as count from pg_stat_user_indexes where indexrelname = 'messages_placed'`
}
