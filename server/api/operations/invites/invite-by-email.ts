/** `POST /invites`: invites people by email. */

import { DailyInvitationsError, TooManyInvitationsError } from '../../../../db/accounts/invitation-errors.ts'
import { countInvitations, findFloodedAddresses } from '../../../../db/mail/mailed-invitations.ts'
import { checkInviter } from '../../../decisions/invitations/check-invitation.ts'
import {
  decideMailInvitations,
  INVITE_BY_MAIL_ERRORS,
} from '../../../decisions/invitations/invite-by-mail.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { INVITEES_LENGTH_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { boolean, defaulted, required, text } from '../../params.ts'
import { channelIdsType, INVITATION_PARAMS, readInvitationParams } from './invitation-params.ts'

export const inviteByEmail = change({
  method: 'POST',
  path: '/invites',
  summary: 'Invite people by email',
  description:
    'Each address gets a mail with a link, by which its holder alone makes an account, once. An address that is not ' +
    'valid here refuses the whole request. Addresses with an account get no mail: the error lists them, and ' +
    '`sent_invitations` says whether the others were invited. `daily_limit_reached` means that a user has sent 200 ' +
    'invitations in 24 hours, or all users 1,000; five of one user may go to the same address.',
  access: 'user',
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
  errors: INVITE_BY_MAIL_ERRORS,
  events: ['invites_changed'],
  async prepare({ params, user, services, fail }) {
    checkInviter({ caller: user, fail })
    const { sql, clock } = services
    const emails = readAddresses(params.invitee_emails)
    return {
      ...readInvitationParams(params, services),
      emails,
      notifiesInviter: params.notify_referrer_on_join,
      flooded: await findFloodedAddresses(sql, user.id, emails),
      counts: await countInvitations(sql, user.id, nowSeconds(clock)),
    }
  },
  decide: decideMailInvitations,
  explain(error, { fail }) {
    if (error instanceof TooManyInvitationsError) return fail('TOO_MANY_INVITATIONS', error)
    if (error instanceof DailyInvitationsError)
      return fail('INVITATION_FAILED', { problems: [], reason: 'daily_limit' })
    return undefined
  },
  answer(problems, { fail }) {
    if (problems.length > 0) throw fail('INVITATION_FAILED', { problems, reason: 'others_invited' })
    return {}
  },
})

/** The addresses of a text, each once, however it is spelt. */
function readAddresses(text: string): string[] {
  const byFolded = new Map<string, string>()
  for (const email of text.split(/[,\r\n]/).map(readAddress)) {
    const folded = email.toLowerCase()
    if (email !== '' && !byFolded.has(folded)) byFolded.set(folded, email)
  }
  return [...byFolded.values()]
}

/** An address, with or without a name and angle brackets. */
function readAddress(text: string): string {
  const start = text.lastIndexOf('<')
  const end = text.lastIndexOf('>')
  return (start >= 0 && end > start ? text.slice(start + 1, end) : text).trim()
}
