/** People as a provider of identities describes them by SCIM, beyond their accounts. No event shows this, like password hashes. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Rewritten, ScimUser } from '../../server/domain/scim/people.ts'
import { StaleScimError } from '../../server/domain/scim/scim-error.ts'
import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A person of the provider, as they are stored. */
export interface StoredScimUser extends ScimUser {
  readonly userId: UserId
  /** Another one after each write of the row. */
  readonly revision: string
}

/** The people of these accounts and those with a user name, as it is compared, by user; others were written by no provider. */
export async function readScimUsers(
  sql: Sql,
  userIds: readonly UserId[],
  userKey: string | null = null,
): Promise<ReadonlyMap<UserId, StoredScimUser>> {
  const rows = await sql<StoredScimUser[]>`
    select user_id as "userId", user_name as "userName", user_key as "userKey", external_id as "externalId", names,
      is_gone as "isGone", xmin::text as revision
    from scim_users where user_id = any(${[...userIds]}::int[]) or user_key = ${userKey} order by user_id`
  return new Map(rows.map((row) => [row.userId, row]))
}

/** The accounts of people with a user name, as it is compared, or with an external id; also of people who are gone. */
export async function findScimUsers(
  sql: Sql,
  { userKey, externalId }: { readonly userKey?: string; readonly externalId?: string },
): Promise<readonly UserId[]> {
  const rows = await sql<{ userId: UserId }[]>`
    select user_id as "userId" from scim_users
    where user_key = ${userKey ?? null} or external_id = ${externalId ?? null} order by user_id`
  return rows.map(({ userId }) => userId)
}

/** Those of these accounts whose people the provider has deleted. */
export async function readGoneScimUsers(sql: Sql, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  const rows = await sql<{ userId: UserId }[]>`
    select user_id as "userId" from scim_users where is_gone and user_id = any(${[...userIds]}::int[])`
  return new Set(rows.map(({ userId }) => userId))
}

/** Stores a person. The batch fails by a `StaleScimError`, or by a unique violation if somebody else has the user name. */
export function storeScimUser(
  writes: WriteBatch,
  userId: UserId,
  { revision, row: { userName, userKey, externalId, names, isGone } }: Rewritten<ScimUser>,
): void {
  const { sql } = writes
  writes.require(
    sql`(select xmin::text from scim_users where user_id = ${userId}) is not distinct from ${revision}::text`,
    () => new StaleScimError('the stored person has changed'),
  )
  writes.add(sql`
    insert into scim_users (user_id, user_name, user_key, external_id, names, is_gone)
    values (${userId}, ${userName}, ${userKey}, ${externalId}, ${sql.json(names)}, ${isGone})
    on conflict (user_id) do update set user_name = excluded.user_name, user_key = excluded.user_key,
      external_id = excluded.external_id, names = excluded.names, is_gone = excluded.is_gone`)
}
