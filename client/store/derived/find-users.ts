/** People by parts of their names. */

import type { User } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { derive } from './derive.ts'

/** Active people and bots by name. */
const usersByName = derive(
  (state) => [state.realm_users],
  ([users = []]: readonly [readonly User[] | undefined]) =>
    users.filter(({ is_active }) => is_active).toSorted((a, b) => a.full_name.localeCompare(b.full_name)),
)

/** Users whose name has each word of the text at the start of one of its words, or whose address starts with it. */
export function findUsers(state: State, text: string, limit: number): readonly User[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const found: User[] = []
  for (const user of usersByName(state)) {
    if (found.length === limit) break
    const names = user.full_name.toLocaleLowerCase().split(/\s+/)
    const address = user.delivery_email?.toLocaleLowerCase() ?? ''
    const matches = (word: string) => address.startsWith(word) || names.some((one) => one.startsWith(word))
    if (words.every(matches)) found.push(user)
  }
  return found
}
