/** Recipients of facts about subscriptions. */

import type { EventOf, Fact, NewEvent } from '../domain/events.ts'
import type { ChannelId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { byClients, byRecipients, clientsOf } from './channel-clients.ts'
import { notifyVisibility } from './channel-visibility.ts'
import { NOBODY, noticeTo, type Notifier, toUsers } from './notifier.ts'
import { notifyPeers } from './peers.ts'
import type { StateChange } from './state-change.ts'

type Added = EventOf<'subscription/add'>
type Removed = EventOf<'subscription/remove'>
type Updated = EventOf<'subscription/update'>

/** Users who could not see a channel get the channel before their subscription. */
export const notifyJoins: Notifier<Added> = (facts, change) => [
  ...revealJoined(facts, change),
  ...facts.flatMap((fact) => {
    const { userIds } = fact
    const users = UserSet.of(userIds)
    return byClients(fact.channels).flatMap(({ channels, clients }) => [
      { event: { ...fact, channels, ...clients }, audience: toUsers(users) },
      ...notifyPeers(
        'subscription/peer_add',
        channels.map((channel) => {
          return { channel, userIds, observers: change.observersAfter(channel.id).difference(users) }
        }),
      ),
    ])
  }),
]

/** Channels that existed before. The subscriptions that follow show their subscribers. */
function revealJoined(facts: readonly Added[], change: StateChange): NewEvent[] {
  const joined = new Set(facts.flatMap(({ channels }) => channels))
  const existing = [...joined].filter(({ id }) => change.before.channels.has(id))
  const gained = existing.map((channel) => {
    const { id } = channel
    return { channel, users: change.observersAfter(id).difference(change.observersBefore(id)) }
  })
  return byRecipients(gained).flatMap(({ channels, users, clients }) =>
    noticeTo(users, { type: 'stream/reveal', channels, ...clients }),
  )
}

/** Users who leave together see each other leave if they still see the channel. A channel disappears last. */
export const notifyLeaves: Notifier<Removed> = (facts, change) => [
  ...facts.flatMap((fact) => {
    const { userIds, channelIds } = fact
    const users = UserSet.of(userIds)
    const names = new Map(channelIds.map((id, index) => [id, fact.names[index] as string]))
    const left = channelIds.map((id) => change.before.getChannel(id).channel)
    return byClients(left).flatMap(({ channels, clients }) => [
      {
        event: {
          ...fact,
          channelIds: channels.map(({ id }) => id),
          names: channels.map(({ id }) => names.get(id) as string),
          ...clients,
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
  ...notifyVisibility(change, new Set(facts.flatMap(({ channelIds }) => channelIds))),
]

/** A user who joins now gets the change with the subscription. Older clients know the opposite of muting. */
export const notifySubscriptionSettings: Notifier<Updated> = (facts, { before, facts: all }) => {
  const joining = joinsOf(all)
  return facts.flatMap((fact) => {
    const { userId, channelId, change } = fact
    if (joining.get(channelId)?.has(userId)) return [{ event: fact, audience: NOBODY }]
    const user = UserSet.of([userId])
    const clients = clientsOf(before.getChannel(channelId).channel)
    const entries: NewEvent[] = [{ event: { ...fact, ...clients }, audience: toUsers(user) }]
    if (change.property === 'isMuted') {
      const shown = { property: 'inHomeView', value: !change.value } as const
      entries.push(
        ...noticeTo(user, { ...fact, type: 'subscription/update_shown', change: shown, ...clients }),
      )
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
