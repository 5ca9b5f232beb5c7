/** How people join by an invitation: they make their account themselves. */

import { MissingInvitationError, readInvitations } from '../../../db/invitations.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import { type Invitation, isBacked } from '../../domain/invitations.ts'
import { type ErrorName, fail } from '../../errors/api-error.ts'
import { sendNotice } from '../../changes/messages/send-notice.ts'
import type { Services } from '../services.ts'
import { isApiKey } from '../../changes/passwords.ts'
import { ACCOUNT_ERRORS, createAccount, type NewAccount } from '../users/new-account.ts'

/** The link of an invitation. */
export function invitationUrl(publicUrl: string, key: string): string {
  return `${publicUrl}/join/${key}/`
}

/** What of a form its sender can mend. */
export const JOIN_ERRORS: readonly ErrorName[] = [...ACCOUNT_ERRORS, 'PARAMETER_INVALID']

/** The invitation of a key, by which somebody can join now. */
export async function findInvitation(
  { sql, state, clock }: Services,
  key: string,
): Promise<Invitation | undefined> {
  if (!isApiKey(key)) return undefined
  const [invitation] = await readInvitations(sql, { key }, nowSeconds(clock))
  return invitation && isBacked(invitation, state.getUser(invitation.inviterId)) ? invitation : undefined
}

/** Makes the account of somebody who was invited, and greets them; undefined where the invitation is no longer there. */
export async function join(
  services: Services,
  invitation: Invitation,
  account: Pick<NewAccount, 'email' | 'fullName' | 'password'>,
): Promise<User | undefined> {
  const { clock } = services
  const { id: invitationId, role, channelIds, groupIds, hasDefaultChannels } = invitation
  const memberships = { channelIds, groupIds, hasDefaultChannels, giverId: invitation.inviterId }
  let user: User
  try {
    user = await createAccount(services, { ...account, role, memberships }, fail, (state) => {
      if (!isBacked(invitation, state.getUser(invitation.inviterId)))
        throw new MissingInvitationError('nobody stands for it any more')
      const used = {
        type: 'invitation_used',
        invitationId,
        userId: state.nextUserId,
        usedAt: nowSeconds(clock),
      } as const
      return [{ event: used, audience: { kind: 'nobody' } }]
    })
  } catch (error) {
    if (error instanceof MissingInvitationError) return undefined
    throw error
  }
  const welcome = invitation.welcomeText ?? services.state.settings.welcomeMessageCustomText
  if (welcome.trim() !== '') await sendNotice(services, null, [user.id], welcome)
  return user
}
