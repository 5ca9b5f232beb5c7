/** Groups of users. */

import type { UserGroup } from '../entities.ts'
import type { GroupId, UserId } from '../ids.ts'
import type { GroupPermissions } from '../groups/permissions.ts'
import type { ScimGroup } from '../scim/groups.ts'
import type { Rewritten } from '../scim/people.ts'
import type { Secret } from '../secret.ts'
import type { ClientKind } from './client-kind.ts'

export type GroupFact =
  /** The provider of identities describes a group by SCIM otherwise. */
  | {
      readonly type: 'scim_group_changed'
      readonly groupId: GroupId
      readonly stored: Secret<Rewritten<ScimGroup>>
    }
  | {
      readonly type: 'user_group/add'
      readonly group: UserGroup
      /** Active members. */
      readonly memberIds: readonly UserId[]
      readonly subgroupIds: readonly GroupId[]
    }
  | {
      readonly type: 'user_group/update'
      readonly groupId: GroupId
      readonly changes: Partial<Pick<UserGroup, 'name' | 'description' | 'isDeactivated'>> & {
        readonly permissions?: Partial<GroupPermissions>
      }
      readonly clients?: ClientKind
    }
  | {
      readonly type: 'user_group/add_members' | 'user_group/remove_members'
      readonly groupId: GroupId
      readonly userIds: readonly UserId[]
    }
  | {
      readonly type: 'user_group/add_subgroups' | 'user_group/remove_subgroups'
      readonly groupId: GroupId
      readonly subgroupIds: readonly GroupId[]
    }

export type GroupNotice =
  /** A group was reactivated, for clients that do not know deactivated groups. */
  | {
      readonly type: 'user_group/reveal'
      readonly group: UserGroup
      readonly memberIds: readonly UserId[]
      readonly subgroupIds: readonly GroupId[]
      readonly clients: ClientKind
    }
  /** The group stays as it is, but its permissions have other users for clients, as accounts were changed. */
  | {
      readonly type: 'user_group/update_shown'
      readonly groupId: GroupId
      readonly changes: { readonly permissions: Partial<GroupPermissions> }
      readonly clients?: ClientKind
    }
  /** For clients that do not know deactivated groups. */
  | { readonly type: 'user_group/remove'; readonly groupId: GroupId; readonly clients: ClientKind }
  /** Members whose accounts are reactivated or deactivated: they stay members, but clients see only active ones. */
  | {
      readonly type: 'user_group/show_members' | 'user_group/hide_members'
      readonly groupId: GroupId
      readonly userIds: readonly UserId[]
      readonly clients?: ClientKind
    }
