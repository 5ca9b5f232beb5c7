/** Joins by an invitation: people make their own account. */

import { MissingInvitationError, readInvitations } from '../../../db/invitations.ts'
import { storePasswordHash } from '../../../db/users.ts'
import { decideJoining } from '../../decisions/users/new-account.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import { type Invitation, isBacked } from '../../domain/invitations.ts'
import { type ErrorName, fail } from '../../errors/api-error.ts'
import { sendNotice } from '../messages/send-notice.ts'
import { isApiKey, type Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { type GivenAccount, NEW_ACCOUNT_ERRORS, prepareAccount } from '../users/prepare-account.ts'

/** The link of an invitation. */
export function invitationUrl(publicUrl: string, key: string): string {
  return `${publicUrl}/join/${key}/`
}

/** The errors that the user can correct in the form. */
export const JOIN_ERRORS: readonly ErrorName[] = [...NEW_ACCOUNT_ERRORS, 'PARAMETER_INVALID']

/** The invitation of a key, if it is still valid. */
export async function findInvitation(
  { sql, state, clock }: Pick<Sending, 'sql' | 'state' | 'clock'>,
  key: string,
): Promise<Invitation | undefined> {
  if (!isApiKey(key)) return undefined
  const [invitation] = await readInvitations(sql, { key }, nowSeconds(clock))
  return invitation && isBacked(invitation, state.getUser(invitation.inviterId)) ? invitation : undefined
}

/** Makes the account of an invited person, and greets them; undefined if the invitation is no longer valid. */
export async function join(
  services: Sending & { readonly passwords: Passwords },
  invitation: Invitation,
  given: Pick<GivenAccount, 'email' | 'fullName' | 'password'>,
): Promise<User | undefined> {
  const { role, channelIds, groupIds, hasDefaultChannels, inviterId: giverId } = invitation
  const memberships = { channelIds, groupIds, hasDefaultChannels, giverId }
  const account = await prepareAccount(services, { ...given, role, memberships }, fail)
  const user = await submitForServer(services, (scope) =>
    decideJoining({ ...scope, fail }, { invitation, account }),
  ).catch((error: unknown) => {
    if (error instanceof MissingInvitationError) return undefined
    throw error
  })
  if (!user) return undefined
  await storePasswordHash(services.sql, user.id, account.passwordHash)
  const welcome = invitation.welcomeText ?? services.state.settings.welcomeMessageCustomText
  if (welcome.trim() !== '') await sendNotice(services, null, [user.id], welcome)
  return user
}
