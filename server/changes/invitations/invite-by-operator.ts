/** Invites a person by mail for the operator, who also gets a link to hand over. */

import { DailyInvitationsError, TooManyInvitationsError } from '../../../db/accounts/invitation-errors.ts'
import { countInvitations, findFloodedAddresses } from '../../../db/mail/mailed-invitations.ts'
import type { LocalWriter } from '../../actors/local-writer.ts'
import { decideMailInvitations } from '../../decisions/invitations/invite-by-mail.ts'
import { scopeFor } from '../../decisions/scope.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { ROLES, type Role, type User } from '../../domain/entities.ts'
import { ApiError } from '../../errors/api-error.ts'
import { MAILED_INVITATIONS_MAX } from '../../domain/limits.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import type { InvitationProblem } from '../../errors/users.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { newApiKey } from '../passwords.ts'
import { submitForServer } from '../submit.ts'
import { invitationUrl } from './join-by-invitation.ts'

type InvitationWriter = Pick<LocalWriter, 'sql' | 'state' | 'committer' | 'clock'>

/** An invitation, as the operator gives it. */
export interface OperatorInvitation {
  readonly email: string
  readonly role: Role
  /** Undefined for the default channels. */
  readonly channelNames: readonly string[] | undefined
  /** The person in whose name it is, and whose rights it needs. */
  readonly inviter: User
  readonly lifetimeMinutes: number
}

/** The invitation that was made. */
interface MadeInvitation {
  /** Works like the link of the mail, until one of them is used. */
  readonly url: string
  /** UNIX seconds. */
  readonly expiresAt: number
}

/** Makes the invitation by the same decision as a request; throws a `ChangeRefused` if it is not allowed. */
export async function inviteByOperator(
  writer: InvitationWriter,
  publicUrl: string,
  { email, role, channelNames, inviter, lifetimeMinutes }: OperatorInvitation,
): Promise<MadeInvitation> {
  const { sql, state, clock } = writer
  // The decision hides accounts whose addresses the inviter may not see.
  if (state.findUserByEmail(email)) throw new ChangeRefused(`${email} already has an account`)
  const { apiKey: token, keyHash: printedHash } = newApiKey()
  const request = {
    emails: [email],
    printedHash,
    notifiesInviter: true,
    flooded: await findFloodedAddresses(sql, inviter.id, [email]),
    counts: await countInvitations(sql, inviter.id, nowSeconds(clock)),
    role,
    channelIds: [...new Set(channelNames?.map((name) => findChannelId(state, name)) ?? [])],
    groupIds: [],
    hasDefaultChannels: channelNames === undefined,
    welcomeText: null,
    lifetimeMinutes,
  }
  try {
    await submitForServer(writer, (scope) => decideMailInvitations(scopeFor(scope, inviter.id), request))
  } catch (error) {
    throw refusalOf(error, inviter) ?? error
  }
  return { url: invitationUrl(publicUrl, token), expiresAt: nowSeconds(clock) + lifetimeMinutes * 60 }
}

/** The owner who has been there longest. Throws a `ChangeRefused` if there is none. */
export function firstOwner(state: OrganizationState): User {
  if (!state.organization) throw new ChangeRefused('there is no organization yet: create it first')
  for (const user of state.users.values())
    if (user.role === ROLES.owner && user.isActive && user.botType === null) return user
  throw new ChangeRefused('the organization has no owner: name the inviter with --by')
}

function findChannelId(state: OrganizationState, name: string) {
  const found = state.findChannelByName(name)
  if (!found) throw new ChangeRefused(`there is no channel ${name}`)
  return found.channel.id
}

/** A refusal in words for the operator; undefined for other errors. */
function refusalOf(error: unknown, { email: inviter }: User): ChangeRefused | undefined {
  if (error instanceof TooManyInvitationsError)
    return new ChangeRefused(`${inviter} has too many invitations (maximum ${error.countMax})`)
  if (error instanceof DailyInvitationsError)
    return new ChangeRefused('too many invitations were sent by email today')
  if (!(error instanceof ApiError)) return undefined
  switch (error.errorName) {
    case 'INVITATION_FAILED': {
      const [first] = error.body['errors'] as readonly InvitationProblem[]
      return new ChangeRefused(first ? `${first[0]}: ${first[1]}` : error.message)
    }
    case 'TOO_MANY_INVITATIONS':
      return new ChangeRefused(`${inviter} has too many invitations (maximum ${MAILED_INVITATIONS_MAX})`)
    case 'INVITATION_CHANNEL_UNKNOWN':
      return new ChangeRefused(`${inviter} cannot see all of these channels, or one is archived`)
    default:
      return new ChangeRefused(`${inviter} may not send this invitation: ${error.message}`)
  }
}
