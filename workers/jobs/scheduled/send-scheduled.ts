/** Sends scheduled messages and reminders that are due. */

import { type DuePlace, readDue } from '../../../db/messages/scheduled-messages.ts'
import {
  type Delivered,
  deliverPrepared,
  prepareDue,
} from '../../../server/changes/scheduled-messages/deliver-scheduled.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import type { Due } from '../../../server/domain/messages/scheduled-messages.ts'

/** Messages in one transaction: larger batches are not faster, and all other writers wait for each. */
const BATCH_LENGTH = 500
/** Passes over all due items after stale batches; then the next run continues. */
const PASSES_MAX = 100

/** The result of a run. */
export interface SendResult {
  readonly sent: number
  readonly failed: number
}

/** A scheduled message or reminder that was sent or failed, for the log. */
export interface DeliveryRecord {
  readonly scheduled: Due['kind']
  readonly scheduledId: number
  /** The request that scheduled it. */
  readonly requestId?: string
  /** The message; a failed one has none. */
  readonly messageId?: number
}

/**
 * Sends everything that is due at that time. Concurrent runs are safe, in any process, and a run may stop at any point:
 * what is committed is sent, and nothing else.
 */
export async function sendScheduled(
  sender: Sender,
  now: Date,
  onDelivery: (record: DeliveryRecord) => void = () => {},
): Promise<SendResult> {
  const total = { sent: 0, failed: 0 }
  const count = ({ sent, failed }: Extract<Delivered, { kind: 'sent' }>) => {
    total.sent += sent.length
    total.failed += failed.length
    for (const { due, messageId } of sent) onDelivery({ ...recordOf(due), messageId })
    for (const due of failed) onDelivery(recordOf(due))
  }
  for (let passes = 0; passes < PASSES_MAX; passes++) {
    if (await sendOnce(sender, Math.floor(now.getTime() / 1_000), count)) break
  }
  return total
}

/**
 * Makes one pass over the due items, reading and rendering the next batch while one is committed; returns false if some
 * items were stale.
 */
async function sendOnce(
  sender: Sender,
  nowSeconds: number,
  count: (delivered: Extract<Delivered, { kind: 'sent' }>) => void,
): Promise<boolean> {
  const { services } = sender
  await sender.catchUp()
  let isWhole = true
  let committing: Promise<void> = Promise.resolve()
  let after: DuePlace | undefined
  try {
    for (;;) {
      const due = await readDue(services.sql, nowSeconds, BATCH_LENGTH, after)
      if (due.length === 0) break
      const prepared = await prepareDue(due, nowSeconds, services)
      await committing
      committing = deliverPrepared(prepared, services).then(async (delivered) => {
        if (delivered.kind === 'stale') isWhole = false
        else {
          count(delivered)
          await sender.tell()
        }
      })
      committing.catch(() => undefined) // It is awaited below, perhaps after it rejects.
      if (due.length < BATCH_LENGTH) break
      after = due.at(-1)
    }
  } finally {
    await committing
  }
  return isWhole
}

function recordOf({ kind, id, requestId }: Due): DeliveryRecord {
  return { scheduled: kind, scheduledId: id, ...(requestId === undefined ? {} : { requestId }) }
}
