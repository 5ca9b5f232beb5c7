/** Makes the new channels of a request, and subscribes the users who join. */

import type { Fact } from '../../domain/events.ts'
import type { Scope } from '../scope.ts'
import { changeDefaultChannels } from './change-default-channels.ts'
import type { Target } from './find-targets.ts'

/** Makes the new channels, as default channels or not, and subscribes the users who join. */
export function joinTargets(scope: Scope, targets: readonly Target[], isDefault: boolean): Fact[] {
  const created = targets.filter(({ isNew }) => isNew)
  return [
    ...createChannels(scope, created, isDefault),
    ...setColors(scope, targets),
    ...joinChannels(targets),
  ]
}

function createChannels(scope: Scope, created: readonly Target[], isDefault: boolean): Fact[] {
  if (created.length === 0) return []
  const channels = created.map(({ channel }) => channel)
  const defaults = isDefault
    ? changeDefaultChannels(
        scope,
        channels.map(({ id }) => id),
        true,
      )
    : []
  return [{ type: 'stream/create', channels }, ...defaults]
}

/** Sets the colors of the caller's new subscriptions. The others choose theirs. */
function setColors({ caller }: Scope, targets: readonly Target[]): Fact[] {
  return targets.flatMap(({ channel, joined, wanted: { color } }): Fact[] => {
    if (color === undefined || !joined.has(caller.id)) return []
    const change = { property: 'color', value: color } as const
    return [{ type: 'subscription/update', userId: caller.id, channelId: channel.id, change }]
  })
}

/** Channels that the same users join share a fact. */
function joinChannels(targets: readonly Target[]): Fact[] {
  const groups = Map.groupBy(
    targets.filter(({ joined }) => joined.size > 0),
    ({ joined }) => joined.encode(),
  )
  return [...groups.values()].map((group) => ({
    type: 'subscription/add',
    channels: group.map(({ channel }) => channel),
    userIds: (group[0] as Target).joined.toArray(),
  }))
}
