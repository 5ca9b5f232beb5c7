/** Sends the scheduled messages and reminders whose time has come. */

import { type DuePlace, readDue } from '../../../db/scheduled-messages.ts'
import { deliverPrepared, prepareDue } from '../../../server/changes/scheduled-messages/deliver-scheduled.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'

/** Messages in one transaction: more do not come faster, and all other writers wait for it. */
const BATCH_LENGTH = 500
/** Times that all is read anew because something had changed; then the next run goes on. */
const PASSES_MAX = 100

/** What was done. */
export interface SendResult {
  readonly sent: number
  readonly failed: number
}

/**
 * Sends everything that is due at that time. May run twice at once, anywhere, and may end at any point: what is
 * committed is sent, and nothing else is.
 */
export async function sendScheduled(sender: Sender, now: Date): Promise<SendResult> {
  const total = { sent: 0, failed: 0 }
  for (let passes = 0; passes < PASSES_MAX; passes++) {
    if (await sendOnce(sender, Math.floor(now.getTime() / 1_000), total)) break
  }
  return total
}

/** Goes through what is due once, the next batch being read and rendered while one is committed; false where some of it was stale. */
async function sendOnce(
  sender: Sender,
  nowSeconds: number,
  total: { sent: number; failed: number },
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
          total.sent += delivered.sent
          total.failed += delivered.failed
          await sender.tell()
        }
      })
      committing.catch(() => undefined) // It is awaited below, perhaps later than it fails.
      if (due.length < BATCH_LENGTH) break
      after = due.at(-1)
    }
  } finally {
    await committing
  }
  return isWhole
}
