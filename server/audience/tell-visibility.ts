/** Telling those who come to see a channel that it is there, and those who see it no longer that it is gone. */

import { type ChannelAccess, observersOf } from '../domain/channel-access.ts'
import type { Channel } from '../domain/entities.ts'
import type { ClientKind } from '../domain/events/client-kind.ts'
import type { NewEvent } from '../domain/events.ts'
import type { Rights } from '../domain/rights.ts'
import { UserSet } from '../domain/user-set.ts'

/** One channel before and after a change; rights may change with it. */
export interface VisibilityChange {
  readonly before: ChannelAccess
  readonly after: ChannelAccess
}

/**
 * The events that make known, after a change was told to those who see a channel before and after,
 * who sees it newly and who no longer. Channels with the same newcomers share an event.
 */
export function tellVisibility(
  changes: readonly VisibilityChange[],
  rightsBefore: Rights,
  rightsAfter: Rights = rightsBefore,
): NewEvent[] {
  const gained = new Map<string, ChannelAccess[]>()
  const lost = new Map<string, ChannelAccess[]>()
  for (const { before, after } of changes) {
    const seeing = observersOf(before, rightsBefore)
    const willSee = observersOf(after, rightsAfter)
    note(gained, willSee.difference(seeing), after)
    // Who is deactivated hears nothing any more.
    note(lost, seeing.difference(willSee).intersection(rightsAfter.activeUsers), before)
  }
  return [
    ...[...gained].flatMap(([users, accesses]) =>
      byClients(accesses).flatMap(({ clients, group }) =>
        reveal(group, UserSet.decode(users), rightsAfter, clients),
      ),
    ),
    ...[...lost].flatMap(([users, accesses]) =>
      byClients(accesses).map(
        ({ clients, group }): NewEvent => ({
          event: { type: 'stream/delete', channelIds: group.map(({ channel }) => channel.id), ...clients },
          audience: { kind: 'users', users: UserSet.decode(users) },
        }),
      ),
    ),
  ]
}

/** The events that show channels to users who could not see them until now: what they are, then who is in them. */
export function reveal(
  accesses: readonly ChannelAccess[],
  users: UserSet,
  { activeUsers }: Rights,
  clients: Clients = {},
): NewEvent[] {
  if (users.size === 0) return []
  const channels = accesses.map(({ channel }) => channel)
  const events: NewEvent[] = [
    {
      event: { type: 'stream/reveal', channels, ...clients },
      audience: { kind: 'users', users },
    },
  ]
  // Their own subscriptions are told to subscribers; the others learn of the subscribers as of ones who join.
  for (const { channel, subscribers } of accesses) {
    const inside = subscribers.intersection(users)
    const outside = users.difference(inside)
    const present = subscribers.intersection(activeUsers)
    if (inside.size > 0) {
      events.push({
        event: { type: 'subscription/reveal', channels: [channel], ...clients },
        audience: { kind: 'users', users: inside },
      })
    }
    if (outside.size > 0 && present.size > 0) {
      events.push({
        event: {
          type: 'subscription/peer_add',
          channelIds: [channel.id],
          userIds: present.toArray(),
          ...clients,
        },
        audience: { kind: 'users', users: outside },
      })
    }
  }
  return events
}

function note(changed: Map<string, ChannelAccess[]>, users: UserSet, access: ChannelAccess): void {
  if (users.size === 0) return
  const key = users.encode()
  const accesses = changed.get(key) ?? []
  changed.set(key, accesses)
  accesses.push(access)
}

interface Clients {
  readonly clients?: ClientKind
}

/** Of the clients that know archived channels alone. */
export const ARCHIVED_ONLY = { clients: 'with_archived_channels' } as const
/** Of the others. */
export const UNARCHIVED_ONLY = { clients: 'without_archived_channels' } as const

/** The clients that know a channel. */
export function clientsOf({ isArchived }: Channel): Clients {
  return isArchived ? ARCHIVED_ONLY : {}
}

function byClients(accesses: readonly ChannelAccess[]) {
  const groups = [
    accesses.filter(({ channel }) => !channel.isArchived),
    accesses.filter(({ channel }) => channel.isArchived),
  ]
  return groups
    .filter(([first]) => first !== undefined)
    .map((group) => ({ clients: clientsOf((group[0] as ChannelAccess).channel), group }))
}
