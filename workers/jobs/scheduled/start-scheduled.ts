/** Starts the delivery of scheduled messages: BullMQ wakes the worker, and the database has the due items. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { REMOVED_WHEN_FINISHED, type JobContext, openJobQueue } from '../../queues/job-queue.ts'
import type { OpenSender } from '../share-sender.ts'
import { ScheduledAlarm } from './scheduled-alarm.ts'
import { type DeliveryRecord, sendScheduled } from './send-scheduled.ts'

/** The parts of deliveries. */
export interface ScheduledParts {
  readonly clock: Clock
  readonly openSender: OpenSender
  readonly onDelivery: (record: DeliveryRecord) => void
}

/** Starts deliveries; when it resolves, items that fell due without a worker are sent. */
export async function startScheduled(
  context: JobContext,
  sql: Sql,
  { clock, openSender, onDelivery }: ScheduledParts,
): Promise<void> {
  const { onError, closers } = context
  const queue = openJobQueue(context, 'scheduled-messages')
  const alarm = new ScheduledAlarm({
    sql,
    clock,
    send: async (now) => sendScheduled(await openSender(), now, onDelivery),
    setJob(atSeconds) {
      if (!queue.isConnected()) return
      const delay = Math.max(0, atSeconds * 1_000 - clock.nowMs())
      const job = { ...REMOVED_WHEN_FINISHED, jobId: `due-${atSeconds}`, delay }
      void queue.add('send-scheduled', { atSeconds }, job).catch(onError)
    },
    onError,
  })
  queue.work(({ data }) => alarm.ring((data as { atSeconds: number }).atSeconds))
  closers.push(() => alarm.stop())
  await alarm.start()
}
