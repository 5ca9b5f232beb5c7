/** Changes of the caller's own things: no other decision depends on them, and only the caller's clients see them. */

import type { Fact } from '../domain/event-traits.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import type { Decision } from './decision.ts'
import type { Scope } from './scope.ts'

type WithoutUser<Event> = Event extends unknown ? Omit<Event, 'userId'> : never
/** A fact of one user, without the user. */
export type OwnChange = WithoutUser<Extract<Fact, { readonly userId: UserId }>>

/** The fact of a change of the caller's. */
export function ownFact({ caller }: Pick<Scope, 'caller'>, change: OwnChange): Fact {
  return { ...change, userId: caller.id } as Fact
}

/** Makes one such change; answers its number, which is the id of what it makes. */
export function decideOwn(scope: Pick<Scope, 'caller'>, change: OwnChange): Decision<EventId> {
  return { events: [ownFact(scope, change)], reply: (firstId) => firstId }
}
