/** `DELETE /invites/multiuse/{invite_id}` and `DELETE /invites/{invite_id}`: revoke an invitation. */

import { MissingInvitationError } from '../../../../db/accounts/invitation-errors.ts'
import { readInvitations } from '../../../../db/accounts/invitations.ts'
import {
  decideInvitationRevocation,
  REVOKE_INVITATION_ERRORS,
} from '../../../decisions/invitations/change-invitations.ts'
import { checkInviter } from '../../../decisions/invitations/check-invitation.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { InvitationId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

function revoking(path: string, summary: string) {
  return change({
    method: 'DELETE',
    path,
    summary,
    description:
      'For administrators and for the author of the invitation; only owners can revoke an invitation as owner. Nobody can join with it any more.',
    access: 'user',
    params: { invite_id: required(id<InvitationId>(), 'The invitation.') },
    reply: {},
    errors: ['BOT_REFUSED', ...REVOKE_INVITATION_ERRORS],
    events: ['invites_changed'],
    async prepare({ user, params, services: { sql, clock }, fail }) {
      checkInviter({ caller: user, fail })
      const [invitation] = await readInvitations(sql, { id: params.invite_id }, nowSeconds(clock))
      if (!invitation) throw fail('INVITATION_UNKNOWN')
      return { invitation }
    },
    decide: decideInvitationRevocation,
    explain: (error, { fail }) =>
      error instanceof MissingInvitationError ? fail('INVITATION_UNKNOWN') : undefined,
  })
}

export const revokeInvitationLink = revoking('/invites/multiuse/{invite_id}', 'Revoke an invitation link')
/** All invitations share one kind of id, so either path accepts each. */
export const revokeInvitation = revoking('/invites/{invite_id}', 'Revoke an invitation')
