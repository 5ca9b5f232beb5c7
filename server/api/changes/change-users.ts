/** Changes of the organization and its users, as the admin command line and later operations make them. */

import type { Change } from '../../actors/committer.ts'
import { PLAIN_BOT_SETUP } from '../../domain/bots.ts'
import { type Organization, ROLES, type User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import { canAddToGroup } from '../../domain/group-access.ts'
import type { ChannelId, GroupId, UserId } from '../../domain/ids.ts'
import {
  ORGANIZATION_SETTINGS_DEFAULTS,
  type OrganizationSettings,
} from '../../domain/organization-settings.ts'
import { completePermissions, ORGANIZATION_PERMISSIONS } from '../../domain/permissions.ts'
import { systemGroupsOf } from '../../domain/system-groups.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettings } from '../../domain/user-settings.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { hashApiKey } from '../../changes/passwords.ts'
import { changeAccounts } from './change-accounts.ts'
import { canInviteToChannel } from '../../decisions/invitations/invitable-channels.ts'
import { setupChanged, tellNewBot } from '../../decisions/bots/tell-bots.ts'
import { tellPeers } from '../../decisions/channels/tell-peers.ts'

/** Why a change may not be; worded for an operator. */
export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused'
}

/** Creates the one organization of a server; settings not given have their defaults. */
export function createOrganization(
  texts: Omit<Organization, 'settings' | 'permissions'>,
  settings: Partial<OrganizationSettings> = {},
): Change<void> {
  const organization: Organization = {
    ...texts,
    settings: { ...ORGANIZATION_SETTINGS_DEFAULTS, ...settings },
    permissions: completePermissions(ORGANIZATION_PERMISSIONS, {}, null),
  }
  return {
    kind: 'structure',
    decide(state) {
      if (state.organization)
        throw new ChangeRefused(`this server has an organization already: ${state.organization.name}`)
      return {
        events: [{ event: { type: 'organization_created', organization }, audience: { kind: 'nobody' } }],
        reply: () => undefined,
      }
    },
  }
}

/** What a newcomer has from the start. */
export interface Belongings {
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly GroupId[]
  /** Whether they are subscribed to the default channels, too. */
  readonly hasDefaultChannels: boolean
  /** Who gives them channels and groups, as far as they still may; null where that needs no rights. */
  readonly giverId: UserId | null
}

/** Adds a user with one API key, and a bot with its setup; answers the user. People have what is usual unless said. */
export function createUser(
  newUser: Omit<User, 'id' | 'isSystem'>,
  apiKey: string,
  setup = PLAIN_BOT_SETUP,
  belongings = usualBelongings(newUser),
): Change<User> {
  return {
    kind: 'structure',
    decide(state) {
      if (!state.organization) throw new ChangeRefused('there is no organization yet: create it first')
      if (state.findUserByEmail(newUser.email))
        throw new ChangeRefused(`${newUser.email} has an account already`)
      if (newUser.botType !== null) checkBotOwner(newUser.botOwnerId, state)
      const user = { ...newUser, id: state.nextUserId, isSystem: false }
      // One who waits becomes a full member when the time has come, whoever looks for it then.
      const isFullMember = state.settings.waitingPeriodDays === 0
      const events = [
        ...tellOfUser(
          user,
          hashApiKey(apiKey),
          isFullMember,
          state.rights.activeUsers,
          newcomersSettings(user, state),
        ),
        ...(setup === PLAIN_BOT_SETUP ? [] : [setupChanged(user.id, setup)]),
        ...(user.botType === null ? [] : tellNewBot(state, user)),
        ...joinGroups(state, user, belongings),
        ...joinChannels(state, user, belongings),
      ]
      return { events, reply: () => user }
    },
  }
}

/** What a person starts with otherwise than is usual, as the organization has it. */
function newcomersSettings(
  { botType }: User,
  { newcomersSettings: settings, settings: { defaultLanguage } }: OrganizationState,
): Partial<UserSettings> {
  if (botType !== null) return {}
  const isUsual = defaultLanguage === USER_SETTINGS_DEFAULTS.defaultLanguage
  return isUsual ? settings : { ...settings, defaultLanguage }
}

