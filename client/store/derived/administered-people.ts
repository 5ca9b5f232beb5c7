/** People and bots as administrators list them. */

import type { User } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'

/** The lists of the people. */
export type PeopleFilter = 'active' | 'deactivated' | 'bots'

/** Users of a list whose name or address contains each word of the text, by name. */
export function findPeople(state: State, filter: PeopleFilter, text: string): readonly User[] {
  return findAmong(
    everyone(state).filter((user) => belongs(user, filter)),
    text,
  )
}

/** Users whose name or address contains each word of the text, by name: also deactivated ones, and bots. */
export function findEveryone(state: State, text: string): readonly User[] {
  return findAmong(everyone(state), text)
}

const everyone = (state: State): readonly User[] => [
  ...(state.realm_users ?? []),
  ...(state.realm_non_active_users ?? []),
]

function findAmong(users: readonly User[], text: string): readonly User[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return users
    .filter((user) => matches(user, words))
    .sort((a, b) => a.full_name.localeCompare(b.full_name) || a.user_id - b.user_id)
}

function belongs(user: User, filter: PeopleFilter): boolean {
  switch (filter) {
    case 'active':
      return user.is_active && !user.is_bot
    case 'deactivated':
      return !user.is_active && !user.is_bot
    case 'bots':
      return user.is_bot
  }
}

function matches({ full_name, delivery_email, email }: User, words: readonly string[]): boolean {
  const text = `${full_name} ${delivery_email ?? email}`.toLocaleLowerCase()
  return words.every((word) => text.includes(word))
}
