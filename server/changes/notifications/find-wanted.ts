/** Asks again, when a notification is due, if its reader still wants it: much may have happened since the message was sent. */

import { readMessagesById } from '../../../db/messages/message-pages.ts'
import { NO_FILTER } from '../../../db/messages/message-filter.ts'
import { filterUnread } from '../../../db/unread/filter-unread.ts'
import { readerOf } from '../../decisions/messages/message-access.ts'
import { stillNotifies } from '../../decisions/messages/find-notified.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { Message, User } from '../../domain/entities.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { AwayWay } from '../../domain/personal/pending-notifications.ts'
import type { Sending } from '../sending.ts'

/**
 * The messages of which a user still wants to be notified, ascending: they exist, the user may read them and has not, and
 * the present settings and mutes want it.
 */
export async function findWanted(
  { sql, state, clock }: Pick<Sending, 'sql' | 'state' | 'clock'>,
  user: User,
  way: AwayWay,
  ids: readonly MessageId[],
): Promise<readonly Message[]> {
  const reader = readerOf({ state, caller: user })
  const messages = (await readMessagesById(sql, { reader, filter: NO_FILTER }, ids)) ?? []
  if (messages.length === 0) return []
  const unread = await filterUnread(
    sql,
    messages.map((message) => ({ userId: user.id, messageId: message.id, message })),
  )
  const scope = { state, now: nowSeconds(clock) }
  return unread.flatMap(({ message }) => (stillNotifies(scope, message, user.id, way) ? [message] : []))
}
