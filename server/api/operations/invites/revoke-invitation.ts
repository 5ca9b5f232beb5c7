/** `DELETE /invites/multiuse/{invite_id}` and `DELETE /invites/{invite_id}`: revoke an invitation. */

import { MissingInvitationError, readInvitations } from '../../../../db/invitations.ts'
import { isAdministrator } from '../../../domain/channel-access.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { InvitationId } from '../../../domain/ids.ts'
import { findRoleToInviteAs } from '../../../domain/invitations.ts'
import { changeInvitations } from '../../../decisions/invitations/change-invitations.ts'
import { requireInviter } from './invitation-params.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

function revoking(path: string, summary: string) {
  return operation({
    method: 'DELETE',
    path,
    summary,
    description:
      'For administrators, one that makes owners for owners; and for who made it. Nobody joins by it any more.',
    access: 'user',
    params: { invite_id: required(id<InvitationId>(), 'The invitation.') },
    reply: {},
    errors: ['BOT_REFUSED', 'ROLE_REQUIRED', 'INVITATION_UNKNOWN'],
    events: ['invites_changed'],
    async run({ user, params: { invite_id: invitationId }, services, fail }) {
      const { sql, clock, committer } = services
      requireInviter(user, fail)
      const [invitation] = await readInvitations(sql, { id: invitationId }, nowSeconds(clock))
      if (!invitation) throw fail('INVITATION_UNKNOWN')
      const { inviterId, role } = invitation
      try {
        return await committer.submit({
          kind: 'structure',
          decide(state) {
            const caller = state.getUser(user.id)
            if (inviterId !== caller.id) {
              // To others it is as if it were not there.
              if (!isAdministrator(caller)) throw fail('INVITATION_UNKNOWN')
              const missing = findRoleToInviteAs(caller, role)
              if (missing) throw fail('ROLE_REQUIRED', { role: missing })
            }
            const events = changeInvitations(state, inviterId, { kind: 'revoked', invitationId })
            return { events, reply: () => ({}) }
          },
        })
      } catch (error) {
        if (error instanceof MissingInvitationError) throw fail('INVITATION_UNKNOWN')
        throw error
      }
    },
  })
}

export const revokeInvitationLink = revoking('/invites/multiuse/{invite_id}', 'Revoke an invitation link')
/** The ids of all invitations are of one kind, so that either path takes any. */
export const revokeInvitation = revoking('/invites/{invite_id}', 'Revoke an invitation')
