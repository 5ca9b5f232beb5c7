/** The flags of a message as an event has them. */

import type { FlagHolders } from '../../../db/unread/flag-holders.ts'
import type { EncodedFlagHolders } from '../../domain/events/messages.ts'
import { UserSet } from '../../domain/users/user-set.ts'

/** The users with each flag, as text. */
export function encodeHolders({
  unreadUserIds,
  starredUserIds,
  collapsedUserIds,
  historicalUserIds,
}: FlagHolders): EncodedFlagHolders {
  return {
    unread: UserSet.of(unreadUserIds).encode(),
    starred: UserSet.of(starredUserIds).encode(),
    collapsed: UserSet.of(collapsedUserIds).encode(),
    ...(historicalUserIds.length > 0 ? { historical: UserSet.of(historicalUserIds).encode() } : {}),
  }
}
