/** The settings of a new channel, and the rights to make it. */

import type { NewChannelSettings, TopicsPolicy } from '../../domain/entities.ts'
import { isSameGroupSetting } from '../../domain/groups/group-settings.ts'
import type { FolderId } from '../../domain/ids.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  type ChannelPermissions,
  completePermissions,
} from '../../domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../domain/groups/system-groups.ts'
import { checkPermissions, GROUP_SETTING_ERRORS, type GivenPermissions } from '../group-settings.ts'
import { checkOwner } from '../check-caller.ts'
import type { Scope } from '../scope.ts'
import {
  checkCreator,
  checkHistory,
  checkPermission,
  checkPrivacy,
  kindOf,
  type Privacy,
} from './channel-privacy.ts'

/** How new channels can be refused. */
export const NEW_CHANNEL_ERRORS = [
  'SHARE_SPENT',
  ...GROUP_SETTING_ERRORS,
  'ROLE_REQUIRED',
  'PERMISSION_MISSING',
  'CHANNEL_HISTORY_CONTRADICTION',
  'PARAMETERS_INCOMPATIBLE',
  'DEFAULT_CHANNEL_PRIVATE',
  'WEB_PUBLIC_DISABLED',
  'FOLDER_UNKNOWN',
] as const

type NewChannelScope = Scope<(typeof NEW_CHANNEL_ERRORS)[number]>

const PUBLIC: Privacy = { isPrivate: false, isWebPublic: false, isHistoryPublic: true }

/** A new channel, as the request has it, not checked yet. */
export interface NewChannelRequest {
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  /** Undefined derives it from the channel's privacy. */
  readonly isHistoryPublic: boolean | undefined
  readonly retentionDays: number | null
  readonly topicsPolicy: TopicsPolicy
  readonly folderId: FolderId | null
  /** Whether new users are subscribed to it. */
  readonly isDefault: boolean
  /** Whether this server can open channels to the web. */
  readonly hasWebPublicChannels: boolean
  readonly permissions: GivenPermissions<ChannelPermission>
}

/** A public channel with default settings. */
export const PLAIN_CHANNEL: NewChannelRequest = {
  isPrivate: false,
  isWebPublic: false,
  isHistoryPublic: undefined,
  retentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  isDefault: false,
  hasWebPublicChannels: false,
  permissions: {},
}

/** The settings of a channel that the caller makes, checked. */
export function checkNewChannel(scope: NewChannelScope, request: NewChannelRequest): NewChannelSettings {
  const { state, fail } = scope
  const { folderId } = request
  const privacy = checkPrivacy(scope, PUBLIC, request)
  if (request.isDefault && privacy.isPrivate) throw fail('DEFAULT_CHANNEL_PRIVATE')
  if (folderId !== null && !state.folders.some(({ id, isArchived }) => id === folderId && !isArchived))
    throw fail('FOLDER_UNKNOWN')
  const given = checkPermissions(scope, CHANNEL_PERMISSIONS, request.permissions)
  checkHistory(scope, privacy, given.canCreateTopic ?? SYSTEM_GROUPS.everyone)
  checkCreator(scope, kindOf(privacy), request.hasWebPublicChannels)
  checkRights(scope, request, given)
  return settingsOf(scope, { ...request, ...privacy }, given)
}

/** The settings of a public channel with default settings, checked for the caller. */
export function checkPlainChannel(scope: Scope<'PERMISSION_MISSING'>): NewChannelSettings {
  checkPermission(scope, 'canCreatePublicChannel')
  return settingsOf(scope, { ...PLAIN_CHANNEL, ...PUBLIC }, {})
}

function settingsOf(
  { caller, now }: Scope,
  {
    retentionDays,
    topicsPolicy,
    folderId,
    isPrivate,
    isWebPublic,
    isHistoryPublic,
  }: NewChannelRequest & Privacy,
  given: Partial<ChannelPermissions>,
): NewChannelSettings {
  return {
    createdAt: now,
    creatorId: caller.id,
    isPrivate,
    isWebPublic,
    isHistoryPublic,
    retentionDays,
    topicsPolicy,
    hasLinkPreviews: true,
    folderId,
    isArchived: false,
    permissions: completePermissions(CHANNEL_PERMISSIONS, given, caller.id),
  }
}

/** Throws if the caller may not choose a setting. */
function checkRights(
  scope: Scope<'PERMISSION_MISSING' | 'ROLE_REQUIRED'>,
  request: NewChannelRequest,
  given: Partial<ChannelPermissions>,
): void {
  const { caller, fail } = scope
  if (request.isDefault && !isAdministrator(caller)) throw fail('PERMISSION_MISSING')
  if (request.retentionDays !== null) checkOwner(scope)
  if (request.topicsPolicy !== 'inherit') checkPermission(scope, 'canSetTopicsPolicy')
  const deleters = [given.canDeleteAnyMessage, given.canDeleteOwnMessage]
  const restrictsDeletion = deleters.some(
    (setting) => setting !== undefined && !isSameGroupSetting(setting, SYSTEM_GROUPS.nobody),
  )
  if (restrictsDeletion && !isAdministrator(caller)) checkPermission(scope, 'canSetDeleteMessagePolicy')
}
