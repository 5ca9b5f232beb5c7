/**
 * Tells clients that the server they are used to was started anew, or is another release now.
 *
 * Every queue outlives every process, so this is an event of the log like any other: each queue that was there
 * before has it once, whichever process serves it. Of processes that start one after another the first tells it.
 */

import type { Sql } from '../../../db/connect.ts'
import { hasQueues } from '../../../db/queues.ts'
import { decideRestart, type Start } from '../../decisions/server/restart.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** Logs a restart if there are queues, unless another process has done so. */
export async function announceRestart(sql: Sql, writer: Writer, start: Start): Promise<void> {
  if (!(await hasQueues(sql))) return
  await submitForServer(writer, (scope) => decideRestart(scope, start))
}
