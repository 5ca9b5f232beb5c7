/** Telling users of the channels that a call makes, and that users join. */

import { clientsOf } from '../../audience/tell-visibility.ts'
import type { Channel } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { Scope } from '../scope.ts'
import { changeDefaultChannels } from './change-default-channels.ts'
import type { Target } from './find-targets.ts'

/** Makes the channels that are new, as default channels or not, and subscribes the users who join. */
export function joinTargets(scope: Scope, targets: readonly Target[], isDefault: boolean): NewEvent[] {
  const created = targets.filter(({ isNew }) => isNew)
  const existing = targets.filter(({ isNew }) => !isNew)
  return [
    ...tellCreated(scope, created, isDefault),
    ...tellNewcomers(scope, existing),
    ...keepColors(scope, targets),
    ...tellJoined(scope, targets),
  ]
}

/** New channels all have the same settings, so the same people may know of them. */
function tellCreated({ state }: Scope, created: readonly Target[], isDefault: boolean): NewEvent[] {
  const [first] = created
  if (!first) return []
  const channels = created.map(({ before }) => before.channel)
  const channelIds = channels.map(({ id }) => id)
  return [
    {
      event: { type: 'stream/create', channels },
      audience: { kind: 'users', users: state.observersOf(first.after) },
    },
    ...(isDefault ? changeDefaultChannels({ state }, channelIds, true) : []),
  ]
}

/** Users who could not see a channel until now are told that it is there, before they are told that they joined. */
function tellNewcomers({ state }: Scope, existing: readonly Target[]): NewEvent[] {
  const groups = Map.groupBy(existing, ({ before, after }) => {
    const newcomers = state.observersOf(after).difference(state.observersOf(before))
    return `${before.channel.isArchived}/${newcomers.encode()}`
  })
  return [...groups].flatMap(([key, group]): NewEvent[] => {
    const users = UserSet.decode(key.slice(key.indexOf('/') + 1))
    const channels = group.map(({ before: { channel } }) => channel)
    if (users.size === 0) return []
    return [
      {
        event: { type: 'stream/reveal', channels, ...clientsOf(channels[0] as Channel) },
        audience: { kind: 'users', users },
      },
    ]
  })
}

/** Nobody is told of a color by itself: the subscription that follows shows it. What others see is theirs to choose. */
function keepColors({ caller }: Scope, targets: readonly Target[]): NewEvent[] {
  return targets.flatMap(({ before, joined, color }): NewEvent[] => {
    if (color === undefined || !joined.has(caller.id)) return []
    const change = { property: 'color', value: color } as const
    const channelId = before.channel.id
    return [
      {
        event: { type: 'subscription/update', userId: caller.id, channelId, change },
        audience: { kind: 'nobody' },
      },
    ]
  })
}

/** One event for all channels that the same users join, and one for those who see them join. */
function tellJoined(scope: Scope, targets: readonly Target[]): NewEvent[] {
  const groups = Map.groupBy(
    targets.filter(({ joined }) => joined.size > 0),
    ({ joined, before: { channel } }) => `${joined.encode()}/${channel.isArchived}`,
  )
  return [...groups.values()].flatMap((group) => {
    const { joined, before } = group[0] as Target
    const channels = group.map(({ before: { channel } }) => channel)
    const userIds = joined.toArray()
    const added: NewEvent = {
      event: { type: 'subscription/add', channels, userIds, ...clientsOf(before.channel) },
      audience: { kind: 'users', users: joined },
    }
    return [added, ...tellPeers(scope, group)]
  })
}

/** Channels that the same users join and the same others see share an event. */
function tellPeers({ state }: Scope, group: readonly Target[]): NewEvent[] {
  const { joined, before } = group[0] as Target
  const byObservers = Map.groupBy(group, ({ after }) => state.observersOf(after).difference(joined).encode())
  return [...byObservers]
    .filter(([observers]) => observers !== '')
    .map(([observers, channels]) => ({
      event: {
        type: 'subscription/peer_add',
        channelIds: channels.map(({ before: { channel } }) => channel.id),
        userIds: joined.toArray(),
        ...clientsOf(before.channel),
      },
      audience: { kind: 'users', users: UserSet.decode(observers) },
    }))
}
