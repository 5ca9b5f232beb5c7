/** Lets shown pushes rest whose messages are still unread. */

import { type ClaimedPush, restPushes, wakePushes } from '../../../db/notifications/pushes.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { filterUnread } from '../../../db/unread/filter-unread.ts'

/**
 * Lets them wait until their users read, or their messages go. That passes over claimed pushes, so what happened between the
 * look and now is looked for once more.
 */
export async function restStanding(sql: Sql, standing: readonly ClaimedPush[]): Promise<void> {
  if (standing.length === 0) return
  await restPushes(sql, standing)
  const unread = new Set(await filterUnread(sql, standing))
  const gone = standing.filter((push) => !unread.has(push))
  if (gone.length > 0) await wakePushes(sql, gone)
}
