/** Operations that change something: what they prepare, what they decide, and what they answer. */

import { submit } from '../changes/submit.ts'
import type { Decision } from '../decisions/decision.ts'
import type { Scope } from '../decisions/scope.ts'
import type { ApiError, CommonErrorName, ErrorName } from '../errors/api-error.ts'
import {
  type Call,
  type EncodedReply,
  type Operation,
  operation,
  type RefuseUndeclared,
  type Reply,
  type ReplyFields,
  type ReplyOf,
} from './operation.ts'
import type { Params } from './params.ts'

type Declared = Omit<Operation, 'params' | 'errors' | 'reply' | 'run'>

/** An object whose changes take turns, and the error by which the tables refuse what has changed since it was read. */
interface Turn {
  /** A kind and an id. */
  readonly object: string
  readonly Stale: abstract new (...args: never[]) => Error
}

/** What an operation that changes something declares. */
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
  /** Makes the decision's request of the parameters, with what must be loaded or rendered for it. Done once. */
  readonly prepare: (call: Call<P, Names>) => Request | Promise<Request>
  /** Decides; done again on a newer state where another change came between. */
  readonly decide: (scope: Scope<NoInfer<Names> | CommonErrorName>, request: Request) => Decision<Result>
  /** Whose turn it has to be where it is decided on rows: such changes of one object come one after another. */
  readonly turn?: (call: Call<P, Names>) => Turn
  /** Words what the tables refuse it by; undefined where it is no failure of the request. */
  readonly explain?: (error: unknown, call: Call<P, Names>) => ApiError | undefined
  /** What else follows once it is committed, and the fields of the answer. */
  readonly answer?: (result: Result, call: Call<P, Names>, request: Request) => Answer | Promise<Answer>
} & RefuseUndeclared<Answer, Fields>

/** Declares an operation that prepares a request, has it decided and committed, and answers. */
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
  turn,
  explain,
  answer,
  ...declared
}: ChangeDefinition<P, Names, Fields, Request, Result, Answer>): Operation {
  const attempt = async (call: Call<P, Names>) => {
    const request = await prepare(call)
    try {
      return { request, result: await submit(call.services, call.user.id, decide, request) }
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
  return operation({ ...declared, run } as unknown as Parameters<typeof operation>[0])
}
