/** Imports of owners, made by a worker when a test wants it. */

import { openFileStore } from '../../../server/files/open-file-store.ts'
import { GuardedFetch } from '../../../server/outbound/guarded-fetch.ts'
import { type ImportWork, makeImports } from '../../../workers/jobs/imports/make-imports.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import type { ManualClock } from '../../harness/servers/manual-clock.ts'
import type { TestServer } from '../../harness/servers/start-server.ts'
import { openTestSender } from '../../harness/worlds/open-test-sender.ts'
import { pollUntil } from '../../services/poll-until.ts'

/** Opens a worker's part of a test server; `make` checks or makes what waits, and resolves when the server has followed. */
export async function openImportWorker(t: TestContext, server: TestServer, clock: ManualClock) {
  const { sql, publicUrl, state } = server.node.services
  const sender = await openTestSender(t, server, clock)
  const fileStore = await openFileStore(server.config)
  const work: ImportWork = {
    sql,
    databaseUrl: server.databaseUrl,
    publicUrl,
    fileStore,
    fetch: new GuardedFetch(server.config.outbound),
    clock,
    openSender: async () => sender,
    signal: new AbortController().signal,
    onDone() {},
  }
  const make = async (given: Partial<ImportWork> = {}): Promise<void> => {
    await makeImports({ ...work, ...given })
    await pollUntil('the server follows', () => state.appliedId >= sender.services.state.appliedId)
  }
  return { sender, fileStore, make }
}
