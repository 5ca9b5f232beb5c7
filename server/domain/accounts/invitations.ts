/** Invitations: links that let anyone who has one create an account, and mails that let the holder of one address. */

import { findRoleToGive } from '../../../packages/rules/invitations.ts'
import type { User } from '../entities.ts'
import type { ChannelId, GroupId, InvitationId, UserId } from '../ids.ts'
import { ROLES, type Role } from '../../../packages/rules/roles.ts'

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

/** The address of an invitation by mail. */
export interface Invitee {
  readonly email: string
  /** Whether the inviter gets a message when the invited person joins. */
  readonly notifiesInviter: boolean
  /** The stored form of the token in a link that the inviter hands over; undefined if there is only that of the mail. */
  readonly printedHash?: string | undefined
}

/** How an invitation reaches people: by a link whose key anyone may use, or by a mail to one address. */
export type InvitationForm =
  | { readonly kind: 'link'; readonly key: string }
  | ({ readonly kind: 'mail' } & Omit<Invitee, 'printedHash'>)

/** An invitation as stored. */
export interface Invitation extends InvitationContent {
  readonly id: InvitationId
  readonly form: InvitationForm
}

/** Whether an invitation is still valid: its inviter is active, and could invite to that role today. */
export function isBacked(
  { role }: Pick<InvitationContent, 'role'>,
  inviter: Pick<User, 'isActive' | 'role'>,
): boolean {
  return inviter.isActive && inviter.role !== ROLES.guest && findRoleToGive(inviter, role) === undefined
}

/** The counts that limit the invitations of a user. */
export interface InvitationCounts {
  /** Their valid invitations by mail. */
  readonly held: number
  /** Mails that they, and all users, sent in 24 hours. */
  readonly sent: number
  readonly sentByAll: number
}
