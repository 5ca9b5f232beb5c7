/** The limit of page reads: the rows from postgres.js, read by one client and not processed. */

import { connect, type Sql } from '../../db/connection/connect.ts'
import { serveCalls } from '../start/remote.ts'

let sql: Sql

const calls = {
  async connect({ databaseUrl }: { databaseUrl: string }): Promise<void> {
    sql = connect(databaseUrl, 1, 'bench')
  },

  /** Reads pages of a channel, each the `count` messages before an id; returns the milliseconds of each. */
  async read(wanted: {
    channelId: number
    count: number
    pages: readonly { before: number; ids: readonly number[] }[]
  }): Promise<number[]> {
    const latenciesMs: number[] = []
    for (const { before, ids } of wanted.pages) {
      const startMs = performance.now()
      const rows = await sql<{ id: number }[]>`
        select id, channel_id, conversation_id, topic, sender_id, content, rendered, sent_at, client
        from messages where channel_id = ${wanted.channelId} and id < ${before}
        order by id desc limit ${wanted.count}`
      latenciesMs.push(performance.now() - startMs)
      const isRight = rows.length === ids.length && rows.every(({ id }, index) => id === ids.at(-1 - index))
      if (!isRight)
        throw new Error(`a page held ${rows.map(({ id }) => id).join()} rather than ${ids.join()}`)
    }
    return latenciesMs
  },
}

export type RawPageLoad = typeof calls
serveCalls(calls)
