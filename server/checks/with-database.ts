/** The connection of a check. */

import { connect, type Sql } from '../../db/connection/connect.ts'

/** Does something on one connection, with the limits of a web process, and ends it. */
export async function withDatabase<Result>(
  url: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = connect(url, 1, 'parley-check', { work: 'requests' })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
