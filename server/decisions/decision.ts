/** The result of a decision: its events, and the answer for its caller once they are committed. */

import type { Fact, NewEvent } from '../domain/events.ts'
import type { EventId } from '../domain/ids.ts'
import type { Scope } from './scope.ts'
import type { ErrorName } from '../errors/api-error.ts'

/** A fact, whose recipients `server/audience` finds; or an entry with its audience. */
export type Decided = Fact | NewEvent

/** Events to commit together, and the result that follows from them. */
export interface Decision<Result> {
  /** Facts; without any nothing is committed. `server/audience` says who is notified of them. */
  readonly events: readonly Decided[]
  /** The result, given the number of the first event (meaningless without events). */
  reply(firstId: EventId): Result
}

/** Decides a request. Pure, so it can run again on a newer state. Throws the caller's error. */
export type Decide<Names extends ErrorName, Request, Result> = (
  scope: Scope<Names>,
  request: Request,
) => Decision<Result>

/** A decision without an answer. */
export function done(events: readonly Decided[]): Decision<void> {
  return { events, reply: () => undefined }
}

/** A decision whose result does not depend on the numbers of its events. */
export function answering<Result>(result: Result, events: readonly Decided[]): Decision<Result> {
  return { events, reply: () => result }
}