/** The events of a new user: the account, its key, and the groups of its role. */
export function tellOfUser(
  user: User,
  keyHash: string,
  isFullMember: boolean,
  listeners: UserSet,
  settings: Partial<UserSettings> = {},
): NewEvent[] {
  const audience = { kind: 'users', users: listeners } as const
  const hasSettings = Object.keys(settings).length > 0
  return [
    { event: { type: 'realm_user/add', user, ...(hasSettings ? { settings } : {}) }, audience },
    // Older clients know from the status who does not want to be seen.
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
    event: { type: 'user_status', userId, changes: {}, isAway: true, isSightOnly: true },
    audience: { kind: 'users', users: listeners },
  }
}

/** A new person who is not a guest is subscribed to the default channels. */
function usualBelongings({ botType, role }: Pick<User, 'botType' | 'role'>): Belongings {
  return {
    channelIds: [],
    groupIds: [],
    giverId: null,
    hasDefaultChannels: botType === null && role !== ROLES.guest,
  }
}

function joinGroups(state: OrganizationState, { id }: User, { groupIds, giverId }: Belongings): NewEvent[] {
  const mayGive = (groupId: GroupId) => {
    const group = state.groups.groups.get(groupId)?.group
    if (!group || group.isDeactivated) return false
    return giverId === null || canAddToGroup(state.getUser(giverId), group, state)
  }
  return groupIds.filter(mayGive).map((groupId) => ({
    event: { type: 'user_group/add_members', groupId, userIds: [id] },
    audience: { kind: 'users', users: state.rights.activeUsers },
  }))
}

/** A newcomer knows of their channels from the start. */
function joinChannels(
  state: OrganizationState,
  { id }: User,
  { channelIds, hasDefaultChannels, giverId }: Belongings,
): NewEvent[] {
  const mayGive = (channelId: ChannelId) => giverId === null || maySubscribeOthers(state, giverId, channelId)
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
    ...tellPeers(
      'subscription/peer_add',
      channels.map((access) => ({ channel: access.channel, userIds, observers: state.observersOf(access) })),
    ),
  ]
}

function maySubscribeOthers(state: OrganizationState, userId: UserId, channelId: ChannelId): boolean {
  const user = state.getUser(userId)
  const access = state.findReadableChannel(user, channelId)
  return access !== undefined && canInviteToChannel(user, access, state)
}

/** Deactivates a user, and the bots of a person: no key works any more, queues end, and everyone else is told. */
export function deactivateUser(userId: UserId): Change<void> {
  return {
    kind: 'structure',
    decide(state) {
      const user = state.getUser(userId)
      if (!user.isActive) throw new ChangeRefused(`${user.email} is deactivated already`)
      return { events: deactivateWithBots(state, userId), reply: () => undefined }
    },
  }
}

/** The events of it. */
export function deactivateWithBots(state: OrganizationState, userId: UserId): NewEvent[] {
  // Who acts through a bot must not outlast their own account.
  const bots = [...state.users.values()].filter((bot) => bot.botOwnerId === userId && bot.isActive)
  const ids = [userId, ...bots.map(({ id }) => id)].sort((a, b) => a - b)
  const accounts = changeAccounts(state, ids, false)
  if (state.getUser(userId).botType !== null) return accounts
  // Invitations are their inviters' alone to have; those who may see them all are told.
  const users = state.rights.activeAdministrators.without(ids)
  const change = { kind: 'inviter_left', inviterId: userId } as const
  return [...accounts, { event: { type: 'invites_changed', change }, audience: { kind: 'users', users } }]
}

function checkBotOwner(ownerId: UserId | null, state: OrganizationState): void {
  const owner = ownerId === null ? undefined : state.users.get(ownerId)
  if (!owner?.isActive || owner.botType !== null)
    throw new ChangeRefused('a bot is owned by an active person')
}
