/** User groups as a provider of identities knows them by SCIM. No event carries this, like password hashes. */

import type { GroupId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** A group of the provider. */
export interface ScimGroup {
  readonly groupId: GroupId
  readonly externalId: string | null
  /** Whether the provider has deleted it. */
  readonly isGone: boolean
}

/** Those of these groups that the provider has written, by group. */
export async function readScimGroups(
  sql: Sql,
  groupIds: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, ScimGroup>> {
  const rows = await sql<ScimGroup[]>`
    select group_id as "groupId", external_id as "externalId", is_gone as "isGone"
    from scim_groups where group_id = any(${[...groupIds]}::int[])`
  return new Map(rows.map((row) => [row.groupId, row]))
}

/** The groups with an external id: without an index, since an organization has some thousand groups at most. */
export async function findScimGroups(sql: Sql, externalId: string): Promise<readonly GroupId[]> {
  const rows = await sql<{ groupId: GroupId }[]>`
    select group_id as "groupId" from scim_groups where external_id = ${externalId}`
  return rows.map(({ groupId }) => groupId)
}

export async function storeScimGroup(sql: Sql, { groupId, externalId, isGone }: ScimGroup): Promise<void> {
  await sql`
    insert into scim_groups (group_id, external_id, is_gone) values (${groupId}, ${externalId}, ${isGone})
    on conflict (group_id) do update set external_id = excluded.external_id, is_gone = excluded.is_gone`
}
