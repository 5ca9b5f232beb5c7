/** Who a channel is open to, and what changing that takes. */

import { canReadChannel, isAdministrator } from '../../domain/channel-access.ts'
import type { Channel, User } from '../../domain/entities.ts'
import type { GroupSetting } from '../../domain/group-settings.ts'
import type { ChannelPermission, OrganizationPermission } from '../../domain/permissions.ts'
import { SYSTEM_GROUPS } from '../../domain/system-groups.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'

/** The part of a channel that says who it is open to. */
export type Privacy = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>

/** Who a channel is open to in a word. */
export type ChannelKind = 'private' | 'public' | 'web-public'

export function kindOf({ isPrivate, isWebPublic }: Privacy): ChannelKind {
  return isPrivate ? 'private' : isWebPublic ? 'web-public' : 'public'
}

/**
 * The privacy that a request asks for. What it does not say follows: who closes a channel closes it to
 * visitors too and keeps its past to those who were there; a channel that stays private stays as it was.
 */
export function readPrivacy(
  channel: Privacy,
  given: { readonly [Name in keyof Privacy]: boolean | undefined },
  fail: Fail<'CHANNEL_HISTORY_CONTRADICTION'>,
): Privacy {
  const isPrivate = given.isPrivate ?? channel.isPrivate
  const isWebPublic = given.isWebPublic ?? (channel.isWebPublic && !isPrivate)
  const isHistoryPublic =
    given.isHistoryPublic ?? (!isPrivate || (channel.isPrivate && channel.isHistoryPublic))
  if (isPrivate ? isWebPublic : !isHistoryPublic) throw fail('CHANNEL_HISTORY_CONTRADICTION')
  return { isPrivate, isWebPublic, isHistoryPublic }
}

/** What is said of a change of privacy or permissions that may not be. */
export type AccessFail = Fail<
  | 'CHANNEL_CONTENT_FORBIDDEN'
  | 'DEFAULT_CHANNEL_PRIVATE'
  | 'MODERATION_CHANNEL_PUBLIC'
  | 'PARAMETERS_INCOMPATIBLE'
  | 'PERMISSION_MISSING'
  | 'WEB_PUBLIC_DISABLED'
>

/** A channel before and after what a caller wants of it. */
export interface AccessChange {
  readonly caller: User
  readonly before: ChannelState
  readonly after: Channel
  readonly changed: ReadonlySet<ChannelPermission | 'privacy'>
  /** Whether it is a default channel afterwards. */
  readonly isDefault: boolean
  /** Whether the server allows web-public channels. */
  readonly hasWebPublicChannels: boolean
}

/** Throws where the caller may not change the channel's privacy or permissions so, or nobody may. */
export function checkAccessChange(state: OrganizationState, change: AccessChange, fail: AccessFail): void {
  const { caller, before, after, changed } = change
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
  if (changesAny('privacy', 'canCreateTopic')) {
    checkHistory(after.isHistoryPublic, after.permissions.canCreateTopic, fail)
  }
  if (changesAny('privacy') && state.settings.moderationChannelId === after.id && !after.isPrivate) {
    throw fail('MODERATION_CHANNEL_PUBLIC')
  }
  if (after.isPrivate && change.isDefault) throw fail('DEFAULT_CHANNEL_PRIVATE')
  const kind = kindOf(after)
  // A channel becomes one of another kind only by users who may make such channels, and by administrators, who may
  // change everything but open it to the web without that right.
  const isFree = kind !== 'web-public' && isAdministrator(caller)
  if (kind !== kindOf(before.channel) && !isFree) {
    checkCreator(kind, caller, state, change.hasWebPublicChannels, fail)
  }
}

/** Who may read only what was sent while they were there cannot tell which topics there are, so everyone may start them. */
export function checkHistory(
  isHistoryPublic: boolean,
  canCreateTopic: GroupSetting,
  fail: Fail<'PARAMETERS_INCOMPATIBLE'>,
): void {
  if (isHistoryPublic || canCreateTopic === SYSTEM_GROUPS.everyone) return
  const names = ['history_public_to_subscribers', 'can_create_topic_group']
  throw fail('PARAMETERS_INCOMPATIBLE', { names })
}

/** Who may make channels of each kind. */
const CREATORS: Readonly<Record<ChannelKind, OrganizationPermission>> = {
  private: 'canCreatePrivateChannel',
  public: 'canCreatePublicChannel',
  'web-public': 'canCreateWebPublicChannel',
}

/** Throws where a caller may not make channels of a kind, or nobody may here. */
export function checkCreator(
  kind: ChannelKind,
  caller: User,
  { settings, permissions, rights }: OrganizationState,
  hasWebPublicChannels: boolean,
  fail: Fail<'WEB_PUBLIC_DISABLED' | 'PERMISSION_MISSING'>,
): void {
  if (kind === 'web-public' && !(hasWebPublicChannels && settings.hasSpectatorAccess)) {
    throw fail('WEB_PUBLIC_DISABLED')
  }
  if (!rights.holds(caller, permissions[CREATORS[kind]])) throw fail('PERMISSION_MISSING')
}
