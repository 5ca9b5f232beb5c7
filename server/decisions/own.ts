/** Changes of the caller's own data: no other decision depends on it, and only the caller's clients get the events. */

import type { Fact } from '../domain/events.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import type { Decision } from './decision.ts'
import type { Scope } from './scope.ts'

type WithoutUser<Event> = Event extends unknown ? Omit<Event, 'userId'> : never
/** A fact of one user, without the user's id. */
export type OwnChange = WithoutUser<Extract<Fact, { readonly userId: UserId }>>

/** The fact of the caller's change. */
export function ownFact({ caller }: Pick<Scope, 'caller'>, change: OwnChange): Fact {
  return { ...change, userId: caller.id } as Fact
}

/** Makes one such change; answers its number, which is the id of a new object. */
export function decideOwn(scope: Pick<Scope, 'caller'>, change: OwnChange): Decision<EventId> {
  return { events: [ownFact(scope, change)], reply: (firstId) => firstId }
}
