/** Upkeep: what is removed, forgotten or indexed from time to time. */

import type { Sql } from '../../../db/connect.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import type { FileStore } from '../../../server/files/file-store.ts'
import { addEachPeriod, type JobContext, openJobQueue } from '../../queues/job-queue.ts'
import { cleanUp } from './clean-up.ts'
import { forgetPresence } from './forget-presence.ts'
import { indexMessages } from './index-messages.ts'
import { removeUnusedUploads } from './remove-unused-uploads.ts'

/** How often what is old is removed. */
const CLEAN_UP_PERIOD_MS = 60_000
/** How often new messages come into the search index: until then each search looks through them. */
const INDEX_PERIOD_MS = 10_000
/** How often those are forgotten who were there long ago: they are out of sight before. */
const FORGET_PERIOD_MS = 3_600_000

/** What upkeep works with. */
export interface UpkeepOptions {
  readonly sql: Sql
  readonly fileStore: FileStore
  /** By which it is asked for. */
  readonly clock: Clock
  /** Called with how much was done of what. */
  readonly onDone: (counts: Readonly<Record<string, unknown>>) => void
}

/** Starts the upkeep; the first is asked for when this resolves. */
export async function startUpkeep(
  context: JobContext,
  { sql, fileStore, clock, onDone }: UpkeepOptions,
): Promise<void> {
  const { presenceStore } = context.backend
  const queue = openJobQueue(context, 'upkeep')
  queue.work(async ({ name }) => {
    if (name === 'forget-presence')
      return presenceStore && forgetPresence(presenceStore, new Date(clock.nowMs()))
    if (name === 'index-messages') return indexMessages(sql)
    const removed = await cleanUp(sql, new Date(clock.nowMs()))
    const unused = await removeUnusedUploads(sql, fileStore, new Date(clock.nowMs()))
    onDone({ ...removed, unused })
    return removed
  })
  await addEachPeriod(queue, context, clock, { name: 'clean-up', periodMs: CLEAN_UP_PERIOD_MS })
  await addEachPeriod(queue, context, clock, { name: 'index-messages', periodMs: INDEX_PERIOD_MS })
  if (presenceStore)
    await addEachPeriod(queue, context, clock, { name: 'forget-presence', periodMs: FORGET_PERIOD_MS })
}
