/** User statuses: a short text, an emoji, or both. */

import type { Emoji } from '../text/emoji.ts'

/** A status; an empty status is stored as none. */
export interface UserStatus {
  readonly text: string
  readonly emoji: Emoji | null
}

/** A status after a change; undefined if it is empty. */
export function changeStatus(
  status: UserStatus | undefined,
  changes: Partial<UserStatus>,
): UserStatus | undefined {
  const { text = '', emoji = null } = { ...status, ...changes }
  return text === '' && emoji === null ? undefined : { text, emoji }
}
