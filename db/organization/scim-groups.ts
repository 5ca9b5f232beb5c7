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

/** The groups of the provider, by group: some thousand at most. */
export async function readScimGroups(sql: Sql): Promise<ReadonlyMap<GroupId, ScimGroup>> {
  const rows = await sql<ScimGroup[]>`
    select group_id as "groupId", external_id as "externalId", is_gone as "isGone" from scim_groups`
  return new Map(rows.map((row) => [row.groupId, row]))
}

/** The group of the provider; undefined if it has not written it. */
export async function findScimGroup(sql: Sql, groupId: GroupId): Promise<ScimGroup | undefined> {
  const [row] = await sql<ScimGroup[]>`
    select group_id as "groupId", external_id as "externalId", is_gone as "isGone"
    from scim_groups where group_id = ${groupId}`
  return row
}

export async function storeScimGroup(sql: Sql, { groupId, externalId, isGone }: ScimGroup): Promise<void> {
  await sql`
    insert into scim_groups (group_id, external_id, is_gone) values (${groupId}, ${externalId}, ${isGone})
    on conflict (group_id) do update set external_id = excluded.external_id, is_gone = excluded.is_gone`
}
