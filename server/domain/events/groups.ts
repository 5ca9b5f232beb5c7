/** What happens to groups of users. */

import type { UserGroup } from '../entities.ts'
import type { GroupId, UserId } from '../ids.ts'
import type { GroupPermissions } from '../permissions.ts'
import type { ClientKind } from './client-kind.ts'

/** A group, or who is in it. */
export type GroupEvent =
  | {
      readonly type: 'user_group/add'
      readonly group: UserGroup
      /** Active ones. */
      readonly memberIds: readonly UserId[]
      readonly subgroupIds: readonly GroupId[]
    }
  /** A group is active again, for clients that did not know it while it was not. */
  | {
      readonly type: 'user_group/reveal'
      readonly group: UserGroup
      readonly memberIds: readonly UserId[]
      readonly subgroupIds: readonly GroupId[]
      readonly clients: ClientKind
    }
  | {
      readonly type: 'user_group/update'
      readonly groupId: GroupId
      readonly changes: Partial<Pick<UserGroup, 'name' | 'description' | 'isDeactivated'>> & {
        readonly permissions?: Partial<GroupPermissions>
      }
      readonly clients?: ClientKind
    }
  /** The group stays as it is, but clients see other users in its permissions: accounts came or went. */
  | {
      readonly type: 'user_group/update_shown'
      readonly groupId: GroupId
      readonly changes: { readonly permissions: Partial<GroupPermissions> }
      readonly clients?: ClientKind
    }
  /** To clients that know no deactivated groups. */
  | { readonly type: 'user_group/remove'; readonly groupId: GroupId; readonly clients: ClientKind }
  | {
      readonly type: 'user_group/add_members' | 'user_group/remove_members'
      readonly groupId: GroupId
      readonly userIds: readonly UserId[]
    }
  /** Members whose accounts come back or go: they stay members, but clients see the active ones alone. */
  | {
      readonly type: 'user_group/show_members' | 'user_group/hide_members'
      readonly groupId: GroupId
      readonly userIds: readonly UserId[]
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'user_group/add_subgroups' | 'user_group/remove_subgroups'
      readonly groupId: GroupId
      readonly subgroupIds: readonly GroupId[]
    }
