/** W9: the delay of the last of many scheduled messages. */

import { connect, type Sql } from '../../db/connection/connect.ts'
import { readLastEventId } from '../../db/log/event-log.ts'
import { SCHEDULED_NOTICE } from '../../db/messages/scheduled-messages.ts'
import { compareSizes } from '../measure/figure.ts'
import { interleave } from '../measure/interleave.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { startParley } from '../start/start-parley.ts'
import { startWorkerProcess } from '../start/start-worker.ts'
import { sized } from '../measure/sizes.ts'

const MESSAGES = sized(10_000, 300)
const PEOPLE = 100
const CHANNELS = Array.from({ length: 8 }, (_, index) => `channel ${index}`)
/** Milliseconds between scheduling and the due second: the table is analyzed, and no other work is left. */
const AHEAD_MS = sized(1_500, 500)
const POLL_MS = 5
const SENT_MS_MAX = 60_000

export const scheduledMessages: Work = {
  name: 'W9',
  title: `${MESSAGES} scheduled messages due at one second`,
  limit: 'one SQL statement that claims and inserts them',
  async run({ createDatabase, rounds }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const parley = await startParley(databaseUrl)
    const sql = connect(databaseUrl, 1, 'bench')
    let worker: Awaited<ReturnType<typeof startWorkerProcess>> | undefined
    try {
      await createChannels(parley.port, people, CHANNELS)
      await sql.unsafe(`
        create table bench_scheduled (like scheduled_messages including all);
        create table bench_messages (like messages including all);
        -- What LIKE leaves out, and the messages are checked against all the same.
        alter table bench_scheduled add foreign key (user_id) references users (id);
        create sequence bench_message_ids`)
      worker = await startWorkerProcess(databaseUrl)
      const found = await interleave(
        rounds,
        (round) => sendAll(sql, round),
        (round) => claimAndInsert(sql, round),
      )
      const checked = await checkSent(sql, (rounds + 1) * MESSAGES)
      return [compareSizes('last sent', found, { unit: 'ms', max: 2 }, { messagesChecked: checked })]
    } finally {
      await worker?.close()
      await sql.end()
      await parley.close()
    }
  },
}

/**
 * Inserts rows like `POST /scheduled_messages`, into a table like its own; their ids are negative, so that they match
 * no event.
 */
async function fill(sql: Sql, table: string, round: number, deliverAt: number): Promise<void> {
  await sql`
    insert into ${sql(table)} (id, user_id, channel_id, topic, content, rendered, deliver_at, is_read_by_sender, client, changed_id)
    select -id, 1 + id % ${PEOPLE}::int, 1 + id % ${CHANNELS.length}::int, 'topic ' || id % 50, 'scheduled ' || id || ' says hello',
      '<p>scheduled ' || id || ' says hello</p>', ${deliverAt}, true, 'bench', -id
    from generate_series(${(round + 1) * MESSAGES + 1}::bigint, ${(round + 2) * MESSAGES}::bigint) id`
  await sql`vacuum analyze ${sql(table)}` // As autovacuum would within a minute.
}

/** Milliseconds from the due second until all are sent. */
async function sendAll(sql: Sql, round: number): Promise<number> {
  const deliverAt = Math.ceil((Date.now() + AHEAD_MS) / 1_000)
  await fill(sql, 'scheduled_messages', round, deliverAt)
  const before = await readLastEventId(sql)
  await sql.notify(SCHEDULED_NOTICE, '')
  await new Promise((resolve) => setTimeout(resolve, deliverAt * 1_000 - Date.now()))
  while (Date.now() < deliverAt * 1_000 + SENT_MS_MAX) {
    // Reads one row: a search for pending rows would load the database more than the sends do.
    const tookMs = Date.now() - deliverAt * 1_000
    if ((await readLastEventId(sql)) >= before + 2 * MESSAGES) {
      const waiting = await sql`select from scheduled_messages where sent_id is null limit 1`
      if (waiting.count === 0) return tookMs
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error('the messages were not sent')
}

/** Milliseconds in which one statement claims as many rows and inserts their messages. */
async function claimAndInsert(sql: Sql, round: number): Promise<number> {
  await fill(sql, 'bench_scheduled', round, 0)
  const startMs = performance.now()
  const { count } = await sql`
    with due as (
      select id from bench_scheduled where sent_id is null and not has_failed and deliver_at <= 1
      order by deliver_at, id for update skip locked
    ), claimed as (
      update bench_scheduled s set sent_id = nextval('bench_message_ids') from due where s.id = due.id returning s.*
    )
    insert into bench_messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client, is_for_all)
    select sent_id, channel_id, topic, user_id, content, rendered, 1, client, false from claimed`
  if (count !== MESSAGES) throw new Error(`the limit claimed ${count} messages`)
  return performance.now() - startMs
}

/** Each message was sent once, not before its time, and in the transaction that removed it from the list. */
async function checkSent(sql: Sql, count: number): Promise<number> {
  const [row] = await sql<{ messages: number; matching: number; early: number; removals: number }[]>`
    select (select count(*) from messages where content like 'scheduled %') as messages,
      count(distinct m.id) as matching, count(*) filter (where m.sent_at < s.deliver_at) as early,
      count(distinct l.id) as removals
    from scheduled_messages s join messages m on m.content = s.content and m.rendered = s.rendered
      and m.topic = s.topic and m.sender_id = s.user_id and m.channel_id = s.channel_id
    join event_log l on l.id = s.sent_id and (l.event ->> 'scheduledId')::bigint = s.id`
  if (row?.messages !== count || row.matching !== count || row.removals !== count)
    throw new Error(`of ${count} messages ${row?.messages} were sent, ${row?.matching} of them as scheduled`)
  if (row.early > 0) throw new Error(`${row.early} messages were sent before their time`)
  return count
}
