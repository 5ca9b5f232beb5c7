/** Starts the work for imports: the database announces it at the commit. */

import { IMPORT_NOTICE } from '../../../db/imports/organization-imports.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import { type ImportWork, makeImports } from './make-imports.ts'

/** Starts to check and to bring over archives; after it resolves, no notice is missed. */
export async function startImports(context: JobContext, options: Omit<ImportWork, 'signal'>): Promise<void> {
  const ending = new AbortController()
  const work = { ...options, signal: ending.signal }
  await startAnnounced(
    context,
    {
      queue: 'imports',
      concurrency: 1,
      // A failed run is tried again by the next sweep.
      sweep: 'sweep-imports',
      sql: work.sql,
      notice: IMPORT_NOTICE,
      readNotice: () => ({ name: 'make-imports', options: REMOVED_WHEN_FINISHED }),
      async run() {
        await makeImports(work)
        return []
      },
    },
    work.clock,
  )
  context.closers.push(() => ending.abort(new Error('the worker ends')))
}
