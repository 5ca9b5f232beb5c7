import { randomInt } from 'node:crypto'
import t from 'tap'
import type { Organization, User } from '../../../server/domain/entities.ts'
import type { LogEvent } from '../../../server/domain/events.ts'
import type { ChannelId, EventId, UserId } from '../../../server/domain/ids.ts'
import { ORGANIZATION_SETTINGS_DEFAULTS } from '../../../server/domain/organization/organization-settings.ts'
import { completePermissions, ORGANIZATION_PERMISSIONS } from '../../../server/domain/groups/permissions.ts'
import { ROLES } from '../../../packages/rules/roles.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { visibleUsers } from '../../../server/domain/users/user-access.ts'
import { applyEvent, overlay } from '../../../server/events/apply-event.ts'
import { OrganizationState } from '../../../server/state/organization-state.ts'
import { makeRandom } from '../../events/make-random.ts'
import { makeChannel } from '../../harness/worlds/make-channel.ts'

const USERS = 40
const CHANNELS = 8
const STEPS = 1_500

function createOrganization(): { state: OrganizationState; apply: (event: LogEvent) => void } {
  const state = new OrganizationState()
  const apply = (event: LogEvent) =>
    applyEvent(state, { id: (state.appliedId + 1) as EventId, event, audience: { kind: 'nobody' } })
  const organization: Organization = {
    name: '',
    description: '',
    renderedDescription: '',
    createdAt: 0,
    settings: ORGANIZATION_SETTINGS_DEFAULTS,
    permissions: completePermissions(
      ORGANIZATION_PERMISSIONS,
      { canAccessAllUsers: SYSTEM_GROUPS.members },
      null,
    ),
  }
  apply({ type: 'organization_created', organization })
  for (let id = 1; id <= USERS; id++) {
    const isGuest = id % 3 === 0
    const user: User = {
      id: id as UserId,
      email: `user${id}@example.com`,
      fullName: `User ${id}`,
      role: isGuest ? ROLES.guest : ROLES.member,
      isActive: true,
      botType: id === USERS ? 1 : null,
      botOwnerId: null,
      timezone: '',
      joinedAt: 1,
      avatarVersion: 1,
      isSystem: false,
    }
    apply({ type: 'realm_user/add', user })
    const groupId = isGuest ? SYSTEM_GROUPS.everyone : SYSTEM_GROUPS.members
    apply({ type: 'user_group/add_members', groupId, userIds: [user.id] })
  }
  const channels = Array.from({ length: CHANNELS }, (_, index) => makeChannel(index + 1))
  apply({ type: 'stream/create', channels })
  return { state, apply }
}

function chooseEvent(state: OrganizationState, random: (below: number) => number): LogEvent {
  const users = (count: number) => {
    const ids = Array.from({ length: 1 + random(count) }, () => (1 + random(USERS)) as UserId)
    return [...new Set(ids)].sort((a, b) => a - b)
  }
  const { channel } = state.getChannel((1 + random(CHANNELS)) as ChannelId)
  switch (random(12)) {
    case 0: {
      const change = { kind: 'archived', isArchived: !channel.isArchived } as const
      return { type: 'stream/update', channelId: channel.id, name: channel.name, change }
    }
    case 1:
      return {
        type: 'message',
        channelId: null,
        conversationId: null,
        userIds: users(3),
        topic: '',
        senderId: 1 as UserId,
        content: '',
        rendered: '',
        sentAt: 0,
        client: '',
        readById: null,
        queueId: null,
        localId: null,
      }
    case 2: {
      const userId = (1 + random(USERS)) as UserId
      return { type: 'realm_user/update', userId, changes: { isActive: !state.getUser(userId).isActive } }
    }
    case 3: {
      const userId = (1 + random(USERS)) as UserId
      const isGuest = state.getUser(userId).role === ROLES.guest
      return {
        type: 'realm_user/update',
        userId,
        changes: { role: isGuest ? ROLES.moderator : ROLES.guest },
      }
    }
    case 4:
    case 5:
    case 6:
    case 7:
      return { type: 'subscription/add', channels: [channel], userIds: users(random(10) === 0 ? 40 : 4) }
    default:
      return {
        type: 'subscription/remove',
        channelIds: [channel.id],
        userIds: users(random(10) === 0 ? 60 : 4),
        names: [channel.name],
      }
  }
}

t.test('[SIGHT36] the cached and predicted visible users of a guest equal a fresh computation', (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? randomInt(2 ** 31))
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed).below
  const { state, apply } = createOrganization()
  let compared = 0
  for (let step = 0; step < STEPS; step++) {
    const events = Array.from({ length: 1 + random(3) }, () => chooseEvent(state, random))
    const future = overlay(state, events).userVisibility
    const foreseen = new Map(future.limited.toArray().map((id) => [id, future.of(id)?.toArray()]))
    const changing = future.changing
    const before = new Map(
      state.userVisibility.limited.toArray().map((id) => [id, state.userVisibility.of(id)?.encode()]),
    )
    for (const event of events) apply(event)
    t.same(
      state.userVisibility.limited.toArray(),
      [...foreseen.keys()],
      `step ${step} of PARLEY_TEST_SEED=${seed}`,
    )
    for (const [id, known] of foreseen) {
      const { channels, bots, partners } = state
      const anew = visibleUsers(id, { channels: channels.values(), bots, partners: partners.get(id) })
      const isSame =
        anew.encode() === state.userVisibility.of(id)?.encode() && anew.toArray().join() === known?.join()
      const isUntouched = before.get(id) === undefined || changing.has(id) || before.get(id) === anew.encode()
      if (!isSame || !isUntouched) t.fail(`user ${id} at step ${step} of PARLEY_TEST_SEED=${seed}`)
      compared++
    }
  }
  t.ok(compared > STEPS)
  t.end()
})
