/**
 * Notifies clients that the server has restarted, or has another release now.
 *
 * Queues outlive processes, so a restart is an event of the log like any other: each queue that existed before gets
 * it once, from any process. Of several processes that start, the first logs it.
 */

import type { Sql } from '../../../db/connection/connect.ts'
import { hasQueues } from '../../../db/log/queues.ts'
import { decideRestart, type Start } from '../../decisions/server/restart.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** Logs a restart if there are queues, unless another process has done so. */
export async function announceRestart(sql: Sql, writer: Writer, start: Start): Promise<void> {
  if (!(await hasQueues(sql))) return
  await submitForServer(writer, (scope) => decideRestart(scope, start))
}
