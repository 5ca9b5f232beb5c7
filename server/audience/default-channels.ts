/** Notices of the default channels for users who become guests or stop being guests: guests do not see them. */

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
    return noticeTo(UserSet.of([after.id]), { type: 'default_streams/shown', channelIds })
  })
}
