/** Who knows whom, and who may change whose account. */

import { type ChannelAccess, isAdministrator } from './channel-access.ts'
import { ROLES, type User } from './entities.ts'
import type { GroupSetting } from './group-settings.ts'
import type { UserId } from './ids.ts'
import type { Rights } from './rights.ts'
import { UserSet } from './user-set.ts'

/** Those who do not know every user: active guests to whom the organization does not give access to all. */
export function limitedViewers(rights: Rights, canAccessAllUsers: GroupSetting): UserSet {
  const guests = rights.activeUsers.difference(rights.activeMembers)
  return guests.difference(rights.groups.holdersOf(canAccessAllUsers))
}

/** What makes users known to somebody who does not know all. */
interface Acquaintance {
  readonly channels: Iterable<ChannelAccess>
  readonly bots: UserSet
  /** Everyone they share a conversation with in which somebody has written. */
  readonly partners: UserSet | undefined
}

/** Whom such a user knows: themself, bots, partners, and who is in a channel with them, deactivated users included. */
export function knownUsers(viewerId: UserId, { channels, bots, partners }: Acquaintance): UserSet {
  const sets = [UserSet.of([viewerId]), bots, partners ?? UserSet.empty]
  for (const { channel, subscribers } of channels) {
    if (!channel.isArchived && subscribers.has(viewerId)) sets.push(subscribers)
  }
  return UserSet.unionOf(sets)
}

/** Whether a user may change another's account, or that of their own bot. */
export function canAdministerUser(caller: User, target: User): boolean {
  return isAdministrator(caller) || target.botOwnerId === caller.id
}

/** Whether a user is the only active person among some who is an owner: without one nobody could make another. */
export function isLastOwner(user: User, users: Iterable<User>): boolean {
  if (!isActivePerson(user) || user.role !== ROLES.owner) return false
  for (const one of users) {
    if (one.id !== user.id && one.role === ROLES.owner && isActivePerson(one)) return false
  }
  return true
}

/** Neither deactivated nor a bot. */
export function isActivePerson({ isActive, botType }: User): boolean {
  return isActive && botType === null
}
