/** Checks that acknowledged messages are stored. */

import { connect } from '../../db/connection/connect.ts'
import type { SentMessages } from '../load/send-load.ts'

/** Every returned id is one message, and its row has the sent text. Returns their number; throws otherwise. */
export async function checkStored(databaseUrl: string, turns: readonly SentMessages[]): Promise<number> {
  const ids = turns.flatMap((turn) => turn.ids)
  const marks = turns.flatMap((turn) => turn.marks)
  if (new Set(ids).size !== ids.length) throw new Error('two sends were answered with the same id')
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    const [row] = await sql<{ count: number }[]>`
      select count(*) from unnest(${ids}::bigint[], ${marks}::int[]) as sent (id, mark)
      join messages m on m.id = sent.id and m.content like sent.mark || ' %' and m.rendered like '<p>' || sent.mark || ' %'`
    if (row?.count !== ids.length)
      throw new Error(`of ${ids.length} sends that were answered ${row?.count} are stored as sent`)
  } finally {
    await sql.end()
  }
  return ids.length
}
