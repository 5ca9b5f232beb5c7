/** Whether an import brought all messages, each once. */

import { connect } from '../../db/connection/connect.ts'

/** Throws if there are other messages than these. */
export async function checkImported(databaseUrl: string, messages: number): Promise<void> {
  const sql = connect(databaseUrl, 1, 'parley-bench')
  try {
    const [row] = await sql<{ messages: number; wrong: number }[]>`
      select count(*) as messages, count(*) filter (where rendered not like '<p>%') as wrong from messages`
    if (row?.messages !== messages || row.wrong > 0) throw new Error(`the table has ${JSON.stringify(row)}`)
  } finally {
    await sql.end()
  }
}
