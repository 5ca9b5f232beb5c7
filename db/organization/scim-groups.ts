/** User groups as a provider of identities knows them by SCIM. No event shows this, like password hashes. */

import type { GroupId } from '../../server/domain/ids.ts'
import type { ScimGroup } from '../../server/domain/scim/groups.ts'
import type { Rewritten } from '../../server/domain/scim/people.ts'
import { StaleScimError } from '../../server/domain/scim/scim-error.ts'
import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A group of the provider, as it is stored. */
export interface StoredScimGroup extends ScimGroup {
  readonly groupId: GroupId
  /** Another one after each write of the row. */
  readonly revision: string
}

/** Those of these groups that the provider has written, by group. */
export async function readScimGroups(
  sql: Sql,
  groupIds: readonly GroupId[],
): Promise<ReadonlyMap<GroupId, StoredScimGroup>> {
  const rows = await sql<StoredScimGroup[]>`
    select group_id as "groupId", external_id as "externalId", is_gone as "isGone", xmin::text as revision
    from scim_groups where group_id = any(${[...groupIds]}::int[])`
  return new Map(rows.map((row) => [row.groupId, row]))
}

/** The groups with an external id: without an index, since an organization has some thousand groups at most. */
export async function findScimGroups(sql: Sql, externalId: string): Promise<readonly GroupId[]> {
  const rows = await sql<{ groupId: GroupId }[]>`
    select group_id as "groupId" from scim_groups where external_id = ${externalId}`
  return rows.map(({ groupId }) => groupId)
}

/** Stores a group of the provider. The batch fails by a `StaleScimError`. */
export function storeScimGroup(
  writes: WriteBatch,
  groupId: GroupId,
  { revision, row: { externalId, isGone } }: Rewritten<ScimGroup>,
): void {
  const { sql } = writes
  writes.require(
    sql`(select xmin::text from scim_groups where group_id = ${groupId}) is not distinct from ${revision}::text`,
    () => new StaleScimError('the stored group has changed'),
  )
  writes.add(sql`
    insert into scim_groups (group_id, external_id, is_gone) values (${groupId}, ${externalId}, ${isGone})
    on conflict (group_id) do update set external_id = excluded.external_id, is_gone = excluded.is_gone`)
}
