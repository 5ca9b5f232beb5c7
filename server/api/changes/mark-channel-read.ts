/** Reading all that is unread in a channel, or in one topic of it. */

import { readUnreadOfChannel } from '../../../db/flagged-messages.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import type { Services } from '../operation.ts'
import { changeFlags } from './change-flags.ts'

/** Messages of one transaction, which holds the log meanwhile. */
const BATCH_LENGTH_MAX = 5_000

/** Marks what is unread there now as read; without a topic, the whole channel. */
export async function markChannelRead(
  channelId: ChannelId,
  topic: string | undefined,
  userId: UserId,
  services: Services,
): Promise<void> {
  const { sql, state } = services
  const unread = await readUnreadOfChannel(sql, userId, state.appliedId, channelId, topic)
  for (let start = 0; start < unread.length; start += BATCH_LENGTH_MAX) {
    const some = unread.slice(start, start + BATCH_LENGTH_MAX)
    await changeFlags(some, { op: 'add', flag: 'read' }, userId, services)
  }
}
