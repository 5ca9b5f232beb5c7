/** The privacy of a channel, and the rights to change it. */

import { canReadChannel } from '../../../packages/rules/channels.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { Channel } from '../../domain/entities.ts'
import type { GroupSetting } from '../../domain/groups/group-settings.ts'
import type { ChannelPermission, OrganizationPermission } from '../../domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../domain/groups/system-groups.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { Scope } from '../scope.ts'

/** The privacy of a channel. */
export type Privacy = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>

/** The same in a word. */
type ChannelKind = 'private' | 'public' | 'web-public'

export function kindOf({ isPrivate, isWebPublic }: Privacy): ChannelKind {
  return isPrivate ? 'private' : isWebPublic ? 'web-public' : 'public'
}

/**
 * Checks the privacy of a request. The rest follows from the given fields: a channel that becomes private is also
 * closed to visitors, and only its subscribers of that time see its history; a private one stays as it is.
 */
export function checkPrivacy(
  { fail }: Pick<Scope<'CHANNEL_HISTORY_CONTRADICTION'>, 'fail'>,
  channel: Privacy,
  given: { readonly [Name in keyof Privacy]: boolean | undefined },
): Privacy {
  const isPrivate = given.isPrivate ?? channel.isPrivate
  const isWebPublic = given.isWebPublic ?? (channel.isWebPublic && !isPrivate)
  const isHistoryPublic =
    given.isHistoryPublic ?? (!isPrivate || (channel.isPrivate && channel.isHistoryPublic))
  if (isPrivate ? isWebPublic : !isHistoryPublic) throw fail('CHANNEL_HISTORY_CONTRADICTION')
  return { isPrivate, isWebPublic, isHistoryPublic }
}

/** How a change of privacy or permissions can be refused. */
export const ACCESS_ERRORS = [
  'CHANNEL_CONTENT_FORBIDDEN',
  'DEFAULT_CHANNEL_PRIVATE',
  'MODERATION_CHANNEL_PUBLIC',
  'PARAMETERS_INCOMPATIBLE',
  'PERMISSION_MISSING',
  'WEB_PUBLIC_DISABLED',
] as const

/** A channel before and after a change. */
export interface AccessChange {
  readonly before: ChannelState
  readonly after: Channel
  /** The kinds of changes, and the names of the permissions that change. */
  readonly changed: ReadonlySet<string>
  /** Whether it is a default channel afterwards. */
  readonly isDefault: boolean
  /** Whether the server allows web-public channels. */
  readonly hasWebPublicChannels: boolean
}

/** Throws if the caller, or anyone, may not change the channel's privacy or permissions in this way. */
export function checkAccessChange(
  scope: Scope<(typeof ACCESS_ERRORS)[number]>,
  { before, after, changed, isDefault, hasWebPublicChannels }: AccessChange,
): void {
  const { state, caller, fail } = scope
  const changesAny = (...names: readonly (ChannelPermission | 'privacy')[]) =>
    names.some((name) => changed.has(name))
  if (
    changesAny('privacy', 'canAddSubscribers', 'canSubscribe') &&
    !canReadChannel(caller, before, state.rights)
  ) {
    throw fail('CHANNEL_CONTENT_FORBIDDEN')
  }
  const mayRestrictDeletion =
    isAdministrator(caller) || state.rights.holds(caller, state.permissions.canSetDeleteMessagePolicy)
  if (changesAny('canDeleteAnyMessage', 'canDeleteOwnMessage') && !mayRestrictDeletion) {
    throw fail('PERMISSION_MISSING')
  }
  if (changesAny('privacy', 'canCreateTopic')) checkHistory(scope, after, after.permissions.canCreateTopic)
  if (changesAny('privacy') && state.settings.moderationChannelId === after.id && !after.isPrivate) {
    throw fail('MODERATION_CHANNEL_PUBLIC')
  }
  if (after.isPrivate && isDefault) throw fail('DEFAULT_CHANNEL_PRIVATE')
  const kind = kindOf(after)
  // Changing a channel to another kind needs the right to make channels of that kind. Administrators need it
  // only to open a channel to the web.
  const isFree = kind !== 'web-public' && isAdministrator(caller)
  if (kind !== kindOf(before.channel) && !isFree) checkCreator(scope, kind, hasWebPublicChannels)
}

/** A user who may read only later messages does not see which topics exist, so everyone may start them. */
export function checkHistory(
  { fail }: Pick<Scope<'PARAMETERS_INCOMPATIBLE'>, 'fail'>,
  { isHistoryPublic }: Pick<Privacy, 'isHistoryPublic'>,
  canCreateTopic: GroupSetting,
): void {
  if (isHistoryPublic || canCreateTopic === SYSTEM_GROUPS.everyone) return
  const names = ['history_public_to_subscribers', 'can_create_topic_group']
  throw fail('PARAMETERS_INCOMPATIBLE', { names })
}

/** The permissions to make channels of each kind. */
const CREATORS: Readonly<Record<ChannelKind, OrganizationPermission>> = {
  private: 'canCreatePrivateChannel',
  public: 'canCreatePublicChannel',
  'web-public': 'canCreateWebPublicChannel',
}

/** Throws if the caller may not make channels of a kind, or if the organization allows none. */
export function checkCreator(
  scope: Scope<'WEB_PUBLIC_DISABLED' | 'PERMISSION_MISSING'>,
  kind: ChannelKind,
  hasWebPublicChannels: boolean,
): void {
  if (kind === 'web-public' && !(hasWebPublicChannels && scope.state.settings.hasSpectatorAccess)) {
    throw scope.fail('WEB_PUBLIC_DISABLED')
  }
  checkPermission(scope, CREATORS[kind])
}

/** Throws if the caller does not hold one of the organization's permissions. */
export function checkPermission(
  { state, caller, fail }: Scope<'PERMISSION_MISSING'>,
  permission: OrganizationPermission,
): void {
  if (!state.rights.holds(caller, state.permissions[permission])) throw fail('PERMISSION_MISSING')
}
