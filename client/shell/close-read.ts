/** Closes notifications on this device whose messages were read or deleted anywhere, those of pushes, too. */

import type { State } from '../store/apply.ts'
import { allUnreadIds } from '../store/derived/unread-ids.ts'
import { type NotificationData, UNSENT } from '../worker/notification-data.ts'
import { ownNotifications } from './show-notification.ts'

export async function closeRead(state: State): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  const shown = (await registration?.getNotifications()) ?? []
  if (shown.length === 0 && ownNotifications.size === 0) return
  const unread = new Set(allUnreadIds(state))
  // A push may be here before the event of its message.
  const isRead = (id: number) => id <= (state.max_message_id ?? 0) && !unread.has(id)
  for (const one of shown) {
    const { messageIds = [], userId } = (one.data ?? {}) as Partial<NotificationData>
    // Of somebody else who was logged in before: their next page shows what waits for them.
    if (userId !== undefined && userId !== state.user_id) one.close()
    // An answer that did not leave is in the outbox, which this page sends and shows.
    else if (messageIds.length > 0 ? messageIds.every(isRead) : one.tag.startsWith(UNSENT)) one.close()
  }
  for (const [id, one] of ownNotifications) if (isRead(id)) one.close()
}
