/** Makes accounts, with their initial channels and groups. */

import { type BotSetup } from '../../domain/users/bots.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import { canAddToGroup } from '../../../packages/rules/groups.ts'
import type { ChannelId, GroupId, UserId } from '../../domain/ids.ts'
import type { PictureId, PictureSource } from '../../domain/files/pictures.ts'
import { systemGroupsOf } from '../../domain/groups/system-groups.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettings } from '../../domain/users/user-settings.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { answering, type Decision } from '../decision.ts'
import { canInviteToChannel } from '../invitations/invitable-channels.ts'
import type { ServerScope } from '../scope.ts'

/** The initial channels and groups of a new user. */
export interface InitialMemberships {
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly GroupId[]
  /** Whether it includes the default channels. */
  readonly hasDefaultChannels: boolean
  /** The user who must have the right to give these; null if no right is needed. */
  readonly granterId: UserId | null
}

/** A user to make. */
export interface NewUserRequest {
  readonly user: Omit<User, 'id' | 'isSystem'>
  /** The stored form of their one API key; see `hashApiKey`. */
  readonly keyHash: string
  /** A bot's setup, unless it is the plain one. */
  readonly setup?: BotSetup | undefined
  /** Undefined for the picture of their source. */
  readonly pictureId?: PictureId | undefined
  /** Without it, a person who is not a guest is subscribed to the default channels. */
  readonly memberships?: InitialMemberships | undefined
}

/** Makes a user; answers them. Throws a `ChangeRefused` if the user is not valid. */
export function decideNewUser(scope: ServerScope, request: NewUserRequest): Decision<User> {
  const { state } = scope
  const { keyHash, setup, pictureId, memberships = defaultMemberships(request.user) } = request
  if (!state.organization) throw new ChangeRefused('there is no organization yet: create it first')
  if (state.findUserByEmail(request.user.email))
    throw new ChangeRefused(`${request.user.email} already has an account`)
  if (request.user.botType !== null) checkBotOwner(scope, request.user.botOwnerId)
  const user = { ...request.user, id: state.nextUserId, isSystem: false }
  return answering(user, [
    ...addUser({
      user,
      keyHash,
      pictureId,
      pictureSource: state.settings.defaultPictureSource,
      // A user with a waiting period becomes a full member by `decideFullMembers`.
      isFullMember: state.settings.waitingPeriodDays === 0,
      settings: newUserSettings(scope, user),
    }),
    ...(setup === undefined ? [] : [{ type: 'bot_setup_changed', botId: user.id, setup } as const]),
    ...givenGroups(scope, memberships).map((groupId) => joinGroup(user, groupId)),
    ...joinChannels(scope, user, memberships),
  ])
}

function checkBotOwner({ state }: ServerScope, ownerId: UserId | null): void {
  const owner = ownerId === null ? undefined : state.users.get(ownerId)
  if (!owner?.isActive || owner.botType !== null)
    throw new ChangeRefused('the owner of a bot must be an active person')
}

/** The organization's default settings that differ from the server's. */
function newUserSettings({ state }: ServerScope, { botType }: User): Partial<UserSettings> {
  const { newUserSettings: settings } = state
  const { defaultLanguage } = state.settings
  if (botType !== null) return {}
  const isDefault = defaultLanguage === USER_SETTINGS_DEFAULTS.defaultLanguage
  return isDefault ? settings : { ...settings, defaultLanguage }
}

function defaultMemberships({ botType, role }: Pick<User, 'botType' | 'role'>): InitialMemberships {
  return {
    channelIds: [],
    groupIds: [],
    granterId: null,
    hasDefaultChannels: botType === null && role !== ROLES.guest,
  }
}

/** An account with its key. */
export interface AddedUser {
  readonly user: User
  readonly keyHash: string
  readonly isFullMember: boolean
  /** Only settings that differ from the defaults. */
  readonly settings?: Partial<UserSettings>
  readonly pictureId?: PictureId | undefined
  /** Null if the organization has chosen none for new users. */
  readonly pictureSource?: PictureSource | null
}

/** Adds an account, its key, and the groups of its role. */
export function addUser({
  user,
  keyHash,
  isFullMember,
  settings = {},
  pictureId,
  pictureSource = null,
}: AddedUser): Fact[] {
  const hasSettings = Object.keys(settings).length > 0
  return [
    {
      type: 'realm_user/add',
      user,
      ...(hasSettings ? { settings } : {}),
      ...(pictureId === undefined ? {} : { pictureId }),
      ...(pictureSource === null ? {} : { pictureSource }),
    },
    { type: 'api_keys_changed', userId: user.id, keyHashes: [keyHash] },
    ...systemGroupsOf(user.role, isFullMember).map((groupId) => joinGroup(user, groupId)),
  ]
}

function joinGroup({ id }: User, groupId: GroupId): Fact {
  return { type: 'user_group/add_members', groupId, userIds: [id] }
}

/** The groups of the request that the caller may give. */
function givenGroups(
  { state }: ServerScope,
  { groupIds, granterId }: InitialMemberships,
): readonly GroupId[] {
  return groupIds.filter((groupId) => {
    const group = state.groups.groups.get(groupId)?.group
    if (!group || group.isDeactivated) return false
    return granterId === null || canAddToGroup(state.getUser(granterId), group, state)
  })
}

function joinChannels(
  scope: ServerScope,
  { id }: User,
  { channelIds, hasDefaultChannels, granterId }: InitialMemberships,
): Fact[] {
  const { state } = scope
  const mayGive = (channelId: ChannelId) =>
    granterId === null || maySubscribeOthers(scope, granterId, channelId)
  const ids = new Set([...channelIds.filter(mayGive), ...(hasDefaultChannels ? state.defaultChannelIds : [])])
  const channels = [...ids]
    .map((channelId) => state.getChannel(channelId).channel)
    .filter(({ isArchived }) => !isArchived)
  return channels.length === 0 ? [] : [{ type: 'subscription/add', channels, userIds: [id] }]
}

function maySubscribeOthers({ state }: ServerScope, userId: UserId, channelId: ChannelId): boolean {
  const user = state.getUser(userId)
  const access = state.findReadableChannel(user, channelId)
  return access !== undefined && canInviteToChannel({ state }, user, access)
}
