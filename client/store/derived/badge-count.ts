/** How many messages the title and the icon count, by the user's own settings. */

import type { State } from '../apply.ts'
import { unreadOf, visibilityOf } from './unread.ts'

/** The number in the title and on the icon. */
export function badgeCount(state: State): number {
  const { unread_msgs: unread, user_settings: settings } = state
  const counted = settings?.desktop_icon_count_display ?? 1
  if (counted === 1) return unreadOf(state).total
  if (counted === 4 || !unread) return 0
  const ids = new Set(unread.mentions)
  for (const { unread_message_ids } of [...unread.pms, ...unread.huddles])
    for (const id of unread_message_ids) ids.add(id)
  if (counted === 2) {
    for (const { stream_id, topic, unread_message_ids } of unread.streams) {
      if (visibilityOf(state, stream_id, topic) !== 'followed') continue
      for (const id of unread_message_ids) ids.add(id)
    }
  }
  return ids.size
}
