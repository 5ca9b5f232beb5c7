/** Statements that end when nobody waits for their result any more. */

import type { Sql } from './connect.ts'

/** As much of a statement of postgres.js as this needs. */
interface Statement {
  /** Whether the database works on it. */
  readonly active: boolean
  /** Asks the database to end it; resolves when the database has heard that, which `cancel` does not tell. */
  readonly canceller: (statement: Statement) => Promise<unknown>
}

/** A pool of one connection that asks one statement at a time, all of which are refused once they are cancelled. */
export interface CancellableSql {
  readonly sql: Sql
  /** Resolves when the database has heard of it; the connection serves nobody else before that. */
  cancel(): Promise<void>
}

/** That a statement was not begun, as those before it were cancelled. */
class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

export function makeCancellable(sql: Sql): CancellableSql {
  let isCancelled = false
  // Statements are put together of pieces, which are made before the whole.
  let last: Statement | undefined
  const watched = new Proxy(sql, {
    apply(target, self, args) {
      if (isCancelled) throw new CancelledError('the client is gone')
      const made: unknown = Reflect.apply(target as (...all: unknown[]) => unknown, self, args)
      if (made instanceof Promise) last = made as unknown as Statement
      return made
    },
  })
  return {
    sql: watched,
    async cancel() {
      isCancelled = true
      // Where that fails, it ends by its timeout.
      if (last?.active) await last.canceller(last).catch(() => undefined)
    },
  }
}
