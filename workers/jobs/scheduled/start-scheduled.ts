/** Starts the delivery of scheduled messages: BullMQ wakes the worker, and the database has the due items. */

import type { Sql } from '../../../db/connect.ts'
import {
  openSender,
  type Sender,
  type SenderOptions,
} from '../../../server/changes/scheduled-messages/open-sender.ts'
import { REMOVED_WHEN_FINISHED, type JobContext, openJobQueue } from '../../queues/job-queue.ts'
import { ScheduledAlarm } from './scheduled-alarm.ts'
import { sendScheduled } from './send-scheduled.ts'

/** Starts deliveries; when it resolves, items that fell due without a worker are sent. */
export async function startScheduled(
  context: JobContext,
  sql: Sql,
  options: Omit<SenderOptions, 'onError' | 'onLost'>,
): Promise<void> {
  const { onError, closers } = context
  const { clock } = options
  const queue = openJobQueue(context, 'scheduled-messages')
  let sender: Promise<Sender> | undefined
  closers.push(async () => (await sender)?.close())
  // Loads the organization for the first due item: most workers have none on most days.
  const open = () => {
    sender ??= openSender({ ...options, clock, onError, onLost })
    sender.catch(() => {
      sender = undefined // The next attempt may succeed.
    })
    return sender
  }
  /** Sends the next due items by the database's new state. */
  const onLost = () => {
    const lost = sender
    sender = undefined
    lost?.then((one) => one.close()).catch(onError)
  }
  const alarm = new ScheduledAlarm({
    sql,
    clock,
    send: async (now) => sendScheduled(await open(), now),
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
