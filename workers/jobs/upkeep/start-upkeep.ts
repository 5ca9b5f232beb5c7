/** Upkeep: periodic removal and indexing. */

import type { Sql } from '../../../db/connection/connect.ts'
import { type Clock, nowSeconds } from '../../../server/domain/clock.ts'
import type { FileStore } from '../../../server/files/file-store.ts'
import { addEachPeriod, type JobContext, openJobQueue } from '../../queues/job-queue.ts'
import { cleanUp } from './clean-up.ts'
import { shedHistory } from './shed-history.ts'
import { findStrayFiles } from './find-stray-files.ts'
import { removeOldPresence } from './remove-old-presence.ts'
import { indexMessages } from './index-messages.ts'
import { removeUnusedUploads } from './remove-unused-uploads.ts'

/** Milliseconds between removals of expired data. */
const CLEAN_UP_PERIOD_MS = 60_000
/** Milliseconds between updates of the search index: until then each search scans new messages. */
const INDEX_PERIOD_MS = 10_000
/** Milliseconds between removals of old presences: they are hidden before. */
const FORGET_PERIOD_MS = 3_600_000
/** Milliseconds between passes over the spans and differences: they grow slowly. */
const SHED_PERIOD_MS = 24 * 3_600_000
/** Milliseconds between searches for stray files: each lists the whole object store. */
const STRAY_PERIOD_MS = 24 * 3_600_000

/** Dependencies of upkeep. */
export interface UpkeepOptions {
  readonly sql: Sql
  readonly fileStore: FileStore
  /** The organization of the database. */
  readonly organizationId: string
  /** The clock for its periods. */
  readonly clock: Clock
  /** Called with the counts of each job. */
  readonly onDone: (counts: Readonly<Record<string, unknown>>) => void
}

/** Starts upkeep; when it resolves, the first jobs are queued. */
export async function startUpkeep(
  context: JobContext,
  { sql, fileStore, organizationId, clock, onDone }: UpkeepOptions,
): Promise<void> {
  const { presenceStore } = context.backend
  const queue = openJobQueue(context, 'upkeep')
  queue.work(async ({ name }) => {
    if (name === 'forget-presence')
      return presenceStore && removeOldPresence(presenceStore, new Date(clock.nowMs()))
    if (name === 'index-messages') return indexMessages(sql)
    if (name === 'shed-history') return onDone({ ...(await shedHistory(sql, nowSeconds(clock))) })
    if (name === 'find-stray-files')
      return findStrayFiles(sql, fileStore, { organizationId, now: new Date(clock.nowMs()) })
    const removed = await cleanUp(sql, new Date(clock.nowMs()))
    const unused = await removeUnusedUploads(sql, fileStore, new Date(clock.nowMs()))
    onDone({ ...removed, unused })
    return removed
  })
  await addEachPeriod(queue, context, clock, { name: 'clean-up', periodMs: CLEAN_UP_PERIOD_MS })
  await addEachPeriod(queue, context, clock, { name: 'find-stray-files', periodMs: STRAY_PERIOD_MS })
  await addEachPeriod(queue, context, clock, { name: 'index-messages', periodMs: INDEX_PERIOD_MS })
  await addEachPeriod(queue, context, clock, { name: 'shed-history', periodMs: SHED_PERIOD_MS })
  if (presenceStore)
    await addEachPeriod(queue, context, clock, { name: 'forget-presence', periodMs: FORGET_PERIOD_MS })
}
