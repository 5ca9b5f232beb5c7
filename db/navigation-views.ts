/** Navigation views: each belongs to one user, and nobody else is told that it is there. */

import type { EventId, UserId } from '../server/domain/ids.ts'
import { NAVIGATION_VIEWS_MAX } from '../server/domain/limits.ts'
import type { NavigationView, NavigationViewChange } from '../server/domain/navigation-views.ts'
import type { Sql, Transaction } from './connect.ts'

/** Thrown where a user has as many views as one may have. */
export class TooManyViewsError extends Error {
  override readonly name = 'TooManyViewsError'
}

/** Thrown where a user has a view of this fragment or name already. */
export class DoubleViewError extends Error {
  override readonly name = 'DoubleViewError'
}

/** Thrown where a user has no such view. */
export class MissingViewError extends Error {
  override readonly name = 'MissingViewError'
}

/** Stores a new view. The log is locked until the commit, so that the count and the names hold. */
export async function storeView(
  tx: Transaction,
  id: EventId,
  userId: UserId,
  { fragment, isPinned, name }: NavigationView,
): Promise<void> {
  const [found] = await tx<{ count: number; isDouble: boolean }[]>`
    select count(*)::int as count, coalesce(bool_or(fragment = ${fragment} or name = ${name}), false) as "isDouble"
    from navigation_views where user_id = ${userId}`
  if (found?.isDouble) throw new DoubleViewError(`user ${userId} has such a view`)
  if (found && found.count >= NAVIGATION_VIEWS_MAX)
    throw new TooManyViewsError(`user ${userId} has ${NAVIGATION_VIEWS_MAX} views`)
  await tx`insert into navigation_views (id, user_id, fragment, is_pinned, name)
    values (${id}, ${userId}, ${fragment}, ${isPinned}, ${name})`
}

/** Changes a view. */
export async function storeViewChange(
  tx: Transaction,
  userId: UserId,
  fragment: string,
  { isPinned, name }: NavigationViewChange,
): Promise<void> {
  const doubles = await tx`select 1 from navigation_views
    where user_id = ${userId} and name = ${name ?? null} and fragment <> ${fragment}`
  if (doubles.length > 0) throw new DoubleViewError(`user ${userId} has a view of this name`)
  const stored = await tx`
    update navigation_views set is_pinned = coalesce(${isPinned ?? null}, is_pinned),
      name = coalesce(${name ?? null}, name)
    where user_id = ${userId} and fragment = ${fragment}`
  if (stored.count === 0) throw new MissingViewError(`user ${userId} has no such view`)
}

export async function removeView(tx: Transaction, userId: UserId, fragment: string): Promise<void> {
  const removed = await tx`
    delete from navigation_views where user_id = ${userId} and fragment = ${fragment}`
  if (removed.count === 0) throw new MissingViewError(`user ${userId} has no such view`)
}

/** A user's views, the oldest first; none that an event after `asOf` made. */
export async function readViews(sql: Sql, userId: UserId, asOf: EventId): Promise<NavigationView[]> {
  return sql<NavigationView[]>`
    select fragment, is_pinned as "isPinned", name
    from navigation_views where user_id = ${userId} and id <= ${asOf} order by id`
}

/** Whether a user has a view. */
export async function hasView(sql: Sql, userId: UserId, fragment: string): Promise<boolean> {
  const rows = await sql`select 1 from navigation_views
    where user_id = ${userId} and fragment = ${fragment}`
  return rows.length > 0
}
