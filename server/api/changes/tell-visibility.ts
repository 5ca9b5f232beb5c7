/** Telling those who come to see a channel that it is there, and those who see it no longer that it is gone. */

import { type ChannelAccess, observersOf } from '../../domain/channel-access.ts'
import type { Channel } from '../../domain/entities.ts'
import type { ClientKind, NewEvent } from '../../domain/events.ts'
import type { Rights } from '../../domain/rights.ts'
import { UserSet } from '../../domain/user-set.ts'

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
  const gained = new Map<string, Channel[]>()
  const lost = new Map<string, Channel[]>()
  for (const { before, after } of changes) {
    const seeing = observersOf(before, rightsBefore)
    const willSee = observersOf(after, rightsAfter)
    note(gained, willSee.difference(seeing), after.channel)
    // Who is deactivated hears nothing any more.
    note(lost, seeing.difference(willSee).intersection(rightsAfter.activeUsers), after.channel)
  }
  return [
    ...[...gained].flatMap(([users, channels]) =>
      byClients(channels).map(
        ({ clients, group }): NewEvent => ({
          event: { type: 'stream/create', channels: group, isNew: false, ...clients },
          audience: { kind: 'users', users: UserSet.decode(users) },
        }),
      ),
    ),
    ...[...lost].flatMap(([users, channels]) =>
      byClients(channels).map(
        ({ clients, group }): NewEvent => ({
          event: { type: 'stream/delete', channelIds: group.map(({ id }) => id), ...clients },
          audience: { kind: 'users', users: UserSet.decode(users) },
        }),
      ),
    ),
  ]
}

function note(changed: Map<string, Channel[]>, users: UserSet, channel: Channel): void {
  if (users.size === 0) return
  const key = users.encode()
  const channels = changed.get(key) ?? []
  changed.set(key, channels)
  channels.push(channel)
}

/** The clients that are told of a channel: of an archived one only those that know of such. */
export function clientsOf({ isArchived }: Channel): { readonly clients?: ClientKind } {
  return isArchived ? { clients: 'with_archived_channels' } : {}
}

function byClients(channels: readonly Channel[]) {
  const groups = [
    channels.filter(({ isArchived }) => !isArchived),
    channels.filter(({ isArchived }) => isArchived),
  ]
  return groups
    .filter(([first]) => first !== undefined)
    .map((group) => ({ clients: clientsOf(group[0] as Channel), group }))
}
