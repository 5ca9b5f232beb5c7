/** Notices of joined and left channels, for other users who see these channels. */

import type { Channel } from '../domain/entities.ts'
import type { NewEvent } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { toUsers } from './notifier.ts'
import { clientsOf } from './channel-clients.ts'

/** Users who joined or left one channel, and the users who see it. */
export interface PeerChange {
  readonly channel: Channel
  readonly userIds: readonly UserId[]
  readonly observers: UserSet
}

/** Channels that the same users joined or left before the same observers share a notice. */
export function notifyPeers(
  type: 'subscription/peer_add' | 'subscription/peer_remove',
  changes: readonly PeerChange[],
): NewEvent[] {
  const groups = Map.groupBy(
    changes.filter(({ userIds, observers }) => userIds.length > 0 && observers.size > 0),
    ({ channel, userIds, observers }) => `${channel.isArchived} ${userIds.join(',')} ${observers.encode()}`,
  )
  return [...groups.values()].map((group): NewEvent => {
    const { channel, userIds, observers } = group[0] as PeerChange
    const channelIds = group.map((one) => one.channel.id)
    return { event: { type, channelIds, userIds, ...clientsOf(channel) }, audience: toUsers(observers) }
  })
}
