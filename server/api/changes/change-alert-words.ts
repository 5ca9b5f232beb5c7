/** Changing the words of which a user is alerted. */

import type { User } from '../../domain/entities.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { Services } from '../services.ts'

/** Commits the words that `change` makes of those there are, where they differ in number; answers them. */
export function changeAlertWords(
  change: (before: readonly string[]) => readonly string[],
  user: User,
  { committer }: Services,
): Promise<readonly string[]> {
  return committer.submit({
    kind: 'structure',
    decide(state) {
      const before = state.alertIndex.wordsOf(user.id)
      const words = change(before)
      if (words.length === before.length) return { events: [], reply: () => before }
      return {
        events: [
          {
            event: { type: 'alert_words', userId: user.id, words },
            audience: { kind: 'users', users: UserSet.of([user.id]) },
          },
        ],
        reply: () => words,
      }
    },
  })
}
