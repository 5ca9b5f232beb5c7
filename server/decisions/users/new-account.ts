/** New accounts of people, with a password: made by administrators, or by invited people themselves. */

import { readStandInAddress } from '../../domain/users/email-addresses.ts'
import type { Role, User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { AddressProof } from '../../domain/events/invites.ts'
import type { UserId } from '../../domain/ids.ts'
import { type Invitation, isBacked } from '../../domain/accounts/invitations.ts'
import { Secret } from '../../domain/secret.ts'
import { checkAdministrator } from '../check-caller.ts'
import { answering, type Decision } from '../decision.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { checkEmailDomain, EMAIL_DOMAIN_ERRORS } from './check-email-domain.ts'
import { checkUniqueName } from './check-names.ts'
import { decideNewUser, type InitialMemberships } from './create-user.ts'

/** How the address and the name of an account can be invalid. */
export const ACCOUNT_ERRORS = ['EMAIL_TAKEN', ...EMAIL_DOMAIN_ERRORS, 'FULL_NAME_TAKEN'] as const
type AccountFailing = Pick<Scope<(typeof ACCOUNT_ERRORS)[number]>, 'state' | 'fail'>

/** A new account; its form is valid. */
export interface NewAccountRequest {
  readonly email: string
  readonly fullName: string
  readonly role: Role
  /** The hash of an unknown key; the first known key is made at a log-in. */
  readonly keyHash: string
  /** Undefined for a person who logs in by a provider. */
  readonly passwordHash?: string
  /** The inviters with invitations by mail to this address: none is needed any more. */
  readonly invitedBy: readonly UserId[]
  /** See `decideNewUser` for the default. */
  readonly memberships?: InitialMemberships | undefined
}

/** Throws if the address or the name is not valid for a new account. */
export function checkAccount(
  scope: AccountFailing,
  { email, fullName }: Pick<NewAccountRequest, 'email' | 'fullName'>,
): void {
  const { state, fail } = scope
  // The stand-in for another user's address cannot be an account's address.
  const isStandIn = readStandInAddress(email, state.emailHost) !== undefined
  checkEmailDomain(scope, email)
  if (isStandIn || state.findUserByEmail(email)) throw fail('EMAIL_TAKEN', { email })
  checkUniqueName(scope, fullName)
}

/** An administrator makes an account; answers its user. */
export function decideAccount(
  scope: Scope<(typeof ACCOUNT_ERRORS)[number] | 'ROLE_REQUIRED'>,
  request: NewAccountRequest,
): Decision<User> {
  checkAdministrator(scope)
  const decision = decideNewAccount(scope, request)
  const awaited = { type: 'login_awaited', userId: scope.state.nextUserId } as const
  return { ...decision, events: [...decision.events, awaited] }
}

/** An account that a user makes by an invitation. */
export interface JoinRequest {
  readonly invitation: Invitation
  readonly account: NewAccountRequest
  readonly proof: Secret<AddressProof>
}

/** Makes an account by an invitation; answers the user, or undefined if the invitation is no longer valid. */
export function decideJoining(
  scope: ServerScope & AccountFailing,
  { invitation, account, proof }: JoinRequest,
): Decision<User | undefined> {
  const { state, now: usedAt } = scope
  if (!isBacked(invitation, state.getUser(invitation.inviterId))) return answering(undefined, [])
  if (proof.reveal().kind === 'word' && !canJoinByWord(state)) return answering(undefined, [])
  const decision = makeAccount(scope, account)
  const used = {
    type: 'invitation_used',
    invitationId: invitation.id,
    userId: state.nextUserId,
    usedAt,
    proof,
  } as const
  return { ...decision, events: [...decision.events, used, ...endInvitations(account)] }
}

/**
 * Whether an invitation link makes an account without a confirmation of the address. If only some domains may join, an
 * address there is the right to join, so it is confirmed whatever an owner allows.
 */
export function canJoinByWord({ settings }: Pick<OrganizationState, 'settings'>): boolean {
  return settings.joinsWithoutConfirmation && !settings.emailsRestrictedToDomains
}

/** Makes an account, perhaps since the operator lets people of a provider do so; answers the user. */
export function decideNewAccount(
  scope: ServerScope & AccountFailing,
  request: NewAccountRequest,
): Decision<User> {
  const decision = makeAccount(scope, request)
  return { ...decision, events: [...decision.events, ...endInvitations(request)] }
}

function makeAccount(scope: ServerScope & AccountFailing, request: NewAccountRequest): Decision<User> {
  const { email, fullName, role, keyHash, memberships, passwordHash } = request
  checkAccount(scope, request)
  const user = {
    email,
    fullName,
    role,
    isActive: true,
    botType: null,
    botOwnerId: null,
    timezone: '',
    joinedAt: scope.now,
    avatarVersion: 1,
  }
  const decision = decideNewUser(scope, { user, keyHash, memberships })
  if (passwordHash === undefined) return decision
  return { ...decision, events: [...decision.events, firstPassword(scope.state.nextUserId, passwordHash)] }
}

/** Ends the invitations by mail to the address of a new account. */
function endInvitations({ email, invitedBy }: NewAccountRequest): Fact[] {
  if (invitedBy.length === 0) return []
  const change = { kind: 'accepted', inviterIds: invitedBy, email: new Secret(email) } as const
  return [{ type: 'invites_changed', change }]
}

/** Sets the password of an account in the commit that makes it: a crash leaves no account without one. */
export function firstPassword(userId: UserId, passwordHash: string): Fact {
  return { type: 'password_set', userId, secrets: new Secret({ kind: 'first', passwordHash } as const) }
}
