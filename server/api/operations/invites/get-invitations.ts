/** Invitations: the open ones, and their end. */

import { readInvitations } from '../../../../db/accounts/invitations.ts'
import { isAdministrator } from '../../../../packages/rules/roles.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { User } from '../../../domain/entities.ts'
import { findRoleToGive } from '../../../../packages/rules/invitations.ts'
import { type Invitation, isBacked } from '../../../domain/accounts/invitations.ts'
import { checkInviter, INVITER_ERRORS } from '../../../decisions/invitations/check-invitation.ts'
import { invitationUrl } from '../../../changes/invitations/join-by-invitation.ts'
import { newApiKey } from '../../../changes/passwords.ts'
import { Secret } from '../../../domain/secret.ts'
import { operation } from '../../operation.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, record, STRING } from '../../../domain/json-schema.ts'
import { DailyInvitationsError, MissingInvitationError } from '../../../../db/accounts/invitation-errors.ts'
import { findFloodedAddresses } from '../../../../db/mail/mailed-invitations.ts'
import {
  decideInvitationRevocation,
  REVOKE_INVITATION_ERRORS,
} from '../../../decisions/invitations/change-invitations.ts'
import { decidePersonalLink, decideResending } from '../../../decisions/invitations/invite-by-mail.ts'
import type { InvitationId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

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

/** `GET /invites`: the valid invitations. */
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

/** `POST /invites/{invite_id}/resend`: resends an invitation by email. */
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

/** `POST /invites/{invite_id}/link`: a personal link of an invitation by mail, to hand over. */
export const createPersonalLink = change({
  method: 'POST',
  path: '/invites/{invite_id}/link',
  summary: 'Get a personal invitation link',
  description:
    'For administrators: a link by which the invited person makes their account, once, as by that in the mail, which ' +
    'works as before. It replaces the personal link that was made before. Everyone who has it can take the address, so ' +
    'hand it over privately. Only owners get one of an invitation as owner. An extension of this server.',
  access: 'user',
  params: { invite_id: required(id<InvitationId>(), 'The invitation.') },
  reply: { invite_link: { schema: STRING, description: 'The link.' } },
  errors: ['BOT_REFUSED', ...REVOKE_INVITATION_ERRORS],
  events: ['invites_changed'],
  async prepare({ user, params, services: { sql, clock }, fail }) {
    checkInviter({ caller: user, fail })
    const [invitation] = await readInvitations(sql, { id: params.invite_id }, nowSeconds(clock))
    if (!invitation) throw fail('INVITATION_UNKNOWN')
    const { apiKey: token, keyHash } = newApiKey()
    return { invitation, token: new Secret(token), tokenHash: new Secret(keyHash) }
  },
  decide: decidePersonalLink,
  explain: (error, { fail }) =>
    error instanceof MissingInvitationError ? fail('INVITATION_UNKNOWN') : undefined,
  answer: (_, { services }, { token }) => ({
    invite_link: invitationUrl(services.publicUrl, token.reveal()),
  }),
})

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

/** `DELETE /invites/multiuse/{invite_id}` and `DELETE /invites/{invite_id}`: revoke an invitation. */
export const revokeInvitationLink = revoking('/invites/multiuse/{invite_id}', 'Revoke an invitation link')
/** All invitations share one kind of id, so either path accepts each. */
export const revokeInvitation = revoking('/invites/{invite_id}', 'Revoke an invitation')
