/** Making and revoking invitations. */

import { isAdministrator } from '../../domain/channel-access.ts'
import { findRoleToInviteAs, type Invitation } from '../../domain/invitations.ts'
import type { Secret } from '../../domain/secret.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkInvitation, type INVITATION_ERRORS, type InvitationGifts } from './check-invitation.ts'

/** An invitation, as the request has it. */
export interface NewInvitationRequest extends InvitationGifts {
  readonly hasDefaultChannels: boolean
  /** Counts if administrators give it; null for the organization's own text. */
  readonly welcomeText: string | null
  /** Null for no end. */
  readonly lifetimeMinutes: number | null
  /** The part of the link by which people join. */
  readonly key: Secret<string>
}

/** Makes an invitation. */
export function decideNewInvitation(
  scope: Scope<(typeof INVITATION_ERRORS)[number]>,
  { hasDefaultChannels, welcomeText, lifetimeMinutes, key, ...request }: NewInvitationRequest,
): Decision<void> {
  const { state, caller, now: invitedAt } = scope
  const { role, channelIds, groupIds } = request
  checkInvitation(scope, state.permissions.createMultiuseInvite, request)
  const invitation = {
    role,
    channelIds,
    groupIds,
    inviterId: caller.id,
    hasDefaultChannels,
    welcomeText: isAdministrator(caller) ? welcomeText : null,
    invitedAt,
    expiresAt: lifetimeMinutes === null ? null : invitedAt + lifetimeMinutes * 60,
  }
  return done([{ type: 'invites_changed', change: { kind: 'made', invitation, key } }])
}

/** How revoking an invitation can fail. */
export const REVOKE_INVITATION_ERRORS = ['ROLE_REQUIRED', 'INVITATION_UNKNOWN'] as const

/** Revokes an invitation: nobody can join with it. */
export function decideInvitationRevocation(
  scope: Scope<(typeof REVOKE_INVITATION_ERRORS)[number]>,
  { invitation: { id, inviterId, role } }: { readonly invitation: Invitation },
): Decision<void> {
  const { caller, fail } = scope
  if (inviterId !== caller.id) {
    // To other users it looks absent.
    if (!isAdministrator(caller)) throw fail('INVITATION_UNKNOWN')
    const missing = findRoleToInviteAs(caller, role)
    if (missing) throw fail('ROLE_REQUIRED', { role: missing })
  }
  return done([{ type: 'invites_changed', change: { kind: 'revoked', invitationId: id, inviterId } }])
}
