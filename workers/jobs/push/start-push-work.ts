/** The queue of push work. */

import { PUSH_WORK_NOTICE } from '../../../db/personal/push-devices.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { type JobContext, RETAINED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import type { PushContext } from './push-context.ts'
import { type PushJob, readPushNotice, runPushWork } from './run-push-work.ts'

/** Concurrent jobs: each waits for the relay. */
const CONCURRENCY = 10

/** Starts push work; after it resolves, no notice is missed. */
export function startPushWork(context: JobContext, push: PushContext, clock: Clock): Promise<void> {
  return startAnnounced(
    context,
    {
      queue: 'push',
      concurrency: CONCURRENCY,
      sweep: 'sweep-push',
      sql: push.sql,
      notice: PUSH_WORK_NOTICE,
      readNotice(notice) {
        const found = readPushNotice(notice)
        if (!found) return undefined
        const { name, ...data } = found.job
        // The id makes the notice one job, though every worker gets it.
        return { name, data, options: { ...RETAINED, jobId: found.jobId } }
      },
      run: ({ name, data }) => runPushWork(push, { name, ...data } as PushJob),
    },
    clock,
  )
}
