/** Invitations: links that let anyone who has one create an account. */

import type { User } from './entities.ts'
import type { ChannelId, GroupId, InvitationId, UserId } from './ids.ts'
import { ROLES, type Role } from './roles.ts'

/** The content of an invitation. */
export interface InvitationContent {
  readonly inviterId: UserId
  readonly role: Role
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly GroupId[]
  readonly hasDefaultChannels: boolean
  /** Welcome message for the new users; null for the organization's own text. */
  readonly welcomeText: string | null
  /** UNIX seconds. */
  readonly invitedAt: number
  /** UNIX seconds; null if it never expires. */
  readonly expiresAt: number | null
}

/** An invitation as stored. */
export interface Invitation extends InvitationContent {
  readonly id: InvitationId
  /** The secret part of the link: anyone who knows it may join. */
  readonly key: string
}

/** The role that an inviter needs and lacks; nobody invites users to a role above their own. */
export function findRoleToInviteAs({ role }: User, invited: Role): 'owner' | 'administrator' | undefined {
  if (invited === ROLES.owner) return role === ROLES.owner ? undefined : 'owner'
  if (invited <= ROLES.moderator) return role <= ROLES.administrator ? undefined : 'administrator'
  return undefined
}

/** Whether an invitation is still valid: its inviter is active, and could invite to that role today. */
export function isBacked({ role }: InvitationContent, inviter: User): boolean {
  return inviter.isActive && inviter.role !== ROLES.guest && findRoleToInviteAs(inviter, role) === undefined
}
