/** User groups, their members and their subgroups. */

import type { UserGroup } from '../server/domain/entities.ts'
import type { GroupId, UserId } from '../server/domain/ids.ts'
import type { GroupPermissions } from '../server/domain/permissions.ts'
import type { Sql, Transaction } from './connect.ts'

/** A group with its own members and subgroups. */
export interface UserGroupWithMembers extends UserGroup {
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly GroupId[]
}

export async function storeUserGroup(
  tx: Transaction,
  group: UserGroup,
  memberIds: readonly UserId[],
  subgroupIds: readonly GroupId[],
): Promise<void> {
  await tx`insert into user_groups (id, name, description, creator_id, created_at, is_system, is_deactivated, permissions)
    values (${group.id}, ${group.name}, ${group.description}, ${group.creatorId}, ${group.createdAt},
      ${group.isSystem}, ${group.isDeactivated}, ${tx.json(group.permissions as never)})`
  await addGroupMembers(tx, group.id, memberIds)
  await addSubgroups(tx, group.id, subgroupIds)
}

/** Writes a group's own columns as they are now. */
export async function storeUserGroupChange(
  tx: Transaction,
  id: GroupId,
  changes: Partial<Pick<UserGroup, 'name' | 'description' | 'isDeactivated'>> & {
    readonly permissions?: Partial<GroupPermissions>
  },
): Promise<void> {
  await tx`update user_groups set
      name = coalesce(${changes.name ?? null}, name),
      description = coalesce(${changes.description ?? null}, description),
      is_deactivated = coalesce(${changes.isDeactivated ?? null}::boolean, is_deactivated),
      permissions = (permissions::jsonb || ${tx.json((changes.permissions ?? {}) as never)}::jsonb)::json
    where id = ${id}`
}

export async function addGroupMembers(
  tx: Transaction,
  id: GroupId,
  userIds: readonly UserId[],
): Promise<void> {
  if (userIds.length === 0) return
  await tx`insert into user_group_members (group_id, user_id)
    select ${id}, u from unnest(${[...userIds]}::int[]) u on conflict do nothing`
}

export async function removeGroupMembers(
  tx: Transaction,
  id: GroupId,
  userIds: readonly UserId[],
): Promise<void> {
  await tx`delete from user_group_members where group_id = ${id} and user_id = any(${[...userIds]}::int[])`
}

export async function addSubgroups(
  tx: Transaction,
  id: GroupId,
  subgroupIds: readonly GroupId[],
): Promise<void> {
  if (subgroupIds.length === 0) return
  await tx`insert into user_group_subgroups (group_id, subgroup_id)
    select ${id}, g from unnest(${[...subgroupIds]}::int[]) g on conflict do nothing`
}

export async function removeSubgroups(
  tx: Transaction,
  id: GroupId,
  subgroupIds: readonly GroupId[],
): Promise<void> {
  await tx`delete from user_group_subgroups
    where group_id = ${id} and subgroup_id = any(${[...subgroupIds]}::int[])`
}

/** Every group with its own members and subgroups, by id. */
export async function loadUserGroups(sql: Sql | Transaction): Promise<UserGroupWithMembers[]> {
  return sql<UserGroupWithMembers[]>`
    select id, name, description, creator_id as "creatorId", created_at as "createdAt", is_system as "isSystem",
      is_deactivated as "isDeactivated", permissions,
      array(select user_id from user_group_members where group_id = g.id order by user_id) as "memberIds",
      array(select subgroup_id from user_group_subgroups where group_id = g.id order by subgroup_id) as "subgroupIds"
    from user_groups g order by id`
}
