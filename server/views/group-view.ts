/** User groups for clients. */

import { derivedWith } from '../domain/messages/derived.ts'
import type { LogEvent } from '../domain/events.ts'
import type { GroupState } from '../domain/groups/group-graph.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { CachedPiece } from './json-pieces.ts'
import { permissionSchemas, viewPermissions } from './permission-view.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import { GROUP_PERMISSIONS } from '../domain/groups/permissions.ts'

const PERMISSIONS = permissionSchemas(GROUP_PERMISSIONS)

/** Schema of `viewGroup`. */
export const USER_GROUP = record({
  id: INTEGER,
  name: STRING,
  description: STRING,
  creator_id: orNull(INTEGER),
  date_created: orNull(INTEGER),
  members: arrayOf(INTEGER),
  direct_subgroup_ids: arrayOf(INTEGER),
  is_system_group: BOOLEAN,
  deactivated: BOOLEAN,
  ...PERMISSIONS,
})

/** Schema of `viewGroupChange`. */
export const USER_GROUP_CHANGE = record(
  {},
  { name: STRING, description: STRING, deactivated: BOOLEAN, ...PERMISSIONS },
)

/** The group object of `GET /user_groups`. */
export function viewGroup(
  { group, directMembers, directSubgroups }: GroupState,
  activeUsers: UserSet,
): ValueOf<typeof USER_GROUP> {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    members: directMembers.intersection(activeUsers).toArray(),
    direct_subgroup_ids: directSubgroups,
    is_system_group: group.isSystem,
    deactivated: group.isDeactivated,
    ...viewPermissions(group.permissions, activeUsers),
  }
}

/** The same as JSON. All viewers share it until the group or a user account changes. */
export const encodeGroup = derivedWith(
  (group: GroupState, activeUsers: UserSet) =>
    new CachedPiece(Buffer.from(JSON.stringify(viewGroup(group, activeUsers)))),
)

type GroupChanges = Extract<LogEvent, { type: 'user_group/update' }>['changes']

/** The changed fields of a group. */
export function viewGroupChange(
  { name, description, isDeactivated, permissions }: GroupChanges,
  activeUsers: UserSet,
): ValueOf<typeof USER_GROUP_CHANGE> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(isDeactivated === undefined ? {} : { deactivated: isDeactivated }),
    ...viewPermissions(permissions ?? {}, activeUsers),
  }
}
