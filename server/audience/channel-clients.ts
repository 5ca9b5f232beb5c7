/** The clients that get events about channels: only some clients know archived channels. */

import type { Channel } from '../domain/entities.ts'
import type { ClientKind } from '../domain/events/client-kind.ts'
import type { UserSet } from '../domain/users/user-set.ts'

/** Limits an event to some clients. */
export interface Clients {
  readonly clients?: ClientKind
}

/** The clients that know archived channels alone. */
export const ARCHIVED_ONLY = { clients: 'with_archived_channels' } as const
/** The others. */
export const UNARCHIVED_ONLY = { clients: 'without_archived_channels' } as const

/** The clients that know a channel. */
export function clientsOf({ isArchived }: Channel): Clients {
  return isArchived ? ARCHIVED_ONLY : {}
}

/** Channels that the same clients know. */
export function byClients(
  channels: readonly Channel[],
): { channels: readonly Channel[]; clients: Clients }[] {
  const groups = Map.groupBy(channels, ({ isArchived }) => isArchived)
  return [...groups].map(([isArchived, some]) => ({
    channels: some,
    clients: isArchived ? ARCHIVED_ONLY : {},
  }))
}

/** A channel, and the users to notify of it. */
export interface Recipients {
  readonly channel: Channel
  readonly users: UserSet
}

/** Channels with the same users and the same clients to notify. */
export function byRecipients(
  all: readonly Recipients[],
): { channels: readonly Channel[]; users: UserSet; clients: Clients }[] {
  const groups = Map.groupBy(all, ({ channel, users }) => `${channel.isArchived}/${users.encode()}`)
  return [...groups.values()].map((group) => {
    const { channel, users } = group[0] as Recipients
    return { channels: group.map((one) => one.channel), users, clients: clientsOf(channel) }
  })
}
