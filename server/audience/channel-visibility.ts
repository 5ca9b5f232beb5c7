/** Notices of channels that appear or disappear for users. */

import type { Channel } from '../domain/entities.ts'
import type { Fact, NewEvent } from '../domain/events.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { byRecipients, type Clients } from './channel-clients.ts'
import { noticeTo } from './notifier.ts'
import { pinsFor } from './pins.ts'
import type { StateChange } from './state-change.ts'

/** The types of facts that add users to groups or remove them. */
const MEMBERSHIPS: ReadonlySet<Fact['type']> = new Set([
  'user_group/add_members',
  'user_group/remove_members',
  'user_group/add_subgroups',
  'user_group/remove_subgroups',
])

/** The notices, for users whose rights change. */
export function notifyRights(change: StateChange): readonly NewEvent[] {
  const { before, facts, newcomers, roleChanges } = change
  const isOfOthers = (fact: Fact) => !('userIds' in fact) || fact.userIds?.some((id) => !newcomers.has(id))
  // New users have no clients yet.
  const changesRights = facts.some((fact) => MEMBERSHIPS.has(fact.type) && isOfOthers(fact))
  return changesRights || roleChanges.length > 0 ? notifyVisibility(change, before.channels.keys()) : []
}

/** The notices, for channels that a change concerns: channels of the same users share notices. */
export function notifyVisibility(change: StateChange, channelIds: Iterable<ChannelId>): NewEvent[] {
  const changes = [...channelIds].map((id) => ({
    before: change.before.getChannel(id).channel,
    after: change.after.getChannel(id).channel,
    observersBefore: change.observersBefore(id),
    observersAfter: change.observersAfter(id),
  }))
  const gained = changes.map(({ after, observersBefore, observersAfter }) => {
    return { channel: after, users: observersAfter.difference(observersBefore) }
  })
  const lost = changes.map(({ before, observersBefore, observersAfter }) => {
    return { channel: before, users: observersBefore.difference(observersAfter) }
  })
  return [
    ...byRecipients(gained).flatMap(({ channels, users, clients }) =>
      reveal(change, channels, users, clients),
    ),
    ...byRecipients(lost).flatMap(({ channels, users, clients }) =>
      noticeTo(users, { type: 'stream/delete', channelIds: channels.map(({ id }) => id), ...clients }),
    ),
  ]
}

/**
 * Shows channels to users who could not see them: first the channels, then their subscribers. Subscribers see their
 * own subscription; others get the subscribers as if these joined.
 */
export function reveal(
  { after }: StateChange,
  channels: readonly Channel[],
  users: UserSet,
  clients: Clients,
): NewEvent[] {
  if (users.size === 0) return []
  return [
    ...noticeTo(users, { type: 'stream/reveal', channels, ...clients }),
    ...channels.flatMap((channel) => {
      const { subscribers, pins } = after.getChannel(channel.id)
      const inside = subscribers.intersection(users)
      const userIds = subscribers.intersection(after.rights.activeUsers).toArray()
      return [
        ...noticeTo(inside, { type: 'subscription/reveal', channels: [channel], ...clients }),
        ...(pins.length > 0 ? pinsFor(after.getChannel(channel.id), inside, clients) : []),
        ...(userIds.length === 0
          ? []
          : noticeTo(users.difference(inside), {
              type: 'subscription/peer_add',
              channelIds: [channel.id],
              userIds,
              ...clients,
            })),
      ]
    }),
  ]
}
