/** User groups, their members and their subgroups. */

import type { UserGroup } from '../../server/domain/entities.ts'
import type { GroupId, UserId } from '../../server/domain/ids.ts'
import type { GroupPermissions } from '../../server/domain/groups/permissions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A group with its direct members and subgroups. */
export interface UserGroupWithMembers extends UserGroup {
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly GroupId[]
}

export function storeUserGroup(
  writes: WriteBatch,
  group: UserGroup,
  memberIds: readonly UserId[],
  subgroupIds: readonly GroupId[],
): void {
  writes.add(writes.sql`insert into user_groups (id, name, description, creator_id, created_at, is_system, is_deactivated, permissions)
    values (${group.id}, ${group.name}, ${group.description}, ${group.creatorId}, ${group.createdAt},
      ${group.isSystem}, ${group.isDeactivated}, ${writes.sql.json(group.permissions as never)})`)
  addGroupMembers(writes, group.id, memberIds)
  addSubgroups(writes, group.id, subgroupIds)
}

/** Writes a group's own columns. */
export function storeUserGroupChange(
  writes: WriteBatch,
  id: GroupId,
  changes: Partial<Pick<UserGroup, 'name' | 'description' | 'isDeactivated'>> & {
    readonly permissions?: Partial<GroupPermissions>
  },
): void {
  writes.add(writes.sql`update user_groups set
      name = coalesce(${changes.name ?? null}, name),
      description = coalesce(${changes.description ?? null}, description),
      is_deactivated = coalesce(${changes.isDeactivated ?? null}::boolean, is_deactivated),
      permissions = (permissions::jsonb || ${writes.sql.json((changes.permissions ?? {}) as never)}::jsonb)::json
    where id = ${id}`)
}

export function addGroupMembers(writes: WriteBatch, id: GroupId, userIds: readonly UserId[]): void {
  if (userIds.length === 0) return
  writes.add(writes.sql`insert into user_group_members (group_id, user_id)
    select ${id}, u from unnest(${[...userIds]}::int[]) u on conflict do nothing`)
}

export function removeGroupMembers(writes: WriteBatch, id: GroupId, userIds: readonly UserId[]): void {
  writes.add(
    writes.sql`delete from user_group_members where group_id = ${id} and user_id = any(${[...userIds]}::int[])`,
  )
}

export function addSubgroups(writes: WriteBatch, id: GroupId, subgroupIds: readonly GroupId[]): void {
  if (subgroupIds.length === 0) return
  writes.add(writes.sql`insert into user_group_subgroups (group_id, subgroup_id)
    select ${id}, g from unnest(${[...subgroupIds]}::int[]) g on conflict do nothing`)
}

export function removeSubgroups(writes: WriteBatch, id: GroupId, subgroupIds: readonly GroupId[]): void {
  writes.add(writes.sql`delete from user_group_subgroups
    where group_id = ${id} and subgroup_id = any(${[...subgroupIds]}::int[])`)
}

/** All groups with their direct members and subgroups, by id. */
export async function loadUserGroups(sql: Sql | Transaction): Promise<UserGroupWithMembers[]> {
  return sql<UserGroupWithMembers[]>`
    select id, name, description, creator_id as "creatorId", created_at as "createdAt", is_system as "isSystem",
      is_deactivated as "isDeactivated", permissions,
      array(select user_id from user_group_members where group_id = g.id order by user_id) as "memberIds",
      array(select subgroup_id from user_group_subgroups where group_id = g.id order by subgroup_id) as "subgroupIds"
    from user_groups g order by id`
}
