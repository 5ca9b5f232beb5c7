/** What users say of how they are: a short text, an emoji, or both. */

import type { Emoji } from './emoji.ts'

/** A status; where it says nothing there is none. */
export interface UserStatus {
  readonly text: string
  readonly emoji: Emoji | null
}

/** A status after a change; undefined where nothing is left of it. */
export function changeStatus(
  status: UserStatus | undefined,
  changes: Partial<UserStatus>,
): UserStatus | undefined {
  const { text = '', emoji = null } = { ...status, ...changes }
  return text === '' && emoji === null ? undefined : { text, emoji }
}
