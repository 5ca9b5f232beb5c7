/** The name of a conversation with people. */

import type { State } from '../store/apply.ts'
import { nameOf } from '../store/derived/users.ts'

export function directName(state: State, otherIds: readonly number[]): string {
  if (otherIds.length === 0) return 'Notes to yourself'
  return otherIds.map((id) => nameOf(state, id)).join(', ')
}
