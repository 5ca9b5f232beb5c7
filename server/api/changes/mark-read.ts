/** Reading however many messages, some at a time. */

import type { FlaggedMessage } from '../../../db/flagged-messages.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Services } from '../operation.ts'
import { changeFlags } from './change-flags.ts'

/** Messages of one transaction, which holds the log meanwhile. */
const BATCH_LENGTH_MAX = 5_000

/** Marks messages as read. */
export async function markRead(
  messages: readonly FlaggedMessage[],
  userId: UserId,
  services: Services,
): Promise<void> {
  for (let start = 0; start < messages.length; start += BATCH_LENGTH_MAX) {
    const some = messages.slice(start, start + BATCH_LENGTH_MAX)
    await changeFlags(some, { op: 'add', flag: 'read' }, userId, services)
  }
}
