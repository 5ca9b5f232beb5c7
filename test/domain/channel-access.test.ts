/** Access rules of channels: each function, for each role, under each setting. */

import { randomInt } from 'node:crypto'
import t from 'tap'
import { canReadChannel, canSeeChannel, readableHistory } from '../../packages/rules/channels.ts'
import { canSendToChannel } from '../../packages/rules/messages.ts'
import {
  canAddSubscribers,
  canAdministerChannel,
  canJoinChannel,
  canRemoveSubscriber,
} from '../../packages/rules/memberships.ts'
import { type ChannelAccess, observersOf } from '../../server/domain/channels/channel-access.ts'
import { isAdministrator } from '../../packages/rules/roles.ts'
import { type Channel, ROLES, type User, type UserGroup } from '../../server/domain/entities.ts'
import type { GroupSetting } from '../../server/domain/groups/group-settings.ts'
import type { GroupId, UserId } from '../../server/domain/ids.ts'
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermissions,
  completePermissions,
  GROUP_PERMISSIONS,
} from '../../server/domain/groups/permissions.ts'
import { Rights } from '../../server/domain/users/rights.ts'
import { SYSTEM_GROUPS, systemGroupsOf } from '../../server/domain/groups/system-groups.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import { makeRandom, type Random } from '../events/make-random.ts'
import { makeChannel } from '../harness/worlds/make-channel.ts'

function makeUser(id: number, given: Partial<User>): User {
  return {
    id: id as UserId,
    email: `user${id}@example.com`,
    fullName: `User ${id}`,
    role: ROLES.member,
    isActive: true,
    botType: null,
    botOwnerId: null,
    timezone: '',
    joinedAt: 0,
    avatarVersion: 1,
    isSystem: false,
    ...given,
  }
}

const PEOPLE = {
  owner: makeUser(1, { role: ROLES.owner }),
  administrator: makeUser(2, { role: ROLES.administrator }),
  moderator: makeUser(3, { role: ROLES.moderator }),
  member: makeUser(4, {}),
  other: makeUser(5, {}),
  guest: makeUser(6, { role: ROLES.guest }),
  bot: makeUser(7, { botType: 1, botOwnerId: 4 as UserId }),
} as const
type Name = keyof typeof PEOPLE
const NAMES = Object.keys(PEOPLE) as Name[]
const rights = rightsOf(Object.values(PEOPLE))

function rightsOf(users: readonly User[]): Rights {
  return users.reduce((rights, user) => {
    const groups = systemGroupsOf(user.role, true).reduce(
      (graph, id) => graph.withMembers(id, [user.id], true),
      rights.groups,
    )
    return rights.withUser(user).withGroups(groups)
  }, Rights.initial)
}

const ids = (...names: Name[]) => names.map((name) => PEOPLE[name].id)
const only = (...names: Name[]): GroupSetting => ({ directMembers: ids(...names), directSubgroups: [] })

/** A channel without holders of its permissions, except for those given. */
function channel(
  given: Partial<Channel>,
  permissions: Partial<ChannelPermissions> = {},
  subscribers: readonly Name[] = [],
): ChannelAccess {
  const nobody = Object.fromEntries(
    Object.keys(CHANNEL_PERMISSIONS).map((name) => [name, SYSTEM_GROUPS.nobody]),
  ) as ChannelPermissions
  return {
    channel: makeChannel(1, { ...given, permissions: { ...nobody, ...permissions } }),
    subscribers: UserSet.of(ids(...subscribers)),
  }
}

const PRIVATE = { isPrivate: true, isHistoryPublic: false }
const WEB_PUBLIC = { isWebPublic: true }
const MEMBERS: readonly Name[] = ['owner', 'administrator', 'moderator', 'member', 'other', 'bot']
const ADMINISTRATORS: readonly Name[] = ['owner', 'administrator']
const UP_TO_MODERATORS: readonly Name[] = ['owner', 'administrator', 'moderator']
const GUEST_AND_MEMBER: readonly Name[] = ['member', 'guest']

