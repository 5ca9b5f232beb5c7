/** Notices of the default channels and their groups for users who become guests or stop being guests: guests see neither. */

import { ROLES } from '../domain/entities.ts'
import type { NewEvent } from '../domain/events.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { noticeTo } from './notifier.ts'
import type { StateChange } from './state-change.ts'

export function notifyDefaultChannels({ before: state, roleChanges }: StateChange): readonly NewEvent[] {
  return roleChanges.flatMap(({ before, after }) => {
    const becomesGuest = after.role === ROLES.guest
    if (becomesGuest === (before.role === ROLES.guest)) return []
    const channelIds = becomesGuest ? [] : state.defaultChannelIds
    const groups = becomesGuest ? [] : state.channelGroups.entries
    const user = UserSet.of([after.id])
    return [
      ...noticeTo(user, { type: 'default_streams/shown', channelIds }),
      ...(state.channelGroups.entries.length === 0
        ? []
        : noticeTo(user, { type: 'default_stream_groups/shown', groups })),
    ]
  })
}
