/** Whether connections to the database are sessions: poolers may give each transaction another one. */

import { connect } from '../connection/connect.ts'

/** Other processes may get the same session of a pooler between two questions, so they are asked more than once. */
const ROUNDS = 5

/** Each connection must be a session of its own, and is not. */
class SharedSessionError extends Error {
  override readonly name = 'SharedSessionError'
}

/**
 * Throws if a pooler shares sessions between connections: notifications, advisory locks and settings would go to
 * others, or to nobody. Two idle connections get the same session of such a pooler in turn, or one gets several.
 */
export async function requireOwnSessions(databaseUrl: string): Promise<void> {
  const [one, other] = [connect(databaseUrl, 1, 'parley-start'), connect(databaseUrl, 1, 'parley-start')]
  const sessionOf = async (sql: typeof one) => {
    // Without a name, which a pooler might not know.
    const [row] = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
    return row?.pid
  }
  try {
    const [first, second] = [await sessionOf(one), await sessionOf(other)]
    let areOwn = first !== second
    for (let round = 1; areOwn && round < ROUNDS; round++)
      areOwn = (await sessionOf(one)) === first && (await sessionOf(other)) === second
    if (areOwn) return
  } finally {
    await Promise.all([one, other].map((sql) => sql.end({ timeout: 5 })))
  }
  throw new SharedSessionError(
    'DATABASE_URL leads to a pooler that shares sessions between connections (PgBouncer: pool_mode=transaction or ' +
      'statement), where notifications, locks and time limits do not work: set pool_mode=session, or connect to PostgreSQL',
  )
}
