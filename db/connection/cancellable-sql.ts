/** Statements that are cancelled when nobody waits for their result any more. */

import type { Sql } from './connect.ts'

/** The used part of a postgres.js statement. */
interface Statement {
  /** Whether the database is executing it. */
  readonly active: boolean
  /** Asks the database to cancel it; unlike `cancel`, it resolves once the database has received the request. */
  readonly canceller: (statement: Statement) => Promise<unknown>
}

/** A pool of one connection that runs one statement at a time; after a cancellation it rejects all statements. */
export interface CancellableSql {
  readonly sql: Sql
  /** Resolves once the database has received the request; the connection serves nobody else before that. */
  cancel(): Promise<void>
}

/** A statement did not start, because earlier ones were cancelled. */
class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

function isStatement(made: unknown): made is Statement {
  return made instanceof Promise && 'canceller' in made
}

export function makeCancellable(sql: Sql): CancellableSql {
  let isCancelled = false
  // A statement is assembled from fragments, which are created before the whole.
  let last: Statement | undefined
  const watched = new Proxy(sql, {
    apply(target, self, args) {
      if (isCancelled) throw new CancelledError('the client is gone')
      const made: unknown = Reflect.apply(target as (...all: unknown[]) => unknown, self, args)
      if (isStatement(made)) last = made
      return made
    },
  })
  return {
    sql: watched,
    async cancel() {
      isCancelled = true
      // If that fails, its timeout ends it.
      if (last?.active) await last.canceller(last).catch(() => undefined)
    },
  }
}
