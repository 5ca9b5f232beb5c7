/** The last activity of users, for workers of a server without Redis. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** A user's activity; a replacing one may be earlier than the stored one. */
export interface Activity {
  readonly userId: UserId
  /** UNIX seconds. */
  readonly activeAt: number
  readonly isReplacing?: true
}

/** Stores the activity of users, each once. */
export async function storeActivity(sql: Sql, reports: readonly Activity[]): Promise<void> {
  if (reports.length === 0) return
  await sql`
    insert into last_activity (user_id, active_at)
    select r.user_id, r.active_at
    from unnest(${reports.map(({ userId }) => userId)}::int[], ${reports.map(({ activeAt }) => activeAt)}::bigint[])
      r (user_id, active_at) order by r.user_id
    on conflict (user_id) do update set active_at = case
      when excluded.user_id = any(${reports.filter((one) => one.isReplacing).map(({ userId }) => userId)}::int[])
      then excluded.active_at else greatest(last_activity.active_at, excluded.active_at) end`
}

/** When users were last active, in UNIX seconds; users who never were are left out. */
export async function readActivity(
  sql: Sql,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, number>> {
  const rows = await sql<Activity[]>`
    select user_id as "userId", active_at as "activeAt" from last_activity where user_id = any(${[...userIds]}::int[])`
  return new Map(rows.map(({ userId, activeAt }) => [userId, activeAt]))
}
