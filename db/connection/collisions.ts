/**
 * Collisions: PostgreSQL rolls work back that ended in a deadlock, or could not be put in one order with other work. It is
 * tried again.
 *
 * Single statements are tried again by the driver (`patches/postgres/07-collisions.patch`). Transactions and batches are
 * tried again here.
 * Statements that lock several rows of a table do so in the order of its key, or skip locked rows; so collisions are rare.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { Sql, Transaction } from './connect.ts'
import { postgres } from '../postgres.ts'

/** Tries of a transaction; each collision has let other work through. */
const TRIES_MAX = 4
/** Milliseconds before another try, at random, so that the same two do not meet again in step. */
const WAIT_MS_MAX = 20

/** SQLSTATEs of a serialization failure and a deadlock. */
const COLLISIONS: readonly string[] = ['40001', '40P01']

/** Whether an error reports a collision: nothing was written, and another try may succeed. */
export function isCollision(error: unknown): boolean {
  return error instanceof postgres.PostgresError && COLLISIONS.includes(error.code)
}

/** The result of work that is one transaction; after a collision it is done again. */
export async function tryAgain<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES_MAX || !isCollision(error)) throw error
    }
    ;(sql as Sql & { noteRepeat(): void }).noteRepeat()
    await wait(Math.random() * WAIT_MS_MAX * tries)
  }
}

/** The result of a transaction, which may run several times: it has no effects outside of the database. */
export function transact<Result>(sql: Sql, act: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return tryAgain(sql, () => sql.begin(act) as Promise<Result>)
}
