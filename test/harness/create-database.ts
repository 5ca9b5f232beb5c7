/** A database of its own for each test, cloned from a migrated template, dropped after with a check for leaks. */

import { randomUUID } from 'node:crypto'
import { connect } from '../../db/connect.ts'
import { pollUntil } from '../services/poll-until.ts'
import { adminDatabaseUrl, databaseUrl, TEMPLATES } from './environment.ts'

/** As much of a tap test as the harness uses. */
export interface TestContext {
  teardown(task: () => unknown): void
}

/** The URL of a fresh database, with every test's people where asked for. Teardown fails where something is still connected to it. */
export async function createDatabase(
  t: TestContext,
  template: keyof typeof TEMPLATES = 'empty',
): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
  await admin.unsafe(`create database ${name} template ${TEMPLATES[template]}`)
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
