/** Members who join and leave groups by other changes, and the channels that this shows or hides. */

import { tellVisibility } from '../../audience/tell-visibility.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import type { Rights } from '../../domain/rights.ts'
import type { ServerScope } from '../scope.ts'

/** Users who join or leave one group together. */
export interface MembershipMove {
  readonly groupId: GroupId
  readonly userIds: readonly UserId[]
  readonly isJoining: boolean
}

/** Rights after some changes of memberships. */
export function withMemberships(rights: Rights, changes: readonly MembershipMove[]): Rights {
  return rights.withGroups(
    changes.reduce(
      (groups, { groupId, userIds, isJoining }) => groups.withMembers(groupId, userIds, isJoining),
      rights.groups,
    ),
  )
}

/** Tells everyone of active users who join or leave. Deactivated members are hidden, so nobody is told of them. */
export function tellMemberships(
  { state: { rights } }: Pick<ServerScope, 'state'>,
  changes: readonly MembershipMove[],
): NewEvent[] {
  return changes.flatMap(({ groupId, userIds, isJoining }) => {
    const type = isJoining ? 'user_group/add_members' : 'user_group/remove_members'
    const active = userIds.filter((id) => rights.activeUsers.has(id))
    const inactive = userIds.filter((id) => !rights.activeUsers.has(id))
    const events: NewEvent[] = []
    if (active.length > 0) {
      events.push({
        event: { type, groupId, userIds: active },
        audience: { kind: 'users', users: rights.activeUsers },
      })
    }
    if (inactive.length > 0) {
      events.push({ event: { type, groupId, userIds: inactive }, audience: { kind: 'nobody' } })
    }
    return events
  })
}

/** Tells users of the channels that they see, or no longer see, where only rights change. */
export function tellSight(
  { state: { channels, rights } }: Pick<ServerScope, 'state'>,
  rightsAfter: Rights,
): NewEvent[] {
  return tellVisibility(
    [...channels.values()].map((channel) => ({ before: channel, after: channel })),
    rights,
    rightsAfter,
  )
}
