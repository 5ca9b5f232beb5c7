/** Invitations by mail: made, and sent again. */

import { isEmailAddress, readStandInAddress } from '../../domain/users/email-addresses.ts'
import { type Invitation, type InvitationCounts, isBacked } from '../../domain/accounts/invitations.ts'
import {
  INVITATION_MAILS_MAX,
  INVITATION_MAILS_OF_USER_MAX,
  MAILED_INVITATIONS_MAX,
} from '../../domain/limits.ts'
import { Secret } from '../../domain/secret.ts'
import { ApiError, fail as failWith } from '../../errors/api-error.ts'
import type { InvitationProblem } from '../../errors/users.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkAdministrator } from '../check-caller.ts'
import { checkEmailDomain } from '../users/check-email-domain.ts'
import {
  checkOwnInvitation,
  type GivenInvitation,
  invitationOf,
  type REVOKE_INVITATION_ERRORS,
} from './change-invitations.ts'
import { checkInvitation, INVITATION_ERRORS } from './check-invitation.ts'

/** How inviting by mail can fail. */
export const INVITE_BY_MAIL_ERRORS = [
  ...INVITATION_ERRORS,
  'INVITEES_MISSING',
  'INVITATION_FAILED',
  'TOO_MANY_INVITATIONS',
] as const

/** An invitation for several addresses. */
export interface MailInvitationsRequest extends GivenInvitation {
  /** Each once, valid or not. */
  readonly emails: readonly string[]
  readonly notifiesInviter: boolean
  /** Addresses that got enough mails of the caller, in lower case. */
  readonly flooded: ReadonlySet<string>
  /** The counts that limit the caller, as they were a moment ago. */
  readonly counts: InvitationCounts
  /** The stored form of the token of another link, for an invitation of one address. */
  readonly printedHash?: string
}

/**
 * Invites each address, and answers those that need no invitation. An address that is not valid fails the whole
 * request, as clients expect: people correct it and send the list again.
 */
export function decideMailInvitations(
  scope: Scope<(typeof INVITE_BY_MAIL_ERRORS)[number]>,
  { emails, notifiesInviter, flooded, counts, printedHash, ...request }: MailInvitationsRequest,
): Decision<readonly InvitationProblem[]> {
  const { state, fail } = scope
  checkInvitation(scope, state.permissions.canInviteUsers, request)
  if (emails.length === 0) throw fail('INVITEES_MISSING')
  const judged = emails.map((email) => ({ email, ...checkInvitee(email, scope, flooded) }))
  const problems = judged.flatMap(({ problem }) => (problem ? [problem] : []))
  if (judged.some(({ isInvalid }) => isInvalid) || problems.length === emails.length)
    throw fail('INVITATION_FAILED', { problems, reason: 'nobody' })
  checkCounts(scope, counts, emails.length - problems.length)
  const invitation = invitationOf(scope, request)
  const facts = judged
    .filter(({ problem }) => problem === undefined)
    .map(({ email }) => {
      const invitee = new Secret({ email, notifiesInviter, printedHash })
      return { type: 'invites_changed', change: { kind: 'mailed', invitation, invitee } } as const
    })
  return answering(problems, facts)
}

/** The tables check it again, under the lock: refusing here costs others nothing. */
function checkCounts(
  { fail }: Pick<Scope<'TOO_MANY_INVITATIONS' | 'INVITATION_FAILED'>, 'fail'>,
  { held, sent, sentByAll }: InvitationCounts,
  count: number,
): void {
  if (held + count > MAILED_INVITATIONS_MAX)
    throw fail('TOO_MANY_INVITATIONS', { countMax: MAILED_INVITATIONS_MAX })
  if (sent + count > INVITATION_MAILS_OF_USER_MAX || sentByAll + count > INVITATION_MAILS_MAX)
    throw fail('INVITATION_FAILED', { problems: [], reason: 'daily_limit' })
}

interface InviteeCheck {
  readonly problem?: InvitationProblem
  readonly isInvalid?: boolean
}

/** An account whose address the inviter may not see looks like none. It gets no mail: see `findMailedInvitation`. */
function checkInvitee(
  email: string,
  { state, caller }: Pick<Scope<never>, 'state' | 'caller'>,
  flooded: ReadonlySet<string>,
): InviteeCheck {
  const isAddress = isEmailAddress(email) && readStandInAddress(email, state.emailHost) === undefined
  if (!isAddress) return { problem: [email, 'Invalid address.', false], isInvalid: true }
  const user = state.findUserByApiEmail(email, caller)
  if (user?.isActive) return { problem: [email, 'Already has an account.', false] }
  if (user) return { problem: [email, 'Account has been deactivated.', true] }
  if (flooded.has(email.toLowerCase()))
    return { problem: [email, 'You have sent too many invitations to this address today.', false] }
  try {
    checkEmailDomain({ state, fail: failWith }, email)
    return {}
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { problem: [email, error.message, false], isInvalid: true }
  }
}

/** How sending an invitation again can fail. */
type ResendFailure = (typeof REVOKE_INVITATION_ERRORS)[number] | 'INVITATION_FAILED'

/** Sends the mail of an invitation again; the link of the mail before stops working, and the lifetime begins anew. */
export function decideResending(
  scope: Scope<ResendFailure>,
  { invitation, isFlooded }: { readonly invitation: Invitation; readonly isFlooded: boolean },
): Decision<void> {
  const { caller, now: invitedAt, fail } = scope
  checkOwnInvitation(scope, invitation)
  const { id: invitationId, inviterId, expiresAt } = invitation
  if (!isUseful(scope, invitation)) throw fail('INVITATION_UNKNOWN')
  if (isFlooded) throw fail('INVITATION_FAILED', { problems: [], reason: 'daily_limit' })
  const change = {
    kind: 'resent',
    invitationId,
    inviterId,
    senderId: caller.id,
    invitedAt,
    expiresAt: expiresAt === null ? null : invitedAt + (expiresAt - invitation.invitedAt),
  } as const
  return done([{ type: 'invites_changed', change }])
}

/** Whether an invitation is by mail, and its address can still make an account by it. */
function isUseful(
  { state, caller }: Pick<Scope<never>, 'state' | 'caller'>,
  invitation: Invitation,
): boolean {
  const { form, inviterId } = invitation
  return (
    form.kind === 'mail' &&
    isBacked(invitation, state.getUser(inviterId)) &&
    !state.findUserByApiEmail(form.email, caller)
  )
}

/** The personal link of an invitation by mail, with the hash of its token. */
export interface PersonalLinkRequest {
  readonly invitation: Invitation
  readonly tokenHash: Secret<string>
}

/**
 * Makes a link for the invited person alone, which somebody hands over instead of a mail. It lets everyone who has it take
 * the address, so only users get one who may make accounts for any address: administrators.
 */
export function decidePersonalLink(
  scope: Scope<(typeof REVOKE_INVITATION_ERRORS)[number]>,
  { invitation, tokenHash }: PersonalLinkRequest,
): Decision<void> {
  checkAdministrator(scope)
  checkOwnInvitation(scope, invitation)
  if (!isUseful(scope, invitation)) throw scope.fail('INVITATION_UNKNOWN')
  const { id: invitationId, inviterId } = invitation
  return done([{ type: 'invites_changed', change: { kind: 'linked', invitationId, inviterId, tokenHash } }])
}
