/** Changes of the caller's own things: no other decision depends on them, and only the caller's clients see them. */

import type { LogEvent, NewEvent } from '../domain/events.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/user-set.ts'
import type { Decision } from './decision.ts'
import type { Scope } from './scope.ts'

type WithoutUser<Event> = Event extends unknown ? Omit<Event, 'userId'> : never
/** An event of one user, without the user. */
export type OwnChange = WithoutUser<Extract<LogEvent, { readonly userId: UserId }>>

/** The event of a change that only the caller's clients see. */
export function tellOwn({ caller }: Pick<Scope, 'caller'>, change: OwnChange): NewEvent {
  return {
    event: { ...change, userId: caller.id },
    audience: { kind: 'users', users: UserSet.of([caller.id]) },
  }
}

/** Makes one such change; answers its number, which is the id of what it makes. */
export function decideOwn(scope: Pick<Scope, 'caller'>, change: OwnChange): Decision<EventId> {
  return { events: [tellOwn(scope, change)], reply: (firstId) => firstId }
}
