/** `POST /invites/{invite_id}/resend`: resends an invitation by email. */

import { DailyInvitationsError, MissingInvitationError } from '../../../../db/accounts/invitation-errors.ts'
import { readInvitations } from '../../../../db/accounts/invitations.ts'
import { findFloodedAddresses } from '../../../../db/mail/mailed-invitations.ts'
import { REVOKE_INVITATION_ERRORS } from '../../../decisions/invitations/change-invitations.ts'
import { checkInviter } from '../../../decisions/invitations/check-invitation.ts'
import { decideResending } from '../../../decisions/invitations/invite-by-mail.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { InvitationId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const resendInvitation = change({
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  summary: 'Resend an invitation',
  description:
    'Sends the mail of an invitation once more. The link of the mail before stops working, and the invitation lasts as ' +
    'long as a new one. For administrators and for the author of the invitation; only owners resend an invitation as ' +
    'owner. It counts as another invitation by mail.',
  access: 'user',
  params: { invite_id: required(id<InvitationId>(), 'The invitation.') },
  reply: {},
  errors: ['BOT_REFUSED', ...REVOKE_INVITATION_ERRORS, 'INVITATION_FAILED'],
  events: ['invites_changed'],
  async prepare({ user, params, services: { sql, clock }, fail }) {
    checkInviter({ caller: user, fail })
    const [invitation] = await readInvitations(sql, { id: params.invite_id }, nowSeconds(clock))
    if (!invitation) throw fail('INVITATION_UNKNOWN')
    const { form } = invitation
    const isFlooded =
      form.kind === 'mail' && (await findFloodedAddresses(sql, user.id, [form.email])).size > 0
    return { invitation, isFlooded }
  },
  decide: decideResending,
  explain(error, { fail }) {
    if (error instanceof MissingInvitationError) return fail('INVITATION_UNKNOWN')
    if (error instanceof DailyInvitationsError)
      return fail('INVITATION_FAILED', { problems: [], reason: 'daily_limit' })
    return undefined
  },
})
