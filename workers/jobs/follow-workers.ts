/** Follows which workers live: one that is gone leaves its work to the others. */

import { randomInt } from 'node:crypto'
import type { Sql } from '../../db/connection/connect.ts'
import { lookAfterWorkers } from '../../db/living-workers.ts'
import type { Clock } from '../../server/domain/clock.ts'

/** Milliseconds between looks: notifications are to arrive within a second, also if their worker is killed. */
const LOOK_PERIOD_MS = 250
/** Above all ids: the database has 32 bits for them. */
const ID_END = 2 ** 31 - 1

/** A number that no other worker has. */
export const createWorkerId = (): number => randomInt(1, ID_END)

/** Looks now, and from then on again and again, one look at a time. */
export async function followWorkers(
  sql: Sql,
  workerId: number,
  {
    clock,
    onError,
    closers,
  }: { clock: Clock; onError: (error: unknown) => void; closers: (() => unknown)[] },
): Promise<void> {
  let looking: Promise<unknown> | undefined
  const look = () => {
    looking ??= lookAfterWorkers(sql, workerId)
      .catch(onError)
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  await look()
  const timer = clock.every(LOOK_PERIOD_MS, () => void look())
  closers.push(async () => {
    timer.stop()
    await looking
  })
}
