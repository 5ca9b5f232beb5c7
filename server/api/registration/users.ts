/** The initial state of users, bots and groups, and of the user who registers. */

import { ROLES, type User } from '../../domain/entities.ts'
import type { GroupSetting } from '../../domain/group-settings.ts'
import { canAdministerUser } from '../../domain/user-access.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { viewBot } from '../../views/bot-view.ts'
import { encodeUsers } from '../../views/encode-users.ts'
import { encodeGroup } from '../../views/group-view.ts'
import { PROFILE_FIELD_TYPES_VIEW, viewProfileField } from '../../views/profile-field-view.ts'
import { viewLegacySettings, viewSettings } from '../../views/settings-view.ts'
import { viewStatuses } from '../../views/status-view.ts'
import { viewAvatar, viewUser } from '../../views/user-view.ts'
import { EncodedField } from '../operation.ts'
import type { Services } from '../services.ts'
import type { Fields, RegistrationContext } from './context.ts'

/** `realm_user`. */
export function fetchUsers({ user, services, options }: RegistrationContext): Fields {
  const { state } = services
  const list = (accounts: 'active' | 'deactivated') =>
    EncodedField.list(
      encodeUsers(user, state, {
        accounts,
        clientGravatar: options.clientGravatar,
        hasProfile: true,
        isIncomplete: options.hasIncompleteUsers,
      }).map((piece) => [piece]),
    )
  const systemBots = botsOf(state).filter(({ isSystem }) => isSystem)
  return {
    realm_users: list('active'),
    realm_non_active_users: list('deactivated'),
    cross_realm_bots: systemBots.map((bot) =>
      viewUser(bot, user, state, { clientGravatar: options.clientGravatar, hasProfile: true }),
    ),
    user_id: user.id,
    email: state.apiEmailOf(user),
    delivery_email: user.email,
    full_name: user.fullName,
    ...viewAvatar(user, state),
    is_owner: user.role === ROLES.owner,
    is_admin: user.role <= ROLES.administrator,
    is_moderator: user.role <= ROLES.moderator,
    is_guest: user.role === ROLES.guest,
    ...viewOwnPermissions(user, services),
  }
}

/** The user's own permissions in the organization. */
function viewOwnPermissions(user: User, { state, hasWebPublicChannels }: Services): Fields {
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
    can_invite_others_to_realm: user.botType === null && holds(permissions.canInviteUsers),
  }
}

function botsOf(state: OrganizationState): User[] {
  return state.bots.toArray().map((id) => state.getUser(id))
}

/** `realm_bot`: the bots that the user manages. */
export function fetchBots({ user, services: { state } }: RegistrationContext): Fields {
  const managed = botsOf(state).filter((bot) => !bot.isSystem && canAdministerUser(user, bot))
  return { realm_bots: managed.map((bot) => viewBot(bot, user, state)) }
}

/** `realm_user_groups`, `user_group`. */
export function fetchGroups({ services: { state }, options }: RegistrationContext): Fields {
  const groups = [...state.groups.groups.values()]
  const known = options.hasDeactivatedGroups ? groups : groups.filter(({ group }) => !group.isDeactivated)
  return {
    realm_user_groups: EncodedField.list(
      known.map((group) => [encodeGroup(group, state.rights.activeUsers)]),
    ),
  }
}

/** `custom_profile_fields`. */
export function fetchProfileFields({ services: { state } }: RegistrationContext): Fields {
  return {
    custom_profile_fields: state.profileFields.map(viewProfileField),
    custom_profile_field_types: PROFILE_FIELD_TYPES_VIEW,
  }
}

/** `user_settings`. */
export function fetchSettings({ user, services: { state } }: RegistrationContext): Fields {
  return { user_settings: viewSettings(state.settingsOf(user.id), user) }
}

/** `update_display_settings`, `update_global_notifications`: the settings for legacy clients. */
export function fetchLegacySettings(
  type: Parameters<typeof viewLegacySettings>[0],
  { user, services: { state }, options }: RegistrationContext,
): Fields {
  return options.hasSettingsObject ? {} : viewLegacySettings(type, state.settingsOf(user.id), user)
}

/** `presence`. */
export function fetchPresences({ user, services, presence }: RegistrationContext): Fields {
  const { presences, clock } = services
  // The full list in the legacy form is encoded already, as viewers who know all users see it.
  const isEveryone = presence.isLegacy && presence.sinceId === undefined && presence.daysMax === undefined
  const isShared = isEveryone && services.state.sight.of(user.id) === undefined
  return {
    presences: isShared
      ? new EncodedField(['{', ...presences.encodeEveryone(), '}'])
      : new EncodedField([presences.encode(presence, user.id)]),
    presence_last_update_id: presences.lastId,
    server_timestamp: clock.nowMs() / 1000,
  }
}

/** `user_status`. */
export function fetchStatuses({ user, services: { state } }: RegistrationContext): Fields {
  return { user_status: viewStatuses(user.id, state) }
}
