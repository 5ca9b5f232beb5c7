/** `GET /invites`: the valid invitations. */

import { readInvitations } from '../../../../db/accounts/invitations.ts'
import { isAdministrator } from '../../../../packages/rules/roles.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { User } from '../../../domain/entities.ts'
import { findRoleToGive } from '../../../../packages/rules/invitations.ts'
import { type Invitation, isBacked } from '../../../domain/accounts/invitations.ts'
import { checkInviter, INVITER_ERRORS } from '../../../decisions/invitations/check-invitation.ts'
import { invitationUrl } from '../../../changes/invitations/join-by-invitation.ts'
import { operation } from '../../operation.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, record, STRING } from '../../../domain/json-schema.ts'

/** A valid invitation. */
const INVITATION = record(
  {
    id: INTEGER,
    invited_by_user_id: INTEGER,
    invited: INTEGER,
    expiry_date: orNull(INTEGER),
    invited_as: INTEGER,
    is_multiuse: BOOLEAN,
  },
  { link_url: STRING, email: STRING, notify_referrer_on_join: BOOLEAN },
)

export const getInvitations = operation({
  method: 'GET',
  path: '/invites',
  summary: 'Get invitations',
  description:
    'All invitations for administrators, own ones for others: links, and mails to one address. Only owners see the ' +
    'links of invitations as owner.',
  access: 'user',
  params: {},
  reply: { invites: { schema: arrayOf(INVITATION), description: 'The invitations, the oldest first.' } },
  errors: INVITER_ERRORS,
  events: [],
  async run({ user, services: { sql, state, clock, publicUrl }, fail }) {
    checkInviter({ caller: user, fail })
    const inviterId = isAdministrator(user) ? undefined : user.id
    const invitations = await readInvitations(sql, { inviterId }, nowSeconds(clock))
    const invites = invitations
      .filter((invitation) => isBacked(invitation, state.getUser(invitation.inviterId)))
      .filter(({ form }) => form.kind === 'link' || !state.findUserByApiEmail(form.email, user))
      .map((invitation) => ({
        id: invitation.id,
        invited_by_user_id: invitation.inviterId,
        invited: invitation.invitedAt,
        expiry_date: invitation.expiresAt,
        invited_as: invitation.role,
        is_multiuse: invitation.form.kind === 'link',
        ...viewForm(invitation, user, publicUrl),
      }))
    return { invites }
  },
})

function viewForm({ form, role }: Invitation, viewer: User, publicUrl: string) {
  if (form.kind === 'mail') return { email: form.email, notify_referrer_on_join: form.notifiesInviter }
  // With the link an administrator could become an owner.
  const isHidden = findRoleToGive(viewer, role) !== undefined
  return isHidden ? {} : { link_url: invitationUrl(publicUrl, form.key) }
}
