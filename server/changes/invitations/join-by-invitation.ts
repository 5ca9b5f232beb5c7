/** Joins by an invitation: people make their own account. */

import { MissingInvitationError } from '../../../db/accounts/invitation-errors.ts'
import { readInvitations } from '../../../db/accounts/invitations.ts'
import { findJoining } from '../../../db/accounts/joinings.ts'
import { mentionUser, noticeTexts } from '../../decisions/notice-wording.ts'
import { decideJoining } from '../../decisions/users/new-account.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import type { AddressProof } from '../../domain/events/invites.ts'
import { type Invitation, isBacked } from '../../domain/accounts/invitations.ts'
import { Secret } from '../../domain/secret.ts'
import { type ErrorName, fail } from '../../errors/api-error.ts'
import { sendNotice } from '../messages/send-notice.ts'
import { hashApiKey, isApiKey, type Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import {
  type GivenAccount,
  NEW_ACCOUNT_ERRORS,
  prepareAccount,
  prepareAccountByProvider,
} from '../users/prepare-account.ts'

/** The link of an invitation, by its key or by the token of its mail. */
export function invitationUrl(publicUrl: string, key: string): string {
  return `${publicUrl}/join/${key}/`
}

/** The errors that the user can correct in the form. */
export const JOIN_ERRORS: readonly ErrorName[] = [
  ...NEW_ACCOUNT_ERRORS,
  'PARAMETER_INVALID',
  'PARAMETER_MISSING',
]

/** The invitation of a key or token, if it is still valid. */
export async function findInvitation(
  { sql, state, clock }: Pick<Sending, 'sql' | 'state' | 'clock'>,
  key: string,
): Promise<Invitation | undefined> {
  if (!isApiKey(key)) return undefined
  const [invitation] = await readInvitations(sql, { key, tokenHash: hashApiKey(key) }, nowSeconds(clock))
  return invitation && isBacked(invitation, state.getUser(invitation.inviterId)) ? invitation : undefined
}

/** The page behind the link of a mail that confirms an address. */
export function joiningUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/accounts/join/${token}/`
}

/** The confirmed address of a token and its invitation, if both are still valid. */
export async function findConfirmed(
  services: Pick<Sending, 'sql' | 'state' | 'clock'>,
  token: string,
): Promise<{ readonly email: string; readonly invitation: Invitation } | undefined> {
  if (!isApiKey(token)) return undefined
  const { sql, state, clock } = services
  const joining = await findJoining(sql, hashApiKey(token))
  if (!joining) return undefined
  const [invitation] = await readInvitations(sql, { id: joining.invitationId }, nowSeconds(clock))
  if (!invitation || !isBacked(invitation, state.getUser(invitation.inviterId))) return undefined
  return { email: joining.email, invitation }
}

/** An account as an invited person gives it; the proof has the address. Without a password they log in by a provider. */
type JoiningAccount = Pick<GivenAccount, 'fullName'> & { readonly password?: string }

/** A person who has joined, with the stored form of their password, if they chose one. */
interface Joined {
  readonly user: User
  readonly passwordHash: string | undefined
}

/**
 * Makes the account of an invited person, greets them, and notifies their inviter; undefined if the invitation is no
 * longer valid.
 */
export async function join(
  services: Sending & { readonly passwords: Passwords },
  invitation: Invitation,
  { fullName, password }: JoiningAccount,
  proof: AddressProof,
): Promise<Joined | undefined> {
  const { role, channelIds, groupIds, hasDefaultChannels, inviterId } = invitation
  const memberships = { channelIds, groupIds, hasDefaultChannels, granterId: inviterId }
  const { email } = proof
  const wanted = { fullName, email, role, memberships }
  const account =
    password === undefined
      ? await prepareAccountByProvider(services, wanted, fail)
      : await prepareAccount(services, { ...wanted, password }, fail)
  const user = await submitForServer(services, (scope) =>
    decideJoining({ ...scope, fail }, { invitation, account, proof: new Secret(proof) }),
  ).catch((error: unknown) => {
    if (error instanceof MissingInvitationError) return undefined
    throw error
  })
  if (!user) return undefined
  await greet(services, user, invitation.welcomeText)
  if (
    invitation.form.kind === 'mail' &&
    invitation.form.notifiesInviter &&
    services.state.getUser(inviterId).isActive
  ) {
    const { t } = noticeTexts(services.state, inviterId)
    const content = t('{user} accepted your invitation.', { user: mentionUser(user) })
    await sendNotice(services, null, [inviterId], content)
  }
  return { user, passwordHash: account.passwordHash }
}

/** Sends the welcome message, if there is one; null for the organization's own text. */
export async function greet(services: Sending, user: User, text: string | null): Promise<void> {
  const welcome = text ?? services.state.settings.welcomeMessageCustomText
  if (welcome.trim() !== '') await sendNotice(services, null, [user.id], welcome)
}
