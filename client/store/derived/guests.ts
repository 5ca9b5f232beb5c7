/** Guests: their names are marked, and people who write to them are warned, where the organization wants it. */

import type { State } from '../apply.ts'
import { usersById } from './users.ts'

/** Whether the name of a user has the mark of a guest. */
export function isMarkedGuest(state: State, userId: number): boolean {
  return state.realm_enable_guest_user_indicator !== false && isGuest(state, userId)
}

/** The guests among the people of a conversation whom a member should know of before writing. */
export function warnedGuests(state: State, userIds: readonly number[]): readonly number[] {
  if (state.realm_enable_guest_user_dm_warning !== true || state.is_guest === true) return []
  return userIds.filter((id) => id !== state.user_id && isGuest(state, id))
}

function isGuest(state: State, userId: number): boolean {
  return usersById(state).get(userId)?.is_guest === true
}
