/** People as a provider of identities describes them by SCIM, beyond their accounts. No event carries them, like password hashes. */

import type { UserId } from '../../server/domain/ids.ts'
import type { ScimNames } from '../../server/domain/scim/people.ts'
import type { Sql } from '../connection/connect.ts'

/** A person of the provider. */
export interface ScimUser {
  readonly userId: UserId
  readonly userName: string
  /** As it is compared; unique among people who are not gone. */
  readonly userKey: string
  readonly externalId: string | null
  readonly names: ScimNames
  /** Whether the provider has deleted them. */
  readonly isGone: boolean
}

/** The people of these accounts, by user; accounts that no provider wrote are left out. */
export async function readScimUsers(
  sql: Sql,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, ScimUser>> {
  const rows = await sql<ScimUser[]>`
    select user_id as "userId", user_name as "userName", user_key as "userKey", external_id as "externalId", names,
      is_gone as "isGone"
    from scim_users where user_id = any(${[...userIds]}::int[])`
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

/** Stores a person. Rejects with a unique violation if somebody else has the user name. */
export async function storeScimUser(
  sql: Sql,
  { userId, userName, userKey, externalId, names, isGone }: ScimUser,
): Promise<void> {
  await sql`
    insert into scim_users (user_id, user_name, user_key, external_id, names, is_gone)
    values (${userId}, ${userName}, ${userKey}, ${externalId}, ${sql.json(names)}, ${isGone})
    on conflict (user_id) do update set user_name = excluded.user_name, user_key = excluded.user_key,
      external_id = excluded.external_id, names = excluded.names, is_gone = excluded.is_gone`
}