const usersWho = (may: (user: User) => boolean) => NAMES.filter((name) => may(PEOPLE[name]))

t.test('[CHAN40] access rules for reading a channel', async (t) => {
  const readers = (access: ChannelAccess) => usersWho((user) => canReadChannel(user, access, rights))
  t.same(readers(channel({})), MEMBERS)
  t.same(readers(channel({}, {}, ['guest'])), NAMES)
  t.same(readers(channel(WEB_PUBLIC)), NAMES)
  t.same(readers(channel(PRIVATE)), [], 'not even owners')
  t.same(readers(channel(PRIVATE, {}, GUEST_AND_MEMBER)), GUEST_AND_MEMBER)
  t.same(readers(channel({ ...PRIVATE, isArchived: true }, {}, ['guest'])), ['guest'])
  for (const permission of ['canAddSubscribers', 'canSubscribe'] as const) {
    t.same(readers(channel(PRIVATE, { [permission]: SYSTEM_GROUPS.moderators })), UP_TO_MODERATORS)
    t.same(readers(channel(PRIVATE, { [permission]: only('other', 'guest') })), ['other'], 'never a guest')
    t.same(readers(channel(PRIVATE, { [permission]: SYSTEM_GROUPS.everyone })), MEMBERS)
  }
  for (const permission of Object.keys(CHANNEL_PERMISSIONS)) {
    if (permission === 'canAddSubscribers' || permission === 'canSubscribe') continue
    const access = channel(PRIVATE, { [permission]: SYSTEM_GROUPS.everyone })
    t.same(readers(access), [], `${permission} gives no read access`)
  }
})

t.test('[CHAN41] access rules for seeing a channel', async (t) => {
  const seers = (access: ChannelAccess) => usersWho((user) => canSeeChannel(user, access, rights))
  t.same(seers(channel({})), MEMBERS)
  t.same(seers(channel({}, {}, ['guest'])), NAMES)
  t.same(seers(channel(WEB_PUBLIC)), NAMES)
  t.same(seers(channel(PRIVATE)), ADMINISTRATORS)
  t.same(seers(channel(PRIVATE, {}, ['guest'])), ['owner', 'administrator', 'guest'])
  for (const permission of ['canAddSubscribers', 'canSubscribe', 'canAdministerChannel'] as const) {
    const access = channel(PRIVATE, { [permission]: only('other', 'guest') })
    t.same(seers(access), ['owner', 'administrator', 'other'])
  }
  for (const permission of ['canRemoveSubscribers', 'canSendMessage', 'canDeleteAnyMessage'] as const) {
    t.same(seers(channel(PRIVATE, { [permission]: SYSTEM_GROUPS.everyone })), ADMINISTRATORS, permission)
  }
})

t.test('[CHAN42] access rules for its history', async (t) => {
  const history = (access: ChannelAccess) =>
    Object.fromEntries(NAMES.map((name) => [name, readableHistory(PEOPLE[name], access, rights)]))
  const none = Object.fromEntries(NAMES.map((name) => [name, 'none']))
  t.same(history(channel(PRIVATE, {}, GUEST_AND_MEMBER)), {
    ...none,
    member: 'while_subscribed',
    guest: 'while_subscribed',
  })
  t.same(history(channel({ ...PRIVATE, isHistoryPublic: true }, {}, GUEST_AND_MEMBER)), {
    ...none,
    member: 'all',
    guest: 'all',
  })
  t.match(history(channel({})), { owner: 'all', member: 'all', bot: 'all', guest: 'none' })
  t.same(new Set(Object.values(history(channel(WEB_PUBLIC)))), new Set(['all']))
})

