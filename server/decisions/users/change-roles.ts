/** Changes of a user's role, and of who counts as a full member. */

import { ROLES, type Role, type User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import { isFullMember } from '../../domain/full-members.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { SYSTEM_GROUPS, systemGroupsOf } from '../../domain/system-groups.ts'
import { UserSet } from '../../domain/user-set.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { tellEveryone } from '../tell-everyone.ts'
import { tellSightOfBots } from '../bots/tell-bots.ts'
import { tellSightOfEmails } from './tell-emails.ts'
import {
  type MembershipMove,
  tellMemberships,
  tellSight,
  withMemberships,
} from '../groups/change-memberships.ts'

/** Gives a user another role: the account, its groups, and what it sees change together. */
export function changeRole(scope: ServerScope, user: User, role: Role): NewEvent[] {
  const { state, now } = scope
  const { rights, settings } = state
  const changed: User = { ...user, role }
  const wanted = systemGroupsOf(role, isFullMember(changed, settings.waitingPeriodDays, now))
  const present = Object.values(SYSTEM_GROUPS).filter((id) => state.groups.get(id).directMembers.has(user.id))
  const memberships = [
    ...present.filter((id) => !wanted.includes(id)).map((id) => membership(id, user.id, false)),
    ...wanted.filter((id) => !present.includes(id)).map((id) => membership(id, user.id, true)),
  ]
  return [
    tellEveryone(scope, { type: 'realm_user/update', userId: user.id, changes: { role } }),
    ...tellMemberships(scope, memberships),
    ...tellSight(scope, withMemberships(rights, memberships).withUser(changed)),
    ...tellSightOfDefaults(scope, user, role),
    ...tellSightOfEmails(scope, user, changed),
    ...tellSightOfBots(scope, user, changed),
  ]
}

function membership(groupId: GroupId, userId: UserId, isJoining: boolean): MembershipMove {
  return { groupId, userIds: [userId], isJoining }
}

/** Guests do not see the default channels. */
function tellSightOfDefaults({ state }: ServerScope, user: User, role: Role): NewEvent[] {
  const becomesGuest = role === ROLES.guest
  if (!user.isActive || becomesGuest === (user.role === ROLES.guest)) return []
  const channelIds = becomesGuest ? [] : state.defaultChannelIds
  return [
    {
      event: { type: 'default_streams/shown', channelIds },
      audience: { kind: 'users', users: UserSet.of([user.id]) },
    },
  ]
}

/** Makes exactly the members whose waiting period is over full members. */
export function updateFullMembers(scope: ServerScope, waitingPeriodDays: number): NewEvent[] {
  const { state, now } = scope
  const groupId = SYSTEM_GROUPS.fullMembers
  const present = state.groups.get(groupId).directMembers
  const wanted = UserSet.of(
    [...state.users.values()]
      .filter((user) => !user.isSystem && isFullMember(user, waitingPeriodDays, now))
      .map(({ id }) => id),
  )
  const memberships = [
    { groupId, userIds: present.difference(wanted).toArray(), isJoining: false },
    { groupId, userIds: wanted.difference(present).toArray(), isJoining: true },
  ].filter(({ userIds }) => userIds.length > 0)
  if (memberships.length === 0) return []
  return [
    ...tellMemberships(scope, memberships),
    ...tellSight(scope, withMemberships(state.rights, memberships)),
  ]
}

/**
 * Makes full members of users whose waiting period has ended. Every process submits it; after the first one there is
 * nothing left to change.
 */
export function decideFullMembers(scope: ServerScope): Decision<void> {
  const { waitingPeriodDays } = scope.state.settings
  // Without a waiting period everyone is a full member from the start.
  return done(waitingPeriodDays === 0 ? [] : updateFullMembers(scope, waitingPeriodDays))
}
