/** The permissions in the organization of the user who registers. */

import { canInvite } from '../../../packages/rules/invitations.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { GroupSetting } from '../../domain/groups/group-settings.ts'
import { BOOLEAN } from '../../domain/json-schema.ts'
import type { ReplyOf } from '../operation.ts'
import type { Services } from '../services.ts'

/** The fields of `viewOwnPermissions`. */
export const OWN_PERMISSION_FIELDS = {
  can_create_streams: {
    schema: BOOLEAN,
    description: 'Whether the user may create public or private channels, for older clients.',
  },
  can_create_public_streams: {
    schema: BOOLEAN,
    description: 'Whether the user may create public channels.',
  },
  can_create_private_streams: {
    schema: BOOLEAN,
    description: 'Whether the user may create private channels.',
  },
  can_create_web_public_streams: {
    schema: BOOLEAN,
    description: 'Whether the user may create web-public channels.',
  },
  can_subscribe_other_users: {
    schema: BOOLEAN,
    description: 'Whether the user may subscribe other users to channels.',
  },
  can_invite_others_to_realm: { schema: BOOLEAN, description: 'Whether the user may invite people.' },
}

/** The user's own permissions in the organization. */
export function viewOwnPermissions(
  user: User,
  { state, hasWebPublicChannels }: Services,
): ReplyOf<typeof OWN_PERMISSION_FIELDS> {
  const { permissions, settings, rights } = state
  const holds = (setting: GroupSetting) => user.role !== ROLES.guest && rights.holds(user, setting)
  const canCreatePublic = holds(permissions.canCreatePublicChannel)
  const canCreatePrivate = holds(permissions.canCreatePrivateChannel)
  return {
    can_create_streams: canCreatePublic || canCreatePrivate,
    can_create_public_streams: canCreatePublic,
    can_create_private_streams: canCreatePrivate,
    can_create_web_public_streams:
      hasWebPublicChannels && settings.hasSpectatorAccess && holds(permissions.canCreateWebPublicChannel),
    can_subscribe_other_users: holds(permissions.canAddSubscribers),
    can_invite_others_to_realm: canInvite(user, permissions.canInviteUsers, rights),
  }
}
