/** Saved snippets, which are private to their user. */

import type { EventId, SnippetId, UserId } from '../../server/domain/ids.ts'
import { SNIPPETS_MAX } from '../../server/domain/limits.ts'
import type { Snippet, SnippetContent } from '../../server/domain/personal/snippets.ts'
import type { Sql } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** A user has reached the limit of snippets. */
export class TooManySnippetsError extends Error {
  override readonly name = 'TooManySnippetsError'
}

/** A snippet does not exist, belongs to another user, or has changed since it was read. */
export class StaleSnippetError extends Error {
  override readonly name = 'StaleSnippetError'
}

/** Stores a new snippet. The log is locked until the commit, so the count holds. */
export function storeSnippet(
  writes: WriteBatch,
  id: InSql<EventId>,
  userId: UserId,
  { title, content, createdAt }: SnippetContent,
): void {
  writes.change(
    writes.sql`
    insert into saved_snippets (id, user_id, title, content, created_at, changed_id)
    select ${id}, ${userId}, ${title}, ${content}, ${createdAt}, ${id}
    where (select count(*) from saved_snippets where user_id = ${userId}) < ${SNIPPETS_MAX}`,
    1,
    () => new TooManySnippetsError(`user ${userId} has ${SNIPPETS_MAX} snippets`),
  )
}

/** Changes a snippet that has not changed since it was read. */
export function storeSnippetChange(
  writes: WriteBatch,
  id: InSql<EventId>,
  userId: UserId,
  { id: snippetId, title, content, changedId }: Snippet,
): void {
  writes.change(
    writes.sql`
    update saved_snippets set title = ${title}, content = ${content}, changed_id = ${id}
    where id = ${snippetId} and user_id = ${userId} and changed_id = ${changedId}`,
    1,
    () => new StaleSnippetError(`snippet ${snippetId} is not as it was read`),
  )
}

export function removeSnippet(writes: WriteBatch, userId: UserId, snippetId: SnippetId): void {
  writes.change(
    writes.sql`delete from saved_snippets where id = ${snippetId} and user_id = ${userId}`,
    1,
    () => new StaleSnippetError(`user ${userId} has no snippet ${snippetId}`),
  )
}

/** A user's snippets, oldest first, without any that an event after `asOf` created. */
export async function readSnippets(sql: Sql, userId: UserId, asOf: EventId): Promise<Snippet[]> {
  return sql<Snippet[]>`
    select id, title, content, created_at as "createdAt", changed_id as "changedId"
    from saved_snippets where user_id = ${userId} and id <= ${asOf} order by id`
}

/** A user's snippet. */
export async function findSnippet(
  sql: Sql,
  userId: UserId,
  snippetId: SnippetId,
): Promise<Snippet | undefined> {
  const [row] = await sql<Snippet[]>`
    select id, title, content, created_at as "createdAt", changed_id as "changedId"
    from saved_snippets where user_id = ${userId} and id = ${snippetId}`
  return row
}
