/** Marks all messages of a channel or a topic as read. */

import { readUnreadOfChannel } from '../../../db/unread/flagged-messages.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { changeFlags, type Flagging } from './change-flags.ts'

/** Marks the unread messages of the topic as read; without a topic, of the whole channel. */
export async function markChannelRead(
  services: Flagging,
  userId: UserId,
  channelId: ChannelId,
  topic?: string,
): Promise<void> {
  const { sql, state } = services
  const unread = await readUnreadOfChannel(sql, { userId, asOf: state.appliedId }, channelId, topic)
  await changeFlags(services, userId, { op: 'add', flag: 'read' }, unread)
}
