/** The release step: updates the database's schema, then exits. */

import { connect } from '../db/connection/connect.ts'
import { requireOwnSessions } from '../db/accounts/own-sessions.ts'
import { upgradeDatabase } from './admin/upgrade-database.ts'
import { exitWithReason, readSettings, requireDatabase } from './run-process.ts'

try {
  const config = requireDatabase(readSettings())
  const { databaseUrl } = config
  await requireOwnSessions(databaseUrl)
  const sql = connect(databaseUrl, 1, 'parley-release')
  const { applied, backup } = await upgradeDatabase(sql, databaseUrl, config)
  await sql.end()
  if (backup !== undefined) process.stdout.write(`backed up to ${backup}\n`)
  process.stdout.write(applied.length === 0 ? 'nothing to migrate\n' : `migrated: ${applied.join(', ')}\n`)
} catch (error) {
  exitWithReason(error)
}
