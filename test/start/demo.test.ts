/** The demo organization, including interruptions. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { readLog } from '../../db/log/event-log.ts'
import { describeDemoAccount, makeDemo, readDemoAccounts } from '../../server/admin/demo.ts'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { createOrganization, deactivateUser, rotateApiKeys } from '../harness/worlds/account-changes.ts'
import { createApiKey, Passwords } from '../../server/changes/passwords.ts'
import type { EventId, UserId } from '../../server/domain/ids.ts'
import { applyEvent } from '../../server/events/apply-event.ts'
import { loadState } from '../../server/state/load-state.ts'
import { OrganizationState } from '../../server/state/organization-state.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'

const passwords = new Passwords({ N: 2 }) // START1 logs in with the real cost.

async function openDatabase(t: TestContext): Promise<{ sql: Sql; url: string }> {
  const url = await createDatabase(t)
  const sql = connect(url, 2, 'parley-test')
  t.teardown(() => sql.end())
  return { sql, url }
}

const count = async (sql: Sql, table: string) =>
  (await sql<{ count: number }[]>`select count(*) from ${sql(table)}`)[0]?.count

t.test('[DEMO1] its events agree with its rows, and it is created once', async (t) => {
  const { sql } = await openDatabase(t)
  const dataFolder = t.testdir()
  t.equal(await makeDemo(sql, dataFolder, passwords), true)
  const loaded = await loadState(sql)
  const replayed = new OrganizationState()
  for (const entry of await readLog(sql, 0 as EventId, 1_000)) applyEvent(replayed, entry)
  for (const part of ['appliedId', 'organization', 'users', 'apiKeyHashes'] as const) {
    t.strictSame(loaded[part], replayed[part], part)
  }
  const describe = ({ channels }: OrganizationState) =>
    [...channels.values()].map((one) => ({ ...one, subscribers: one.subscribers.toArray() }))
  t.strictSame(describe(loaded), describe(replayed))
  t.equal((await readDemoAccounts(sql, dataFolder))?.length, 7)

  t.equal(await makeDemo(sql, dataFolder, passwords), false)
  t.equal((await loadState(sql)).appliedId, loaded.appliedId)
})

t.test('[DEMO2] a demo that fails midway leaves nothing, and the next start creates it whole', async (t) => {
  const { sql } = await openDatabase(t)
  const dataFolder = t.testdir()
  // Passwords are written last: everything else exists by then, and must be removed.
  await sql`alter table users add constraint no_password check (password_hash is null)`
  await t.rejects(makeDemo(sql, dataFolder, passwords), /no_password/)
  for (const table of ['organization', 'users', 'channels', 'messages', 'conversations', 'event_log']) {
    t.equal(await count(sql, table), 0, table)
  }
  t.equal(
    await readDemoAccounts(sql, dataFolder),
    undefined,
    'accounts without their organization are not printed',
  )

  await sql`alter table users drop constraint no_password`
  t.equal(await makeDemo(sql, dataFolder, passwords), true)
  t.equal((await readDemoAccounts(sql, dataFolder))?.length, 7)
})

t.test('[DEMO3] a database that is not empty gets no demo', async (t) => {
  const { sql, url } = await openDatabase(t)
  const writer = await openLocalWriter(url)
  await writer.committer.submit(
    createOrganization({ name: 'Ours', description: '', renderedDescription: '', createdAt: 1 }),
  )
  await writer.close()
  const dataFolder = t.testdir()
  t.equal(await makeDemo(sql, dataFolder, passwords), false)
  t.equal(await count(sql, 'users'), 0)
  t.equal(await readDemoAccounts(sql, dataFolder), undefined)
})

t.test('[DEMO4] only credentials that are still valid are printed', async (t) => {
  const { sql, url } = await openDatabase(t)
  const dataFolder = t.testdir()
  await makeDemo(sql, dataFolder, passwords)
  const writer = await openLocalWriter(url)
  await writer.committer.submit(deactivateUser(6 as UserId))
  await writer.committer.submit(rotateApiKeys(1 as UserId, createApiKey()))
  await writer.close()
  const accounts = await readDemoAccounts(sql, dataFolder)
  t.equal(accounts?.length, 6)
  t.notOk(accounts?.some(({ email }) => email.startsWith('guest@')))
  const lines = accounts?.map(describeDemoAccount)
  t.match(lines?.[0], /^owner@example\.com +password \w{16} {2}API key \(changed\)$/)
  t.match(lines?.[1], /API key \w{32}$/)
  writeFileSync(join(dataFolder, 'demo-accounts.json'), 'edited by hand')
  t.equal(await readDemoAccounts(sql, dataFolder), undefined)
})
