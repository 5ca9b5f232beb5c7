/**
 * A batch of statements that is sent together with its begin and its commit, without waiting for answers in between.
 *
 * The first statement locks the log. By then PostgreSQL has the whole batch, so it commits and releases the lock even
 * if the sending process is stopped; and however long the process takes to build a batch, no transaction waits for it. So
 * no statement can depend on the answer to another: a value from the database is an expression, and a requirement is a
 * condition that ends the batch.
 */

import type postgresType from 'postgres'
import { tryAgain } from '../connection/collisions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { postgres } from '../postgres.ts'

/** SQLSTATE of `refuse_write()`. */
const REFUSED = 'PY001'

export type Statement = postgresType.PendingQuery<postgresType.Row[]>
/** A value, or an expression that the database evaluates. */
export type InSql<Value> = Value | Statement

interface Step {
  readonly statement: Statement
  readonly refusal?: () => Error
}

/** Collects statements, then commits all of them or none. */
export class WriteBatch {
  /** Builds statements and fragments. */
  readonly sql: Sql | Transaction
  readonly #steps: Step[] = []

  constructor(sql: Sql | Transaction) {
    this.sql = sql
  }

  /** Adds a statement; if it calls `refuse_write()`, the batch throws `refusal`. */
  add(statement: Statement, refusal?: () => Error): void {
    this.#steps.push(refusal ? { statement, refusal } : { statement })
  }

  /** Adds a statement that must write that many rows. It returns nothing, and contains no other writing statement. */
  change(statement: Statement, count: number, refusal: () => Error): void {
    const check = this.sql`
      with written as (${statement} returning 1)
      select refuse_write() from written having count(*) <> ${count}`
    this.#steps.push({ statement: check, refusal })
  }

  /** Ends the batch if a condition is false or null at that point. */
  require(condition: Statement, refusal: () => Error): void {
    this.#steps.push({ statement: this.sql`select refuse_write() where (${condition}) is not true`, refusal })
  }

  /**
   * Sends everything as one transaction, and returns the rows of the first statement. Throws the refusal of the first
   * failed condition; then nothing is written.
   */
  commit(sql: Sql): Promise<postgresType.Row[]> {
    return tryAgain(sql, () => {
      const committed = Promise.withResolvers<postgresType.Row[]>()
      // Rejects if there is no connection; a lost one also fails the statements.
      ;(sql as TogetherSql)
        .beginTogether((tx) => this.commitWithin(tx).then(committed.resolve, committed.reject))
        .catch(committed.reject)
      return committed.promise
    })
  }

  /** The same as the end of a transaction that has begun. */
  async commitWithin(tx: Transaction): Promise<postgresType.Row[]> {
    const statements = this.#steps.map(({ statement }) => together(tx`${statement}`).execute())
    const sent = Promise.allSettled(statements)
    await Promise.resolve() // The driver sends in the next microtask.
    await Promise.resolve()
    // A statement whose values the driver could not serialize was not sent.
    const isWhole = statements.every((one) => (one as { statement?: unknown }).statement != null)
    const ended = together(isWhole ? tx`commit` : tx`rollback`, true)
    const [results] = await Promise.all([sent, ended])
    const failed = results.findIndex(({ status }) => status === 'rejected')
    const result = results[failed]
    if (result?.status === 'rejected') {
      throw (isRefusal(result.reason) && this.#steps[failed]?.refusal?.()) || result.reason
    }
    return results[0]?.status === 'fulfilled' ? results[0].value : []
  }
}

/** A pool whose driver sends a transaction as a whole: `act` gets its connection, and ends it in the same turn. */
interface TogetherSql extends Sql {
  beginTogether(act: (tx: Transaction) => void): Promise<unknown>
}

/**
 * Opens a transaction that `act` ends with a batch. If `act` throws before that, or sends nothing, the transaction is
 * rolled back, or ends empty.
 */
export function beginBatch<Result>(sql: Sql, act: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    // After the batch is committed, nothing is left to end: the driver's later errors do not matter.
    sql
      .begin(async (tx) => {
        try {
          resolve(await act(tx))
        } catch (error) {
          reject(error)
          throw error
        }
      })
      .catch(reject)
  })
}

/** Whether a statement ended at a failed condition. */
export function isRefusal(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === REFUSED
}

/**
 * Marks a statement that the driver sends with the last one, even if others still await an answer or a description. The
 * last one is sent in this turn; unmarked statements may wait for the next.
 */
export function together(statement: Statement, isLast = false): Statement {
  const { options } = statement as Statement & { readonly options: { isTogether: boolean; isLast: boolean } }
  Object.assign(options, { isTogether: true, isLast })
  return statement
}