t.test('[CHAN43] everyone who can read a channel may subscribe, except for guests', async (t) => {
  const joiners = (access: ChannelAccess) => usersWho((user) => canJoinChannel(user, access, rights))
  t.same(joiners(channel({})), MEMBERS)
  t.same(joiners(channel(WEB_PUBLIC, {}, ['guest'])), MEMBERS)
  t.same(joiners(channel(PRIVATE, {}, ['member'])), ['member'])
  t.same(joiners(channel(PRIVATE)), [])
  t.same(joiners(channel(PRIVATE, { canSubscribe: only('other') })), ['other'])
  t.same(joiners(channel(PRIVATE, { canAdministerChannel: only('other') })), [])
})

t.test(
  '[CHAN44] subscribing others needs read access and the permission of the channel or the organization',
  async (t) => {
    const adders = (access: ChannelAccess, everywhere: GroupSetting) =>
      usersWho((user) => canAddSubscribers(user, access, rights, everywhere))
    const { nobody, members, everyone, moderators } = SYSTEM_GROUPS
    t.same(adders(channel({}), nobody), [])
    t.same(adders(channel({}), members), MEMBERS)
    t.same(adders(channel({}, {}, ['guest']), everyone), MEMBERS, 'never a guest')
    t.same(adders(channel(WEB_PUBLIC), moderators), UP_TO_MODERATORS)
    t.same(adders(channel({}, { canAddSubscribers: only('other', 'guest') }), nobody), ['other'])
    t.same(adders(channel(PRIVATE), everyone), [], 'without read access one cannot add others')
    t.same(adders(channel(PRIVATE, {}, ['member']), members), ['member'])
    t.same(adders(channel(PRIVATE, { canSubscribe: only('other') }), members), ['other'])
    t.same(adders(channel(PRIVATE, { canAddSubscribers: only('other') }), nobody), ['other'])
  },
)

t.test('[CHAN45] access rules for changing a channel', async (t) => {
  const changers = (access: ChannelAccess) => usersWho((user) => canAdministerChannel(user, access, rights))
  for (const kind of [{}, WEB_PUBLIC, PRIVATE]) {
    t.same(changers(channel(kind, {}, GUEST_AND_MEMBER)), ADMINISTRATORS)
    const access = channel(kind, { canAdministerChannel: only('other', 'guest') }, ['guest'])
    t.same(changers(access), ['owner', 'administrator', 'other'], 'never a guest')
  }
})

t.test('[CHAN46] access rules for ending a subscription', async (t) => {
  const removers = (access: ChannelAccess, removed: Name) =>
    usersWho((user) => canRemoveSubscriber(user, PEOPLE[removed], access, rights))
  const everybody: readonly Name[] = NAMES
  for (const name of everybody) {
    const expected = NAMES.filter((one) => ADMINISTRATORS.includes(one) || one === name)
    const withOwner = NAMES.filter((one) => expected.includes(one) || (name === 'bot' && one === 'member'))
    t.same(removers(channel({}), name), withOwner, `${name} of a public channel`)
    t.same(removers(channel(PRIVATE), name), expected, `${name} of a channel invisible to the bot's owner`)
    t.same(
      removers(channel(PRIVATE, {}, ['member']), name),
      withOwner,
      `${name} of a channel the bot's owner sees`,
    )
  }
  const removing = { canRemoveSubscribers: only('moderator') }
  t.same(removers(channel({}, removing), 'other'), ['owner', 'administrator', 'moderator', 'other'])
  t.same(
    removers(channel(PRIVATE, removing), 'other'),
    ['owner', 'administrator', 'other'],
    'sight of the channel is required',
  )
  t.same(removers(channel(PRIVATE, removing, ['moderator']), 'other'), [...UP_TO_MODERATORS, 'other'])
  t.same(removers(channel(PRIVATE, { canAdministerChannel: only('moderator') }), 'other'), [
    ...UP_TO_MODERATORS,
    'other',
  ])
})

