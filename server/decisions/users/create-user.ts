/** Making accounts, with the channels and groups that they are in from the start. */

import { type BotSetup } from '../../domain/bots.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import { canAddToGroup } from '../../domain/group-access.ts'
import type { ChannelId, GroupId, UserId } from '../../domain/ids.ts'
import { systemGroupsOf } from '../../domain/system-groups.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettings } from '../../domain/user-settings.ts'
import { UserSet } from '../../domain/user-set.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { setupChanged, tellNewBot } from '../bots/tell-bots.ts'
import { notifyPeers } from '../../audience/peers.ts'
import { answering, type Decision } from '../decision.ts'
import { canInviteToChannel } from '../invitations/invitable-channels.ts'
import type { ServerScope } from '../scope.ts'
import { tellEveryone } from '../tell-everyone.ts'

/** The channels and groups that a new user is in from the start. */
export interface InitialMemberships {
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly GroupId[]
  /** Whether they are subscribed to the default channels, too. */
  readonly hasDefaultChannels: boolean
  /** The user whose right to give these is checked; null if no right is needed. */
  readonly giverId: UserId | null
}

/** A user to make. */
export interface NewUserRequest {
  readonly user: Omit<User, 'id' | 'isSystem'>
  /** What is stored of their one API key; see `hashApiKey`. */
  readonly keyHash: string
  /** A bot's setup, where it has more than the plain one. */
  readonly setup?: BotSetup | undefined
  /** Left out, a person who is not a guest is subscribed to the default channels. */
  readonly memberships?: InitialMemberships | undefined
}

/** Makes a user; answers them. Throws a `ChangeRefused` where there can be no such user. */
export function decideNewUser(scope: ServerScope, request: NewUserRequest): Decision<User> {
  const { state } = scope
  const { keyHash, setup, memberships = defaultMemberships(request.user) } = request
  if (!state.organization) throw new ChangeRefused('there is no organization yet: create it first')
  if (state.findUserByEmail(request.user.email))
    throw new ChangeRefused(`${request.user.email} has an account already`)
  if (request.user.botType !== null) checkBotOwner(scope, request.user.botOwnerId)
  const user = { ...request.user, id: state.nextUserId, isSystem: false }
  return answering(user, [
    ...tellNewUser({
      user,
      keyHash,
      // A user who has to wait becomes a full member by `decideFullMembers`.
      isFullMember: state.settings.waitingPeriodDays === 0,
      listeners: state.rights.activeUsers,
      settings: newcomersSettings(scope, user),
    }),
    ...(setup === undefined ? [] : [setupChanged(user.id, setup)]),
    ...(user.botType === null ? [] : tellNewBot(scope, user)),
    ...joinGroups(scope, user, memberships),
    ...joinChannels(scope, user, memberships),
  ])
}

function checkBotOwner({ state }: ServerScope, ownerId: UserId | null): void {
  const owner = ownerId === null ? undefined : state.users.get(ownerId)
  if (!owner?.isActive || owner.botType !== null)
    throw new ChangeRefused('a bot is owned by an active person')
}

/** The settings of a new person that differ from the server's defaults, as the organization has them. */
function newcomersSettings({ state }: ServerScope, { botType }: User): Partial<UserSettings> {
  const { newcomersSettings: settings } = state
  const { defaultLanguage } = state.settings
  if (botType !== null) return {}
  const isDefault = defaultLanguage === USER_SETTINGS_DEFAULTS.defaultLanguage
  return isDefault ? settings : { ...settings, defaultLanguage }
}

/** A new user, and the users who are told of them. */
export interface NewUserNews {
  readonly user: User
  readonly keyHash: string
  readonly isFullMember: boolean
  readonly listeners: UserSet
  /** Those that differ from the defaults. */
  readonly settings?: Partial<UserSettings>
}

/** The events of a new user: the account, its key, and the groups of its role. */
export function tellNewUser({
  user,
  keyHash,
  isFullMember,
  listeners,
  settings = {},
}: NewUserNews): NewEvent[] {
  const audience = { kind: 'users', users: listeners } as const
  const hasSettings = Object.keys(settings).length > 0
  return [
    { event: { type: 'realm_user/add', user, ...(hasSettings ? { settings } : {}) }, audience },
    // Older clients learn from the status that a user does not want to be seen.
    ...(settings.presenceEnabled === false ? [tellAway(user.id, listeners)] : []),
    {
      event: { type: 'api_keys_changed', userId: user.id, keyHashes: [keyHash] },
      audience: { kind: 'nobody' },
    },
    ...systemGroupsOf(user.role, isFullMember).map((groupId): NewEvent => {
      return { event: { type: 'user_group/add_members', groupId, userIds: [user.id] }, audience }
    }),
  ]
}

function tellAway(userId: UserId, listeners: UserSet): NewEvent {
  return {
    event: { type: 'user_status/shown', userId, changes: {}, isAway: true },
    audience: { kind: 'users', users: listeners },
  }
}

function defaultMemberships({ botType, role }: Pick<User, 'botType' | 'role'>): InitialMemberships {
  return {
    channelIds: [],
    groupIds: [],
    giverId: null,
    hasDefaultChannels: botType === null && role !== ROLES.guest,
  }
}

function joinGroups(scope: ServerScope, { id }: User, { groupIds, giverId }: InitialMemberships): NewEvent[] {
  const { state } = scope
  const mayGive = (groupId: GroupId) => {
    const group = state.groups.groups.get(groupId)?.group
    if (!group || group.isDeactivated) return false
    return giverId === null || canAddToGroup(state.getUser(giverId), group, state)
  }
  return groupIds
    .filter(mayGive)
    .map((groupId) => tellEveryone(scope, { type: 'user_group/add_members', groupId, userIds: [id] }))
}

/** Subscribes a new user, and tells the users who see the channels. */
function joinChannels(
  scope: ServerScope,
  { id }: User,
  { channelIds, hasDefaultChannels, giverId }: InitialMemberships,
): NewEvent[] {
  const { state } = scope
  const mayGive = (channelId: ChannelId) => giverId === null || maySubscribeOthers(scope, giverId, channelId)
  const ids = new Set([...channelIds.filter(mayGive), ...(hasDefaultChannels ? state.defaultChannelIds : [])])
  const channels = [...ids]
    .map((channelId) => state.getChannel(channelId))
    .filter(({ channel }) => !channel.isArchived)
  if (channels.length === 0) return []
  const userIds = [id]
  return [
    {
      event: { type: 'subscription/add', channels: channels.map(({ channel }) => channel), userIds },
      audience: { kind: 'users', users: UserSet.of(userIds) },
    },
    ...notifyPeers(
      'subscription/peer_add',
      channels.map((access) => ({ channel: access.channel, userIds, observers: state.observersOf(access) })),
    ),
  ]
}

function maySubscribeOthers({ state }: ServerScope, userId: UserId, channelId: ChannelId): boolean {
  const user = state.getUser(userId)
  const access = state.findReadableChannel(user, channelId)
  return access !== undefined && canInviteToChannel({ state }, user, access)
}
