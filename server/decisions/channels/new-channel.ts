/** What a new channel is made with, and who may make one so. */

import type { NewChannelSettings, TopicsPolicy, User } from '../../domain/entities.ts'
import { isSameGroupSetting } from '../../domain/group-settings.ts'
import type { FolderId } from '../../domain/ids.ts'
import { isAdministrator } from '../../domain/channel-access.ts'
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  type ChannelPermissions,
  completePermissions,
  type OrganizationPermission,
} from '../../domain/permissions.ts'
import { ROLES } from '../../domain/roles.ts'
import { SYSTEM_GROUPS } from '../../domain/system-groups.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'
import { checkPermissions, type GivenPermissions, type GROUP_SETTING_ERRORS } from '../group-settings.ts'
import { requireOwner } from '../require-role.ts'
import {
  checkCreator,
  checkHistory,
  type ChannelKind,
  kindOf,
  type Privacy,
  readPrivacy,
} from './channel-privacy.ts'

/** Why a new channel may not be made so. */
export type NewChannelFail = Fail<
  | 'ROLE_REQUIRED'
  | 'PERMISSION_MISSING'
  | 'CHANNEL_HISTORY_CONTRADICTION'
  | 'PARAMETERS_INCOMPATIBLE'
  | 'DEFAULT_CHANNEL_PRIVATE'
  | 'WEB_PUBLIC_DISABLED'
  | 'FOLDER_UNKNOWN'
  | 'SHARE_SPENT'
  | (typeof GROUP_SETTING_ERRORS)[number]
>

const PUBLIC: Privacy = { isPrivate: false, isWebPublic: false, isHistoryPublic: true }
/** What is asked for in a new channel, not checked yet. */
export interface NewChannelRequest {
  readonly createdAt: number
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  /** Undefined leaves it to the channel's privacy. */
  readonly isHistoryPublic: boolean | undefined
  readonly retentionDays: number | null
  readonly topicsPolicy: TopicsPolicy
  readonly folderId: FolderId | null
  /** Whether new users are subscribed to it. */
  readonly isDefault: boolean
  /** Whether this server opens channels to the web at all. */
  readonly hasWebPublicChannels: boolean
  readonly permissions: GivenPermissions<ChannelPermission>
}

/** A public channel with nothing special about it, but for what is given. */
export function newChannelRequest(
  createdAt: number,
  given: Partial<NewChannelRequest> = {},
): NewChannelRequest {
  return {
    createdAt,
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: undefined,
    retentionDays: null,
    topicsPolicy: 'inherit',
    folderId: null,
    isDefault: false,
    hasWebPublicChannels: false,
    permissions: {},
    ...given,
  }
}

/** Throws where a caller may not make such a channel, whatever its name. */
export function checkMaker(
  state: OrganizationState,
  caller: User,
  request: NewChannelRequest,
  fail: NewChannelFail,
): void {
  if (caller.role === ROLES.guest) throw fail('ROLE_REQUIRED', { role: 'member' })
  newChannelSettings(state, caller, request, fail)
}

/** The settings of the channels that a caller makes, or why they may not. */
export function newChannelSettings(
  state: OrganizationState,
  caller: User,
  request: NewChannelRequest,
  fail: NewChannelFail,
): NewChannelSettings {
  const { createdAt, retentionDays, topicsPolicy, folderId } = request
  const privacy = readPrivacy(PUBLIC, request, fail)
  if (request.isDefault && privacy.isPrivate) throw fail('DEFAULT_CHANNEL_PRIVATE')
  if (folderId !== null && !state.folders.some(({ id, isArchived }) => id === folderId && !isArchived))
    throw fail('FOLDER_UNKNOWN')
  const given = checkPermissions({ state, fail }, CHANNEL_PERMISSIONS, request.permissions)
  checkHistory(privacy.isHistoryPublic, given.canCreateTopic ?? SYSTEM_GROUPS.everyone, fail)
  checkRights(state, caller, request, kindOf(privacy), given, fail)
  return {
    createdAt,
    creatorId: caller.id,
    ...privacy,
    retentionDays,
    topicsPolicy,
    folderId,
    isArchived: false,
    permissions: completePermissions(CHANNEL_PERMISSIONS, given, caller.id),
  }
}

function checkRights(
  state: OrganizationState,
  caller: User,
  request: NewChannelRequest,
  kind: ChannelKind,
  given: Partial<ChannelPermissions>,
  fail: NewChannelFail,
): void {
  const demand = (permission: OrganizationPermission) => {
    if (!state.rights.holds(caller, state.permissions[permission])) throw fail('PERMISSION_MISSING')
  }
  checkCreator(kind, caller, state, request.hasWebPublicChannels, fail)
  if (request.isDefault && !isAdministrator(caller)) throw fail('PERMISSION_MISSING')
  if (request.retentionDays !== null) requireOwner(caller, fail)
  if (request.topicsPolicy !== 'inherit') demand('canSetTopicsPolicy')
  const deleters = [given.canDeleteAnyMessage, given.canDeleteOwnMessage]
  const restrictsDeletion = deleters.some(
    (setting) => setting !== undefined && !isSameGroupSetting(setting, SYSTEM_GROUPS.nobody),
  )
  if (restrictsDeletion && !isAdministrator(caller)) demand('canSetDeleteMessagePolicy')
}
