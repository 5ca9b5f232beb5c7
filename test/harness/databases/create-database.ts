/** A separate database for each test, cloned from a migrated template and dropped after a check for leaks. */

import { randomUUID } from 'node:crypto'
import { connect } from '../../../db/connection/connect.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { adminDatabaseUrl, databaseUrl, TEMPLATES } from '../servers/environment.ts'

/** The part of a tap test that the harness uses. */
export interface TestContext {
  teardown(task: () => unknown): void
}

/**
 * The URL of a fresh database, on request with the default people. Teardown fails if something is still
 * connected.
 */
export async function createDatabase(
  t: TestContext,
  template: keyof typeof TEMPLATES = 'empty',
): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
  // Copying files takes half the processor time of logging their pages.
  await admin.unsafe(`create database ${name} template ${TEMPLATES[template]} strategy file_copy`)
  t.teardown(async () => {
    const connected = () => admin<{ name: string }[]>`
      select application_name as name from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`
    let left: { name: string }[] = []
    await pollUntil('all connections closed', async () => {
      left = await connected()
      return left.length === 0
    }).catch(() => {
      throw new Error(`connections were left open: ${left.map((one) => one.name).join(', ')}`)
    })
    await admin.unsafe(`drop database ${name}`)
    await admin.end()
  })
  return databaseUrl(name)
}
