/** Operations that change something: how they prepare, decide and answer. */

import { submit } from '../changes/submit.ts'
import type { Decision } from '../decisions/decision.ts'
import { markAgent } from '../decisions/users/mark-agent.ts'
import type { Scope } from '../decisions/scope.ts'
import type { ApiError, CommonErrorName, ErrorName } from '../errors/api-error.ts'
import {
  type Call,
  type EncodedReply,
  type Operation,
  type RefuseUndeclared,
  type Reply,
  type ReplyFields,
  type ReplyOf,
} from './operation.ts'
import type { Params } from './params.ts'

type Declared = Omit<Operation, 'params' | 'errors' | 'reply' | 'run'>

/** An object whose changes take turns, and the error with which the tables refuse stale changes. */
interface Turn {
  /** A kind and an id. */
  readonly object: string
  readonly Stale: abstract new (...args: never[]) => Error
}

/** The declaration of an operation that changes something. */
type ChangeDefinition<
  P extends Params,
  Names extends ErrorName,
  Fields extends ReplyFields,
  Request,
  Result,
  Answer,
> = Declared & {
  readonly params: P
  readonly errors: readonly Names[]
  readonly reply: Fields
  /** Builds the decision's request from the parameters; loads or renders what it needs. Runs once per turn. */
  readonly prepare: (call: Call<P, Names>) => Request | Promise<Request>
  /** Decides; runs again on a newer state if another change came first. */
  readonly decide: (scope: Scope<NoInfer<Names> | CommonErrorName>, request: Request) => Decision<Result>
  /** The request for the rest, if the decision covered only the first part of a long change. */
  readonly rest?: (result: Result, request: Request) => Request | undefined
  /** The turn for decisions on rows: such changes of one object run one after another. */
  readonly turn?: (call: Call<P, Names>) => Turn
  /** Maps an error of the tables to an API error; undefined if it is not the request's fault. */
  readonly explain?: (error: unknown, call: Call<P, Names>) => ApiError | undefined
  /** Runs after the commit; returns the fields of the answer. */
  readonly answer?: (result: Result, call: Call<P, Names>, request: Request) => Answer | Promise<Answer>
} & RefuseUndeclared<Answer, Fields>

/** Declares an operation that prepares a request, decides and commits it, and answers. */
export function change<
  P extends Params,
  const Names extends ErrorName,
  const Fields extends ReplyFields,
  Request,
  Result,
  Answer extends ReplyOf<Fields> | EncodedReply = ReplyOf<Fields>,
>({
  prepare,
  decide,
  rest,
  turn,
  explain,
  answer,
  ...declared
}: ChangeDefinition<P, Names, Fields, Request, Result, Answer>): Operation {
  const decideFor =
    ({ agent, user }: Call<P, Names>): typeof decide =>
    (scope, request) =>
      markAgent(decide(scope, request), user.id, agent)
  const attempt = async (call: Call<P, Names>) => {
    const { tracer } = call.services
    let request: Request = await (tracer ? tracer.within('prepare', () => prepare(call)) : prepare(call))
    try {
      for (;;) {
        const result = await submit(call.services, call.user.id, decideFor(call), request)
        const next = rest?.(result, request)
        if (next === undefined) return { request, result }
        request = next
      }
    } catch (error) {
      throw explain?.(error, call) ?? error
    }
  }
  const run = async (call: Call<P, Names>): Promise<Reply> => {
    const own = turn?.(call)
    const { turns } = call.services.committer
    const { request, result } = await (own
      ? turns.change(own.object, own.Stale, () => attempt(call))
      : attempt(call))
    return answer ? answer(result, call, request) : {}
  }
  return { ...declared, run } as Operation
}
