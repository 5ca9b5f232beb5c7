/** Log entries for tests without a database. */

import type { LogEntry } from '../../server/domain/events.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'

/** A message of user 1 in channel 1, as entry `id`. */
export function makeEntry(
  id: number,
  entry: Partial<LogEntry> = {},
  event: Partial<MessageSent> = {},
): LogEntry {
  return {
    id: id as EventId,
    event: {
      type: 'message',
      channelId: 1 as ChannelId,
      conversationId: null,
      userIds: null,
      topic: 'topic',
      senderId: 1 as UserId,
      content: `message ${id}`,
      rendered: `<p>message ${id}</p>`,
      sentAt: 1_700_000_000,
      client: 'test',
      readById: null,
      queueId: null,
      localId: null,
      ...event,
    },
    audience: { kind: 'subscribers', channelId: 1 as ChannelId },
    ...entry,
  }
}
