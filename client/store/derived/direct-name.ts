/** The name of a conversation with people. */

import type { State } from '../apply.ts'
import { isMarkedGuest } from './guests.ts'
import { nameOf } from './users.ts'

export function directName(state: State, otherIds: readonly number[]): string {
  if (otherIds.length === 0) return 'Notes to yourself'
  return otherIds
    .map((id) => (isMarkedGuest(state, id) ? `${nameOf(state, id)} (guest)` : nameOf(state, id)))
    .join(', ')
}
