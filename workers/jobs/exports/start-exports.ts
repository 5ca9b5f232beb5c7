/** Starts the making of exports: the database announces them at the commit. */

import { EXPORT_NOTICE } from '../../../db/organization/exports.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import { type ExportWork, makeExports } from './make-exports.ts'

/** Starts to make exports; after it resolves, no notice is missed. */
export async function startExports(context: JobContext, options: Omit<ExportWork, 'signal'>): Promise<void> {
  const ending = new AbortController()
  const work = { ...options, signal: ending.signal }
  await startAnnounced(
    context,
    {
      queue: 'exports',
      concurrency: 1,
      // A failed run is tried again by the next sweep.
      sweep: 'sweep-exports',
      sql: work.sql,
      notice: EXPORT_NOTICE,
      readNotice: () => ({ name: 'make-exports', options: REMOVED_WHEN_FINISHED }),
      async run() {
        await makeExports(work)
        return []
      },
    },
    work.clock,
  )
  context.closers.push(() => ending.abort(new Error('the worker ends')))
}
