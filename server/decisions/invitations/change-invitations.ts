/** Changes of invitations, of which administrators are told, and who invited. */

import type { NewEvent } from '../../domain/events.ts'
import type { InvitationChange } from '../../domain/events/invites.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** The events of a change of somebody's invitations. */
export function changeInvitations(
  { rights }: OrganizationState,
  inviterId: UserId,
  change: InvitationChange,
): NewEvent[] {
  const inviter = rights.activeUsers.has(inviterId) ? [inviterId] : []
  const users = rights.activeAdministrators.with(inviter)
  return [{ event: { type: 'invites_changed', change }, audience: { kind: 'users', users } }]
}
