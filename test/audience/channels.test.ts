/** The recipients of facts on channels, where no request shows the rule alone. */

import t from 'tap'
import { notify } from '../../server/events/notify.ts'
import { ROLES, type Channel, type User } from '../../server/domain/entities.ts'
import type { Fact, LogEvent } from '../../server/domain/events.ts'
import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import { applyEvent } from '../../server/events/apply-event.ts'
import { OrganizationState } from '../../server/state/organization-state.ts'
import { makeChannel } from '../harness/worlds/make-channel.ts'

const OWNER = 1 as UserId
const MEMBER = 2 as UserId
const GUEST = 3 as UserId
const NEW = 4 as UserId
const OPEN = 1 as ChannelId
const CLOSED = 2 as ChannelId
const ARCHIVED = 3 as ChannelId

const state = new OrganizationState()
const apply = (event: LogEvent) =>
  applyEvent(state, { id: (state.appliedId + 1) as EventId, event, audience: { kind: 'nobody' } })
const makeUser = (id: UserId, role: User['role']): User => ({
  id,
  email: `user${id}@example.com`,
  fullName: `User ${id}`,
  role,
  isActive: true,
  botType: null,
  botOwnerId: null,
  timezone: '',
  joinedAt: 1,
  avatarVersion: 1,
  isSystem: false,
})
apply({ type: 'realm_user/add', user: makeUser(OWNER, ROLES.owner) })
apply({ type: 'realm_user/add', user: makeUser(MEMBER, ROLES.member) })
apply({ type: 'realm_user/add', user: makeUser(GUEST, ROLES.guest) })
const channels = [
  makeChannel(OPEN),
  makeChannel(CLOSED, { isPrivate: true, isHistoryPublic: false }),
  makeChannel(ARCHIVED, { isArchived: true }),
]
apply({ type: 'stream/create', channels })
const channel = (id: ChannelId): Channel => state.getChannel(id).channel

/** The entries of facts: each type, its recipients, and the clients among theirs that get it. */
const entriesOf = (facts: readonly Fact[]) =>
  notify(state, facts).entries.map(({ event, audience }) => [
    event.type,
    audience.kind === 'users' ? audience.users.toArray() : audience.kind,
    ...('clients' in event && event.clients ? [event.clients] : []),
  ])

t.test('[NOTIFY1] the color of a new subscription sends no event; later changes reach its user', (t) => {
  const color: Fact = {
    type: 'subscription/update',
    userId: MEMBER,
    channelId: OPEN,
    change: { property: 'color', value: '#123456' },
  }
  t.same(entriesOf([color, { type: 'subscription/add', channels: [channel(OPEN)], userIds: [MEMBER] }]), [
    ['subscription/update', 'nobody'],
    ['subscription/add', [MEMBER]],
    ['subscription/peer_add', [OWNER]],
  ])
  t.same(entriesOf([color]), [['subscription/update', [MEMBER]]])
  t.end()
})

t.test('[NOTIFY2] channels that users join or leave are shown only to clients that know them', (t) => {
  const both = [channel(OPEN), channel(ARCHIVED)]
  const joining: Fact = { type: 'subscription/add', channels: both, userIds: [GUEST] }
  const clients = 'with_archived_channels'
  t.same(entriesOf([joining]), [
    ['stream/reveal', [GUEST]],
    ['stream/reveal', [GUEST], clients],
    ['subscription/add', [GUEST]],
    ['subscription/peer_add', [OWNER, MEMBER]],
    ['subscription/add', [GUEST], clients],
    ['subscription/peer_add', [OWNER, MEMBER], clients],
  ])
  apply(joining)
  const leaving: Fact = {
    type: 'subscription/remove',
    channelIds: [OPEN, ARCHIVED],
    userIds: [GUEST],
    names: both.map(({ name }) => name),
  }
  t.same(entriesOf([leaving]), [
    ['subscription/remove', [GUEST]],
    ['subscription/peer_remove', [OWNER, MEMBER]],
    ['subscription/remove', [GUEST], clients],
    ['subscription/peer_remove', [OWNER, MEMBER], clients],
    ['stream/delete', [GUEST]],
    ['stream/delete', [GUEST], clients],
  ])
  const names = notify(state, [leaving]).entries.flatMap(({ event }) =>
    event.type === 'subscription/remove' ? [event.names] : [],
  )
  t.same(names, [[both[0]?.name], [both[1]?.name]])
  apply(leaving)
  t.end()
})

t.test('[NOTIFY3] a new user has no clients yet, so no channels are sent', (t) => {
  const [account, ...entries] = notify(state, [
    // With its audience, so that only the other is looked at.
    { event: { type: 'realm_user/add', user: makeUser(NEW, ROLES.guest) }, audience: { kind: 'nobody' } },
    { type: 'subscription/add', channels: [channel(CLOSED)], userIds: [NEW] },
  ]).entries
  t.equal(account?.event.type, 'realm_user/add')
  t.same(
    entries.map(({ event }) => event.type),
    ['subscription/add', 'subscription/peer_add'],
  )
  t.end()
})

t.test(
  '[NOTIFY4] a channel made private as it is unarchived is deleted for viewers who lose it and revealed to others',
  (t) => {
    const update = { type: 'stream/update', channelId: ARCHIVED, name: channel(ARCHIVED).name } as const
    const clients = 'with_archived_channels'
    const privacy = { kind: 'privacy', isPrivate: true, isWebPublic: false, isHistoryPublic: false } as const
    t.same(
      entriesOf([
        { ...update, change: { kind: 'archived', isArchived: false } },
        { ...update, change: privacy },
      ]),
      [
        ['stream/update', [OWNER], clients],
        ['stream/update', [OWNER], clients],
        ['stream/delete', [MEMBER], clients],
        ['stream/reveal', [OWNER], 'without_archived_channels'],
      ],
    )
    t.end()
  },
)

t.test('[NOTIFY5] older clients get the muted topics once if a user changes several', (t) => {
  const topic = (userId: UserId, topic: string, visibility: 0 | 1 | 2): Fact => ({
    type: 'user_topic',
    userId,
    userTopic: { channelId: OPEN, topic, visibility, updatedAt: 1 },
  })
  apply(topic(MEMBER, 'a', 1))
  t.same(entriesOf([topic(MEMBER, 'a', 0), topic(MEMBER, 'b', 1), topic(OWNER, 'b', 2)]), [
    ['user_topic', [MEMBER]],
    ['user_topic', [MEMBER]],
    ['muted_topics', [MEMBER]],
    ['user_topic', [OWNER]],
  ])
  t.end()
})
