/** Asks again, when notifications are due, which their readers still want: much may have happened since the messages were sent. */

import { readMessagesForAll } from '../../../db/messages/message-pages.ts'
import { filterUnread, type ReaderOfMessage } from '../../../db/unread/filter-unread.ts'
import { stillNotifies } from '../../decisions/messages/find-notified.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { AwayWay } from '../../domain/personal/pending-notifications.ts'
import type { Sending } from '../sending.ts'

/**
 * The notifications that are still wanted: their messages exist, their users may read them and have not, and the present
 * settings and mutes want it.
 */
export async function filterWanted<Notification extends ReaderOfMessage>(
  { sql, state, clock }: Pick<Sending, 'sql' | 'state' | 'clock'>,
  way: AwayWay,
  notifications: readonly Notification[],
): Promise<readonly Notification[]> {
  const known = notifications.filter(({ userId }) => state.users.has(userId))
  const unread = await filterUnread(sql, known)
  const messages = await readMessagesForAll(sql, [...new Set(unread.map(({ messageId }) => messageId))])
  const byId = new Map(messages.map((message) => [message.id, message]))
  const scope = { state, now: nowSeconds(clock) }
  return unread.filter(({ userId, messageId }) => {
    const message = byId.get(messageId)
    return message !== undefined && stillNotifies(scope, message, userId, way)
  })
}
