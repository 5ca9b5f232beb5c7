/** Who is notified of users who subscribe to channels, leave them, or change how they see them. */

import type { Channel } from '../domain/entities.ts'
import type { Fact } from '../domain/event-traits.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import type { ChannelId } from '../domain/ids.ts'
import { UserSet } from '../domain/user-set.ts'
import { NOBODY, type Notifier, type Notifiers, toUsers } from './notifier.ts'
import { notifyPeers } from './peers.ts'
import type { StateChange } from './state-change.ts'
import { clientsOf, tellVisibility } from './tell-visibility.ts'

type Added = EventOf<'subscription/add'>
type Removed = EventOf<'subscription/remove'>
type Updated = EventOf<'subscription/update'>

/** Users who could not see a channel until now see it before they see that they joined it. */
const notifyAdded: Notifier<Added> = (facts, change) => [
  ...revealJoined(facts, change),
  ...facts.flatMap((fact) => {
    const users = UserSet.of(fact.userIds)
    return byArchived(fact.channels).flatMap((channels) => [
      { event: { ...fact, channels, ...clientsOf(channels[0]) }, audience: toUsers(users) },
      ...notifyPeers(
        'subscription/peer_add',
        channels.map((channel) => {
          const observers = change.observersAfter(channel.id).difference(users)
          return { channel, userIds: fact.userIds, observers }
        }),
      ),
    ])
  }),
]

/** Channels that were there before and come into the sight of the same users share a notice; their subscriptions follow. */
function revealJoined(facts: readonly Added[], change: StateChange): NewEvent[] {
  const existing = facts.flatMap(({ channels }) =>
    channels.filter(({ id }) => change.before.channels.has(id)),
  )
  const groups = Map.groupBy(new Set(existing), ({ id, isArchived }) => {
    const gained = change.observersAfter(id).difference(change.observersBefore(id))
    return `${isArchived}/${gained.encode()}`
  })
  return [...groups].flatMap(([key, channels]): NewEvent[] => {
    const users = UserSet.decode(key.slice(key.indexOf('/') + 1))
    if (users.size === 0) return []
    const event = { type: 'stream/reveal', channels, ...clientsOf(channels[0] as Channel) } as const
    return [{ event, audience: toUsers(users) }]
  })
}

/** Users who leave together see each other leave, as far as they still see the channel; last, it goes from their sight. */
const notifyRemoved: Notifier<Removed> = (facts, change) => {
  const { before, after } = change
  const left = new Set(facts.flatMap(({ channelIds }) => channelIds))
  return [
    ...facts.flatMap((fact) => {
      const { userIds, channelIds } = fact
      const users = UserSet.of(userIds)
      const names = new Map(channelIds.map((id, index) => [id, fact.names[index] as string]))
      return byArchived(channelIds.map((id) => before.getChannel(id).channel)).flatMap((channels) => [
        {
          event: {
            ...fact,
            channelIds: channels.map(({ id }) => id),
            names: channels.map(({ id }) => names.get(id) as string),
            ...clientsOf(channels[0]),
          },
          audience: toUsers(users),
        },
        ...notifyPeers(
          'subscription/peer_remove',
          channels.map((channel) => {
            const observers = change.observersAfter(channel.id)
            return { channel, userIds, observers: users.size === 1 ? observers.difference(users) : observers }
          }),
        ),
      ])
    }),
    ...tellVisibility(
      [...left].map((id) => ({ before: before.getChannel(id), after: after.getChannel(id) })),
      before.rights,
      after.rights,
    ),
  ]
}

/** A user who joins the channel now sees the change with the subscription. Older clients know muting by its opposite. */
const notifyUpdated: Notifier<Updated> = (facts, { before, facts: all }) => {
  const joining = joinsOf(all)
  return facts.flatMap((fact) => {
    const { userId, channelId, change } = fact
    if (joining.get(channelId)?.has(userId)) return [{ event: fact, audience: NOBODY }]
    const audience = toUsers(UserSet.of([userId]))
    const clients = clientsOf(before.getChannel(channelId).channel)
    const entries: NewEvent[] = [{ event: { ...fact, ...clients }, audience }]
    if (change.property === 'isMuted') {
      const shown = { property: 'inHomeView', value: !change.value } as const
      entries.push({
        event: { ...fact, type: 'subscription/update_shown', change: shown, ...clients },
        audience,
      })
    }
    return entries
  })
}

/** The users who join each channel. */
function joinsOf(facts: readonly Fact[]): ReadonlyMap<ChannelId, UserSet> {
  const joining = new Map<ChannelId, UserSet>()
  for (const fact of facts) {
    if (fact.type !== 'subscription/add') continue
    for (const { id } of fact.channels) joining.set(id, (joining.get(id) ?? UserSet.empty).with(fact.userIds))
  }
  return joining
}

/** Of archived channels only some clients know. */
function byArchived(channels: readonly Channel[]): [Channel, ...Channel[]][] {
  return [...Map.groupBy(channels, ({ isArchived }) => isArchived).values()] as [Channel, ...Channel[]][]
}

export const SUBSCRIPTION_NOTIFIERS: Notifiers<Added | Removed | Updated> = {
  'subscription/add': notifyAdded,
  'subscription/remove': notifyRemoved,
  'subscription/update': notifyUpdated,
}
