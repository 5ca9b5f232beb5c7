/** The release step: updates the database's schema, then exits. */

import { connect } from '../db/connection/connect.ts'
import { requireOwnSessions } from '../db/accounts/own-sessions.ts'
import { migrate } from '../db/migrate.ts'
import { exitWithReason, readSettings, requireDatabase } from './run-process.ts'

try {
  const { databaseUrl } = requireDatabase(readSettings())
  await requireOwnSessions(databaseUrl)
  const sql = connect(databaseUrl, 1, 'parley-release')
  const applied = await migrate(sql)
  await sql.end()
  process.stdout.write(applied.length === 0 ? 'nothing to migrate\n' : `migrated: ${applied.join(', ')}\n`)
} catch (error) {
  exitWithReason(error)
}
