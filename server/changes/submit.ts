/** Submits decisions. Each runs on the state when its turn comes, and again if that state was stale. */

import type { Change, Committer } from '../actors/committer.ts'
import type { Decide, Decision } from '../decisions/decision.ts'
import { scopeFor, type ServerScope } from '../decisions/scope.ts'
import { type Clock, nowSeconds } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import type { ErrorName } from '../errors/api-error.ts'

/** Services for submitting changes. */
export interface Writer {
  readonly committer: Committer
  readonly clock: Clock
}

/** Resolves with the decision's result once it is committed and the own state includes it; rejects with its error. */
export function submit<Request, Result>(
  { committer, clock }: Writer,
  callerId: UserId,
  decide: Decide<ErrorName, Request, Result>,
  request: Request,
): Promise<Result> {
  return committer.submit({
    kind: 'structure',
    actorId: callerId,
    decide: (state) => decide(scopeFor({ state, now: nowSeconds(clock) }, callerId), request),
  })
}

/** The same for a decision of the server or its operator, without a caller; a user may still be the one who caused it. */
export function submitForServer<Result>(
  { committer, clock }: Writer,
  decide: (scope: ServerScope) => Decision<Result>,
  {
    kind = 'structure',
    actorId,
    findEarlier = foundNone,
  }: Partial<Pick<Change<Result>, 'kind' | 'actorId' | 'findEarlier'>> = {},
): Promise<Result> {
  return committer.submit({
    kind,
    actorId,
    findEarlier,
    decide: (state) => decide({ state, now: nowSeconds(clock) }),
  })
}

const foundNone = () => Promise.resolve(undefined)
