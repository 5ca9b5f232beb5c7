/** The admin command line on the embedded database of a data folder. */

import { join } from 'node:path'
import t from 'tap'
import { launchPostgres } from '../../server/services/launch-postgres.ts'
import { findProcesses } from '../services/find-processes.ts'
import { pollUntil } from '../services/poll-until.ts'
import { runEntry } from '../start/run-entry.ts'

t.test('[CLI10] the command starts the embedded database for its run, or uses a running one', async (t) => {
  const dataFolder = t.testdir()
  const admin = (...args: string[]) => runEntry(t, 'server/admin/main.ts', { DATA_DIR: dataFolder }, args)
  t.match(await admin('organization', 'create', '--name', 'Ours'), { code: 0, stderr: '' })
  await pollUntil('nothing is left running', () => findProcesses(dataFolder).length === 0)

  const postgres = await launchPostgres({ dataFolder })
  t.teardown(() => postgres.close())
  const create = ['user', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--role', 'owner']
  t.match(await admin(...create), { code: 0, stderr: '' })
  await postgres.close()

  const { stdout } = await admin('user', 'list')
  t.match(JSON.parse(stdout), [{ user_id: 1, email: 'ann@example.com' }])
  await pollUntil('nothing is left running', () => findProcesses(dataFolder).length === 0)

  await t.test('[BACKUP16] an embedded database is backed up, and restored into a new folder', async (t) => {
    const path = join(dataFolder, 'backup.tar.zst')
    // A slow machine shows the progress.
    t.match(await admin('backup', path), { code: 0, stderr: /^(backup: .*\n)*$/ })
    const elsewhere = { DATA_DIR: join(t.testdir(), 'new') }
    const restored = await runEntry(t, 'server/admin/main.ts', elsewhere, ['restore', path])
    t.match(restored, { code: 0, stderr: /^(restore: .*\n)*$/ })
    const users = await runEntry(t, 'server/admin/main.ts', elsewhere, ['user', 'list'])
    t.match(JSON.parse(users.stdout), [{ user_id: 1, email: 'ann@example.com' }])
  })
})
