/** `POST /invites`: invites people by email, which this server cannot send yet. */

import { checkEmailDomain } from '../../../decisions/users/check-email-domain.ts'
import { isEmailAddress } from '../../../domain/email-addresses.ts'
import { INVITEES_LENGTH_MAX } from '../../../domain/limits.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { ApiError, fail as failWith } from '../../../errors/api-error.ts'
import type { InvitationProblem } from '../../../errors/invites.ts'
import { checkInvitation, INVITATION_ERRORS } from '../../../decisions/invitations/check-invitation.ts'
import { channelIdsType, INVITATION_PARAMS } from './invitation-params.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, required, text } from '../../params.ts'

/** The problem of a valid address. */
const NO_MAIL = 'This server sends no email. Create an invitation link instead.'

export const inviteByEmail = operation({
  method: 'POST',
  path: '/invites',
  summary: 'Invite people by email',
  description:
    'This server cannot send email yet, so it invites nobody: the error has the problem of each address. `POST ' +
    '/invites/multiuse` creates a link to send to people.',
  access: 'user',
  isUnavailable: true,
  params: {
    invitee_emails: required(
      text({ lengthMax: INVITEES_LENGTH_MAX }),
      'The addresses, separated by commas or line breaks.',
    ),
    ...INVITATION_PARAMS,
    stream_ids: required(channelIdsType, 'As for links.'),
    notify_referrer_on_join: defaulted(boolean(), true, 'Whether the caller is notified when a user joins.'),
  },
  reply: {},
  errors: [...INVITATION_ERRORS, 'INVITEES_MISSING', 'INVITATION_FAILED'],
  events: [],
  run({ user, params, services: { state }, fail }) {
    const gifts = { role: params.invite_as, channelIds: params.stream_ids, groupIds: params.group_ids }
    checkInvitation({ state, caller: user, fail }, state.permissions.canInviteUsers, gifts)
    const emails = params.invitee_emails.split(/[,\r\n]/).map(readAddress)
    const given = [...new Set(emails.filter((email) => email !== ''))]
    if (given.length === 0) throw fail('INVITEES_MISSING')
    throw fail('INVITATION_FAILED', { problems: given.map((email) => describeProblem(email, state)) })
  },
})

/** An address, with or without a name and angle brackets. */
function readAddress(text: string): string {
  const start = text.lastIndexOf('<')
  const end = text.lastIndexOf('>')
  return (start >= 0 && end > start ? text.slice(start + 1, end) : text).trim()
}

function describeProblem(email: string, state: OrganizationState): InvitationProblem {
  if (!isEmailAddress(email)) return [email, 'Invalid address.', false]
  const user = state.findUserByEmail(email)
  if (user?.isActive) return [email, 'Already has an account.', false]
  if (user) return [email, 'Account has been deactivated.', true]
  try {
    checkEmailDomain({ state, fail: failWith }, email)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [email, error.message, false]
  }
  return [email, NO_MAIL, false]
}
