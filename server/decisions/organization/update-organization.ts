/** Changes of the organization's name, description, settings and permissions, and of the defaults of new users. */

import type { OrganizationChange } from '../../domain/events/organization.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { OrganizationSettings } from '../../domain/organization/organization-settings.ts'
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../../domain/groups/permissions.ts'
import { checkAdministrator, checkOwner } from '../check-caller.ts'
import { type Decision, done } from '../decision.ts'
import {
  checkPermissionUpdates,
  checkSystemGroups,
  GROUP_SETTING_ERRORS,
  type PermissionUpdates,
} from '../group-settings.ts'
import type { Scope } from '../scope.ts'
import { changeOrganization } from './change-organization.ts'
import type { Fact } from '../../domain/events.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettingChange } from '../../domain/users/user-settings.ts'

/** Changes of the organization; undefined keeps the present value. */
export interface UpdateOrganizationRequest {
  readonly name: string | undefined
  readonly description: string | undefined
  /** HTML. */
  readonly renderedDescription: string
  readonly settings: Partial<OrganizationSettings>
  /** Whether an older client asks for an edit history: a history of moves alone satisfies it. */
  readonly isAnyHistoryEnough: boolean
  readonly permissions: PermissionUpdates<OrganizationPermission>
  /** Whether the operator allows web-public channels. */
  readonly hasWebPublicChannels: boolean
}

/** How changing the organization can fail. */
export const UPDATE_ORGANIZATION_ERRORS = [
  'ROLE_REQUIRED',
  'WEB_PUBLIC_DISABLED',
  'GRAVATAR_DISABLED',
  'CHANNEL_UNKNOWN',
  'MODERATION_CHANNEL_PUBLIC',
  'OWN_FACTOR_MISSING',
  ...GROUP_SETTING_ERRORS,
  'SYSTEM_GROUP_REQUIRED',
  'EXPECTATION_MISMATCH',
] as const

/** Only owners change these, since they decide who has more rights. */
const OWNERS_PERMISSIONS: readonly OrganizationPermission[] = [
  'canCreateGroups',
  'canInviteUsers',
  'canManageAllGroups',
  'canManageBilling',
  'createMultiuseInvite',
]
const OWNERS_SETTINGS: readonly (keyof OrganizationSettings)[] = [
  'waitingPeriodDays',
  'messageRetentionDays',
  'secondFactorGraceDays',
  'joinsWithoutConfirmation',
  'emailsRestrictedToDomains',
  'disallowDisposableEmailAddresses',
]

/** Changes the organization, or fails without any change. */
export function decideOrganizationUpdate(
  scope: Scope<(typeof UPDATE_ORGANIZATION_ERRORS)[number]>,
  request: UpdateOrganizationRequest,
): Decision<void> {
  const { name, description, renderedDescription, permissions: updates } = request
  checkAdministrator(scope)
  if (isForOwners(request)) checkOwner(scope)
  const permissions = checkPermissionUpdates(
    scope,
    ORGANIZATION_PERMISSIONS,
    updates,
    scope.state.permissions,
  )
  checkSystemGroups(scope, ORGANIZATION_PERMISSIONS, permissions)
  const change: OrganizationChange = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description, renderedDescription }),
    settings: checkSettings(scope, request),
    permissions,
  }
  return done(changeOrganization(scope, change))
}

function isForOwners({ settings, permissions }: UpdateOrganizationRequest): boolean {
  return (
    OWNERS_SETTINGS.some((name) => settings[name] !== undefined) ||
    OWNERS_PERMISSIONS.some((name) => permissions[name] !== undefined)
  )
}

type SettingsScope = Scope<
  | 'WEB_PUBLIC_DISABLED'
  | 'GRAVATAR_DISABLED'
  | 'CHANNEL_UNKNOWN'
  | 'MODERATION_CHANNEL_PUBLIC'
  | 'OWN_FACTOR_MISSING'
>

function checkSettings(
  scope: SettingsScope,
  { settings, isAnyHistoryEnough, hasWebPublicChannels }: UpdateOrganizationRequest,
): Partial<OrganizationSettings> {
  const { state, fail } = scope
  if (settings.hasSpectatorAccess && !hasWebPublicChannels) throw fail('WEB_PUBLIC_DISABLED')
  if (settings.defaultPictureSource === 'G' && !state.usesGravatar) throw fail('GRAVATAR_DISABLED')
  if (settings.announcementsChannelId != null) checkChannel(scope, settings.announcementsChannelId)
  if (settings.moderationChannelId != null && !checkChannel(scope, settings.moderationChannelId).isPrivate)
    throw fail('MODERATION_CHANNEL_PUBLIC')
  const { editHistoryVisibility: present } = state.settings
  const history = isAnyHistoryEnough && present !== 'none' ? { editHistoryVisibility: present } : {}
  return { ...settings, ...history, ...requireFactor(scope, settings) }
}

/** The time at which a second factor is required, if that changes. The owner must have one: they would be locked out, too. */
function requireFactor(
  { state, caller, now, fail }: SettingsScope,
  { secondFactorGraceDays: days }: Partial<OrganizationSettings>,
): Partial<OrganizationSettings> {
  if (days === undefined) return {}
  if (days === null) return { secondFactorRequiredAt: null }
  if (!state.appUsers.has(caller.id)) throw fail('OWN_FACTOR_MISSING')
  return { secondFactorRequiredAt: state.settings.secondFactorRequiredAt ?? now }
}

/** A channel that the caller can see and that is not archived. */
function checkChannel({ state, caller, fail }: SettingsScope, channelId: ChannelId) {
  const channel = state.findVisibleChannel(caller, channelId)?.channel
  if (!channel || channel.isArchived) throw fail('CHANNEL_UNKNOWN')
  return channel
}

/** Changes the default settings; present users keep theirs. */
export function decideDefaultSettings(
  scope: Scope<'ROLE_REQUIRED'>,
  { changes }: { readonly changes: readonly UserSettingChange[] },
): Decision<void> {
  checkAdministrator(scope)
  const present: Readonly<Record<string, unknown>> = {
    ...USER_SETTINGS_DEFAULTS,
    ...scope.state.newUserSettings,
  }
  return done(
    changes
      .filter(({ name, value }) => present[name] !== value)
      .map((change): Fact => ({ type: 'realm_user_settings_defaults/update', change })),
  )
}
