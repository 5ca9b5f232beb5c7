/** Invitations: links by which whoever has one makes an account of their own. */

import type { User } from './entities.ts'
import type { ChannelId, GroupId, InvitationId, UserId } from './ids.ts'
import { ROLES, type Role } from './roles.ts'

/** What an invitation says. */
export interface InvitationContent {
  readonly inviterId: UserId
  readonly role: Role
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly GroupId[]
  readonly hasDefaultChannels: boolean
  /** What those who join are greeted with; null for the organization's own text. */
  readonly welcomeText: string | null
  /** UNIX seconds. */
  readonly invitedAt: number
  /** UNIX seconds; null where it is never over. */
  readonly expiresAt: number | null
}

/** An invitation as it is kept. */
export interface Invitation extends InvitationContent {
  readonly id: InvitationId
  /** What stands in the link: who knows it may join. */
  readonly key: string
}

/** The role that somebody lacks to invite people as a role: nobody lifts others above themselves. */
export function findRoleToInviteAs({ role }: User, invited: Role): 'owner' | 'administrator' | undefined {
  if (invited === ROLES.owner) return role === ROLES.owner ? undefined : 'owner'
  if (invited <= ROLES.moderator) return role <= ROLES.administrator ? undefined : 'administrator'
  return undefined
}

/** Whether an invitation holds still: its inviter is there, and could invite people as that today. */
export function isBacked({ role }: InvitationContent, inviter: User): boolean {
  return inviter.isActive && inviter.role !== ROLES.guest && findRoleToInviteAs(inviter, role) === undefined
}
