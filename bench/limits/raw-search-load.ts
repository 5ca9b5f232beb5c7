/** The limit of searches: exact words by a GIN index, the rows from postgres.js, read by one client. */

import { connect, type Sql } from '../../db/connection/connect.ts'
import { serveCalls } from '../start/remote.ts'

let sql: Sql

const calls = {
  async connect({ databaseUrl }: { databaseUrl: string }): Promise<void> {
    sql = connect(databaseUrl, 1, 'bench')
  },

  /** Reads the newest messages with each word; returns the milliseconds of each. */
  async search({ words, count }: { words: readonly string[]; count: number }): Promise<number[]> {
    const latenciesMs: number[] = []
    for (const word of words) {
      const startMs = performance.now()
      const rows = await sql`
        select id, channel_id, conversation_id, topic, sender_id, content, rendered, sent_at, client
        from messages where to_tsvector('simple', content) @@ ${word}::tsquery order by id desc limit ${count}`
      latenciesMs.push(performance.now() - startMs)
      if (rows.length === 0) throw new Error(`nothing has the word ${word}`)
    }
    return latenciesMs
  },
}

export type RawSearchLoad = typeof calls
serveCalls(calls)
