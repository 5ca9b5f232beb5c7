/** Navigation views, which are private to their user. */

import type { EventId, UserId } from '../../server/domain/ids.ts'
import { NAVIGATION_VIEWS_MAX } from '../../server/domain/limits.ts'
import type { NavigationView, NavigationViewChange } from '../../server/domain/personal/navigation-views.ts'
import type { Sql } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** A user has reached the limit of views. */
export class TooManyViewsError extends Error {
  override readonly name = 'TooManyViewsError'
}

/** A user already has a view with this fragment or name. */
export class DuplicateViewError extends Error {
  override readonly name = 'DuplicateViewError'
}

/** A user has no such view. */
export class MissingViewError extends Error {
  override readonly name = 'MissingViewError'
}

/** Stores a new view. The log is locked until the commit, so the count and the names hold. */
export function storeView(
  writes: WriteBatch,
  id: InSql<EventId>,
  userId: UserId,
  { fragment, isPinned, name }: NavigationView,
): void {
  writes.require(
    writes.sql`not exists (select from navigation_views
      where user_id = ${userId} and (fragment = ${fragment} or name = ${name}))`,
    () => new DuplicateViewError(`user ${userId} has such a view`),
  )
  writes.require(
    writes.sql`(select count(*) from navigation_views where user_id = ${userId}) < ${NAVIGATION_VIEWS_MAX}`,
    () => new TooManyViewsError(`user ${userId} has ${NAVIGATION_VIEWS_MAX} views`),
  )
  writes.add(writes.sql`insert into navigation_views (id, user_id, fragment, is_pinned, name)
    values (${id}, ${userId}, ${fragment}, ${isPinned}, ${name})`)
}

/** Changes a view. */
export function storeViewChange(
  writes: WriteBatch,
  userId: UserId,
  fragment: string,
  { isPinned, name }: NavigationViewChange,
): void {
  writes.require(
    writes.sql`not exists (select from navigation_views
      where user_id = ${userId} and name = ${name ?? null} and fragment <> ${fragment})`,
    () => new DuplicateViewError(`user ${userId} has a view of this name`),
  )
  writes.change(
    writes.sql`
    update navigation_views set is_pinned = coalesce(${isPinned ?? null}, is_pinned),
      name = coalesce(${name ?? null}, name)
    where user_id = ${userId} and fragment = ${fragment}`,
    1,
    () => new MissingViewError(`user ${userId} has no such view`),
  )
}

export function removeView(writes: WriteBatch, userId: UserId, fragment: string): void {
  writes.change(
    writes.sql`
    delete from navigation_views where user_id = ${userId} and fragment = ${fragment}`,
    1,
    () => new MissingViewError(`user ${userId} has no such view`),
  )
}

/** A user's views, oldest first, without any that an event after `asOf` created. */
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
