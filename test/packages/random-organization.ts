/** A random organization as the server holds it: users, groups, channels and settings, applied as events of its log. */

import { applyEvent } from '../../server/events/apply-event.ts'
import {
  type Channel,
  ROLES,
  type Role,
  type TopicsPolicy,
  type User,
  type UserGroup,
} from '../../server/domain/entities.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { GroupSetting } from '../../server/domain/groups/group-settings.ts'
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSIONS,
  type PermissionRule,
  type Permissions,
} from '../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUPS, systemGroupsOf } from '../../server/domain/groups/system-groups.ts'
import type { ChannelId, EventId, GroupId, UserId } from '../../server/domain/ids.ts'
import { ORGANIZATION_SETTINGS_DEFAULTS } from '../../server/domain/organization/organization-settings.ts'
import { OrganizationState } from '../../server/state/organization-state.ts'
import type { Random } from '../events/make-random.ts'
import { makeChannel } from '../harness/worlds/make-channel.ts'

export const NOW = 1_800_000_000
/** More than one wildcard may mention without a permission. */
const USERS = 24
/** Two owners are active, so that either can go. */
const FIXED: readonly Role[] = [ROLES.owner, ROLES.owner, ROLES.administrator, ROLES.moderator]
const OTHERS: readonly Role[] = [
  ROLES.administrator,
  ROLES.moderator,
  ROLES.member,
  ROLES.member,
  ROLES.guest,
]
const GROUPS = 5
const CHANNELS = 8
/** A channel in which everybody may write: messages move there. */
export const COMMONS = CHANNELS as ChannelId
export const TOPICS = ['lunch', '✔ lunch', '✔ ✔✔ lunch', 'Σίσυφος', 'İstanbul'] as const
const LIMITS = [null, 0, 600] as const
const POLICIES: readonly TopicsPolicy[] = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
]

export function makeOrganization(random: Random): OrganizationState {
  const state = new OrganizationState()
  const apply = (event: LogEvent) =>
    applyEvent(state, { id: (state.appliedId + 1) as EventId, event, audience: { kind: 'nobody' } })
  const users = Array.from({ length: USERS }, (_, index) => makeUser(random, index + 1))
  apply({ type: 'organization_created', organization: makeSettings(random) })
  for (const user of users) {
    apply({ type: 'realm_user/add', user })
    for (const groupId of systemGroupsOf(user.role, random.below(2) === 0))
      apply({ type: 'user_group/add_members', groupId, userIds: [user.id] })
  }
  for (let id = 9; id < 9 + GROUPS; id++) apply(makeGroup(random, id))
  const channels = Array.from({ length: CHANNELS }, (_, index) => makeRandomChannel(random, index + 1))
  apply({ type: 'stream/create', channels })
  for (const channel of channels) {
    const userIds = random.below(3) === 0 ? users.map(({ id }) => id) : randomUsers(random)
    apply({ type: 'subscription/add', channels: [channel], userIds })
    for (const userId of userIds)
      if (random.below(4) === 0) {
        const change = { property: 'isMuted', value: true } as const
        apply({ type: 'subscription/update', userId, channelId: channel.id, change })
      }
  }
  for (const { id: userId } of users)
    for (const topic of TOPICS) {
      const channelId = (1 + random.below(CHANNELS)) as ChannelId
      const visibility = random.pick([1, 2, 3] as const)
      apply({ type: 'user_topic', userId, userTopic: { channelId, topic, visibility, updatedAt: NOW } })
    }
  return state
}

function makeUser(random: Random, id: number): User {
  const isBot = id > FIXED.length && random.below(3) === 0
  return {
    id: id as UserId,
    email: `user${id}@example.com`,
    fullName: `User ${id}`,
    role: FIXED[id - 1] ?? random.pick(OTHERS),
    isActive: id <= FIXED.length || random.below(6) > 0,
    botType: isBot ? random.pick([1, 2] as const) : null,
    botOwnerId: isBot ? ((1 + random.below(id - 1)) as UserId) : null,
    timezone: '',
    joinedAt: NOW - 1_000_000,
    avatarVersion: 1,
    isSystem: false,
  }
}

const randomUsers = (random: Random) =>
  random.some(Array.from({ length: USERS }, (_, index) => (index + 1) as UserId))

function randomSetting(random: Random): GroupSetting {
  const { internet: _, ...system } = SYSTEM_GROUPS
  return random.pick<() => GroupSetting>([
    () => random.pick(Object.values(system)),
    () => (9 + random.below(GROUPS)) as GroupId,
    () => ({ directMembers: randomUsers(random), directSubgroups: [] }),
    () => ({ directMembers: [], directSubgroups: random.some([4, 9, 10, 11] as GroupId[]) }),
  ])()
}

function randomPermissions<Name extends string>(
  random: Random,
  rules: Readonly<Record<Name, PermissionRule>>,
): Permissions<Name> {
  const given = Object.keys(rules).map((name) => [name, randomSetting(random)] as const)
  return Object.fromEntries(given) as Permissions<Name>
}

function makeSettings(random: Random) {
  const permissions = randomPermissions(random, ORGANIZATION_PERMISSIONS)
  return {
    name: 'Random',
    description: '',
    renderedDescription: '',
    createdAt: NOW - 2_000_000,
    settings: {
      ...ORGANIZATION_SETTINGS_DEFAULTS,
      hasSpectatorAccess: true,
      topicsPolicy: random.pick(['allow_empty_topic', 'disable_empty_topic'] as const),
      allowsEditing: random.below(4) > 0,
      contentEditLimitSeconds: random.pick(LIMITS),
      contentDeleteLimitSeconds: random.pick(LIMITS),
      topicMoveLimitSeconds: random.pick(LIMITS),
      channelMoveLimitSeconds: random.pick(LIMITS),
    },
    // Everybody knows everybody: the client has no names of others.
    permissions: { ...permissions, canAccessAllUsers: SYSTEM_GROUPS.everyone },
  }
}

function makeGroup(random: Random, id: number): LogEvent {
  const group: UserGroup = {
    id: id as GroupId,
    name: `group ${id}`,
    description: '',
    creatorId: 1 as UserId,
    createdAt: NOW,
    isSystem: false,
    isDeactivated: random.below(6) === 0,
    permissions: randomPermissions(random, GROUP_PERMISSIONS),
  }
  const lower = Array.from({ length: id - 8 }, (_, index) => (index + 8) as GroupId)
  const subgroupIds = random.some([SYSTEM_GROUPS.moderators, SYSTEM_GROUPS.members, ...lower])
  return {
    type: 'user_group/add',
    group,
    memberIds: randomUsers(random),
    subgroupIds: subgroupIds.slice(0, 1),
  }
}

function makeRandomChannel(random: Random, id: number): Channel {
  if (id === COMMONS) return makeChannel(id, { isWebPublic: true })
  const isPrivate = random.below(2) === 0
  return makeChannel(id, {
    isPrivate,
    isWebPublic: !isPrivate && random.below(3) === 0,
    isHistoryPublic: !isPrivate || random.below(2) === 0,
    isArchived: random.below(5) === 0,
    topicsPolicy: random.pick(POLICIES),
    hasLinkPreviews: random.below(4) > 0,
    permissions: randomPermissions(random, CHANNEL_PERMISSIONS),
  })
}
