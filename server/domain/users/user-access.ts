/** Which users each user can see, and the last owner. */

import type { ChannelAccess } from '../channels/channel-access.ts'
import { ROLES, type User } from '../entities.ts'
import type { GroupSetting } from '../groups/group-settings.ts'
import type { UserId } from '../ids.ts'
import type { Rights } from './rights.ts'
import { UserSet } from './user-set.ts'

/** Viewers who cannot see all users: active guests without the organization's permission. */
export function limitedViewers(rights: Rights, canAccessAllUsers: GroupSetting): UserSet {
  const guests = rights.activeUsers.difference(rights.activeMembers)
  return guests.difference(rights.groups.holdersOf(canAccessAllUsers))
}

/** The users that a limited viewer can see, by reason. */
interface VisibleUserSources {
  readonly channels: Iterable<ChannelAccess>
  readonly bots: UserSet
  /** Everyone in a conversation with the viewer that has messages. */
  readonly partners: UserSet | undefined
}

/**
 * The users that a limited viewer can see: themselves, bots, partners and fellow subscribers, including deactivated
 * users.
 */
export function visibleUsers(viewerId: UserId, { channels, bots, partners }: VisibleUserSources): UserSet {
  const sets = [UserSet.of([viewerId]), bots, partners ?? UserSet.empty]
  for (const { channel, subscribers } of channels) {
    if (!channel.isArchived && subscribers.has(viewerId)) sets.push(subscribers)
  }
  return UserSet.unionOf(sets)
}

/** Whether a user is the only active owner who is a person: without an owner, nobody could appoint one. */
export function isLastOwner(user: User, users: Iterable<User>): boolean {
  if (!isActivePerson(user) || user.role !== ROLES.owner) return false
  for (const one of users) {
    if (one.id !== user.id && one.role === ROLES.owner && isActivePerson(one)) return false
  }
  return true
}

/** Active, and not a bot. */
export function isActivePerson({ isActive, botType }: User): boolean {
  return isActive && botType === null
}
