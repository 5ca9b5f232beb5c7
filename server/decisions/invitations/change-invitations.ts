/** Making and revoking invitations. */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import { findRoleToGive } from '../../../packages/rules/invitations.ts'
import type { Invitation, InvitationContent } from '../../domain/accounts/invitations.ts'
import type { Secret } from '../../domain/secret.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkInvitation, type INVITATION_ERRORS, type InvitationGrants } from './check-invitation.ts'

/** An invitation, as the request has it. */
export interface GivenInvitation extends InvitationGrants {
  readonly hasDefaultChannels: boolean
  /** Counts if administrators give it; null for the organization's own text. */
  readonly welcomeText: string | null
  /** Null for no end. */
  readonly lifetimeMinutes: number | null
}

/** A link. */
export interface NewInvitationRequest extends GivenInvitation {
  /** The part of the link by which people join. */
  readonly key: Secret<string>
}

/** Makes an invitation. */
export function decideNewInvitation(
  scope: Scope<(typeof INVITATION_ERRORS)[number]>,
  { key, ...request }: NewInvitationRequest,
): Decision<void> {
  checkInvitation(scope, scope.state.permissions.createMultiuseInvite, request)
  const invitation = invitationOf(scope, request)
  return done([{ type: 'invites_changed', change: { kind: 'made', invitation, key } }])
}

/** The content of a new invitation, which the caller may make. */
export function invitationOf(
  { caller, now: invitedAt }: Pick<Scope<never>, 'caller' | 'now'>,
  { role, channelIds, groupIds, hasDefaultChannels, welcomeText, lifetimeMinutes }: GivenInvitation,
): InvitationContent {
  return {
    role,
    channelIds,
    groupIds,
    inviterId: caller.id,
    hasDefaultChannels,
    welcomeText: isAdministrator(caller) ? welcomeText : null,
    invitedAt,
    expiresAt: lifetimeMinutes === null ? null : invitedAt + lifetimeMinutes * 60,
  }
}

/** How revoking an invitation can fail. */
export const REVOKE_INVITATION_ERRORS = ['ROLE_REQUIRED', 'INVITATION_UNKNOWN'] as const

/** Revokes an invitation: nobody can join with it. */
export function decideInvitationRevocation(
  scope: Scope<(typeof REVOKE_INVITATION_ERRORS)[number]>,
  { invitation }: { readonly invitation: Invitation },
): Decision<void> {
  checkOwnInvitation(scope, invitation)
  const { id: invitationId, inviterId } = invitation
  return done([{ type: 'invites_changed', change: { kind: 'revoked', invitationId, inviterId } }])
}

/** Throws unless the caller made an invitation, or manages those of others. */
export function checkOwnInvitation(
  { caller, fail }: Pick<Scope<(typeof REVOKE_INVITATION_ERRORS)[number]>, 'caller' | 'fail'>,
  { inviterId, role }: Pick<Invitation, 'inviterId' | 'role'>,
): void {
  if (inviterId !== caller.id) {
    // To other users it looks absent.
    if (!isAdministrator(caller)) throw fail('INVITATION_UNKNOWN')
    const missing = findRoleToGive(caller, role)
    if (missing) throw fail('ROLE_REQUIRED', { role: missing })
  }
}
