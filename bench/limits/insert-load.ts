/**
 * The limit of sends: durable single-row inserts, each in its own transaction, over several connections that each wait
 * for the answer before the next insert.
 *
 * The table has the columns, the check and all indexes of `messages`, but no foreign keys, and its ids come from a
 * sequence: a plain insert needs no more.
 */

import { connect, type Sql } from '../../db/connection/connect.ts'
import { makeContent } from '../load/make-content.ts'
import { repeatSteadily } from '../load/repeat-steadily.ts'
import { serveCalls } from '../start/remote.ts'

let connections: Sql[] = []
let nextMark = 1

const calls = {
  async connect(target: { databaseUrl: string; connections: number }): Promise<void> {
    connections = Array.from({ length: target.connections }, () => connect(target.databaseUrl, 1, 'bench'))
    const [sql] = connections as [Sql]
    await sql.unsafe(`
      create table bench_messages (like messages including all);
      create sequence bench_message_ids;
      alter table bench_messages alter id set default nextval('bench_message_ids')`)
    await Promise.all(connections.map((one) => one`set synchronous_commit to on`))
  },

  /** Inserts without a pause; returns the count and the rate per second. */
  async insert({ ms }: { ms: number }): Promise<{ count: number; perSecond: number }> {
    const startMs = performance.now()
    const endMs = startMs + ms
    let count = 0
    await Promise.all(
      connections.map(async (sql) => {
        while (performance.now() < endMs) {
          await insertOne(sql)
          count++
        }
      }),
    )
    return { count, perSecond: (1000 * count) / (performance.now() - startMs) }
  },

  /** Inserts at a steady rate; returns the milliseconds from each due time to the answer. */
  async insertSteadily(wanted: { count: number; perSecond: number }): Promise<number[]> {
    return repeatSteadily(wanted, (number) => insertOne(connections[number % connections.length] as Sql))
  },

  /** The number of rows. */
  async count(): Promise<number> {
    const [row] = await (connections[0] as Sql)<{ count: number }[]>`select count(*) from bench_messages`
    return row?.count ?? 0
  },
}

async function insertOne(sql: Sql): Promise<void> {
  const mark = nextMark++
  const content = makeContent(mark)
  await sql`
    insert into bench_messages (channel_id, topic, sender_id, content, rendered, sent_at, client, is_for_all)
    values (${1 + (mark % 8)}, ${`topic ${mark % 50}`}, ${1 + (mark % 64)}, ${content}, ${`<p>${content}</p>`},
      ${1_700_000_000 + mark}, 'API', false)`
}

export type InsertLoad = typeof calls
serveCalls(calls)
