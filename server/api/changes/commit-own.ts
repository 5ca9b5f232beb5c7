/** Changes of somebody's own things, on which nothing else stands and of which they alone are told. */

import type { LogEvent } from '../../domain/events.ts'
import type { EventId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { Services } from '../services.ts'

/** Commits such a change; answers its number, which is the id of what it makes. Rejects with what the tables refuse it by. */
export function commitOwn(
  { committer }: Pick<Services, 'committer'>,
  event: Extract<LogEvent, { readonly userId: UserId }>,
): Promise<EventId> {
  const audience = { kind: 'users', users: UserSet.of([event.userId]) } as const
  return committer.submit({
    kind: 'structure',
    decide: () => ({ events: [{ event, audience }], reply: (firstId: EventId) => firstId }),
  })
}
