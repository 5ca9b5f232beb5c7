/** `POST /invites/{invite_id}/resend`: resends an invitation by email. */

import type { InvitationId } from '../../../domain/ids.ts'
import { checkInviter, INVITER_ERRORS } from '../../../decisions/invitations/check-invitation.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const resendInvitation = operation({
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  summary: 'Resend an invitation',
  description: 'This server cannot send email yet, so no invitation can be resent.',
  access: 'user',
  isUnavailable: true,
  params: { invite_id: required(id<InvitationId>(), 'The invitation.') },
  reply: {},
  errors: [...INVITER_ERRORS, 'INVITATION_UNKNOWN'],
  events: [],
  run({ user, fail }) {
    checkInviter({ caller: user, fail })
    throw fail('INVITATION_UNKNOWN')
  },
})