t.test('[CHAN47] access rules for sending', async (t) => {
  const senders = (access: ChannelAccess) => usersWho((user) => canSendToChannel(user, access, rights))
  const anyone = { canSendMessage: SYSTEM_GROUPS.everyone }
  t.same(senders(channel({})), [], 'the group of nobody')
  t.same(senders(channel({}, anyone)), MEMBERS)
  t.same(senders(channel({}, anyone, ['guest'])), NAMES)
  t.same(senders(channel({}, { canSendMessage: SYSTEM_GROUPS.administrators }, ['guest'])), ADMINISTRATORS)
  t.same(senders(channel({}, { canSendMessage: only('guest') }, ['guest', 'other'])), ['guest'])
  t.same(senders(channel(PRIVATE, anyone, GUEST_AND_MEMBER)), GUEST_AND_MEMBER)
  t.same(senders(channel({ isArchived: true }, anyone, ['guest'])), [])
})

t.test('[CHAN48] owners and administrators are administrators', async (t) => {
  t.same(usersWho(isAdministrator), ADMINISTRATORS)
})

t.test('[CHAN49] observersOf has exactly the active users who can see the channel, at random', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? randomInt(2 ** 31))
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed)
  for (let round = 0; round < 200; round++) {
    const { users, rights, groupIds } = makeOrganization(random)
    for (let count = 0; count < 10; count++) {
      const access = makeAccess(random, users, groupIds)
      const observers = observersOf(access, rights)
      for (const user of users) {
        const counts = user.isActive && !user.isSystem
        const isRight = observers.has(user.id) === (counts && canSeeChannel(user, access, rights))
        if (!isRight) {
          const found = observers.has(user.id) ? 'an observer' : 'no observer'
          throw new Error(
            `PARLEY_TEST_SEED=${seed}: ${JSON.stringify(user)} is ${found} of ${JSON.stringify(access)}`,
          )
        }
      }
    }
  }
  t.pass('all agree')
})

function makeOrganization(random: Random) {
  const users = Array.from({ length: 1 + random.below(60) }, (_, index) =>
    makeUser(index + 1, {
      role: random.pick(Object.values(ROLES)),
      isActive: random.below(5) > 0,
      isSystem: random.below(40) === 0,
    }),
  )
  let { groups } = rightsOf(users)
  const groupIds: GroupId[] = Object.values(SYSTEM_GROUPS)
  for (let count = random.below(6); count > 0; count--) {
    const id = (groups.groups.size + 1) as GroupId
    const group: UserGroup = {
      id,
      name: `group ${id}`,
      description: '',
      creatorId: null,
      createdAt: null,
      isSystem: false,
      isDeactivated: random.below(4) === 0,
      permissions: completePermissions(GROUP_PERMISSIONS, {}, null),
    }
    groups = groups.with({
      group,
      directMembers: UserSet.of(random.below(3) === 0 ? [] : random.some(users).map((user) => user.id)),
      directSubgroups: random.below(2) === 0 ? [] : random.some(groupIds),
    })
    groupIds.push(id)
  }
  return { users, rights: rightsOf(users).withGroups(groups), groupIds }
}

function makeAccess(random: Random, users: readonly User[], groupIds: readonly GroupId[]): ChannelAccess {
  const setting = (): GroupSetting => {
    if (random.below(2) === 0) return SYSTEM_GROUPS.nobody
    if (random.below(2) === 0) return random.pick(groupIds)
    return {
      directMembers: random.below(3) === 0 ? [] : random.some(users.slice(0, 5)).map(({ id }) => id),
      directSubgroups: random.below(2) === 0 ? [] : random.some(groupIds.slice(-3)),
    }
  }
  const permissions = Object.fromEntries(Object.keys(CHANNEL_PERMISSIONS).map((name) => [name, setting()]))
  return {
    channel: makeChannel(1, {
      isPrivate: random.below(4) > 0,
      isWebPublic: random.below(8) === 0,
      isArchived: random.below(8) === 0,
      permissions: permissions as ChannelPermissions,
    }),
    subscribers: UserSet.of(random.below(3) === 0 ? [] : random.some(users).map(({ id }) => id)),
  }
}
