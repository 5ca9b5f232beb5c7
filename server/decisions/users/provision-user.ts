/** Accounts that the company's provider of identities writes, by SCIM. */

import type { Role, User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Rewritten, ScimUser } from '../../domain/scim/people.ts'
import { StaleScimError } from '../../domain/scim/scim-error.ts'
import { Secret } from '../../domain/secret.ts'
import { isLastOwner } from '../../domain/users/user-access.ts'
import { changeRoleWithBots } from '../bots/bot-roles.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { checkEmailDomain, EMAIL_DOMAIN_ERRORS } from './check-email-domain.ts'
import { isNameTaken } from './check-names.ts'
import { deactivateWithBots, reactivate } from './deactivate-user.ts'
import { type ACCOUNT_ERRORS, decideNewAccount, type NewAccountRequest } from './new-account.ts'

/** Further names that are tried where an organization wants unique ones: more people of one name are rare. */
const NAMES_MAX = 20

/** How a new account can fail. */
type NewAccountScope = ServerScope & Pick<Scope<(typeof ACCOUNT_ERRORS)[number]>, 'fail'>

/** An account to make. */
export interface ProvisionedAccountRequest {
  readonly account: NewAccountRequest
  /** The name that the provider wants; that of the account was free. */
  readonly fullName: string
  readonly isActive: boolean
  readonly person: ScimUser
}

/**
 * Makes an account with what is stored of its person, who has not logged in yet; answers its user. The person's row is written
 * in the same commit: if another one got the user name meanwhile, there is no account either.
 */
export function decideProvisionedAccount(
  scope: NewAccountScope,
  { account, fullName: wanted, isActive, person }: ProvisionedAccountRequest,
): Decision<User> {
  const userId = scope.state.nextUserId
  const fullName = freeName(scope, wanted) ?? wanted
  const decision = decideNewAccount(scope, { ...account, fullName })
  const more: Fact[] = [
    { type: 'login_awaited', userId },
    ...(isActive ? [] : [{ type: 'realm_user/update', userId, changes: { isActive } } as const]),
    writePerson(userId, { revision: null, row: person }),
  ]
  return { ...decision, events: [...decision.events, ...more] }
}

function writePerson(userId: UserId, stored: Rewritten<ScimUser>): Fact {
  return { type: 'scim_user_changed', userId, stored: new Secret(stored) }
}

/** An account as the provider wants it; undefined keeps the present value. */
export interface ProvisionedUserRequest {
  /** The account that the request was made for: the decision is stale if it has changed since. */
  readonly seen: User
  readonly email: string | undefined
  readonly fullName: string | undefined
  readonly isActive: boolean | undefined
  readonly role: Role | undefined
  /** The row of the person. */
  readonly person: Rewritten<ScimUser> | undefined
}

/** How such a change can fail. */
const PROVISIONED_USER_ERRORS = [
  'EMAIL_TAKEN',
  ...EMAIL_DOMAIN_ERRORS,
  'LAST_OWNER_DEMOTION',
  'LAST_OWNER_DEACTIVATION',
] as const
type UpdateScope = ServerScope & Pick<Scope<(typeof PROVISIONED_USER_ERRORS)[number]>, 'fail'>

/** Changes an account in one piece, or fails without any change. Throws a `StaleScimError`. */
export function decideProvisionedUser(
  scope: UpdateScope,
  { seen, email, fullName, isActive: wantsActive, role, person }: ProvisionedUserRequest,
): Decision<void> {
  const { state, fail } = scope
  const user = state.getUser(seen.id)
  if (user !== seen) throw new StaleScimError('the account has changed')
  const isActive = wantsActive ?? user.isActive
  const isLast = isLastOwner(user, state.users.values())
  const isNewRole = role !== undefined && role !== user.role
  if (isLast && !isActive) throw fail('LAST_OWNER_DEACTIVATION')
  if (isLast && isNewRole) throw fail('LAST_OWNER_DEMOTION')
  return done([
    ...(isActive && !user.isActive ? reactivate(scope, user) : []),
    ...changeAddress(scope, user, email),
    ...changeName(scope, user, fullName),
    ...(isNewRole ? changeRoleWithBots(scope, user, role) : []),
    ...(!isActive && user.isActive ? deactivateWithBots(scope, user.id) : []),
    ...(person ? [writePerson(user.id, person)] : []),
  ])
}

function changeAddress(scope: UpdateScope, { id, email: present }: User, email: string | undefined): Fact[] {
  if (email === undefined || email === present) return []
  const holder = scope.state.findUserByEmail(email)
  if (holder && holder.id !== id) throw scope.fail('EMAIL_TAKEN', { email })
  checkEmailDomain(scope, email)
  return [{ type: 'realm_user/update', userId: id, changes: { email } }]
}

/** The name, or one with a number where names are unique. */
function changeName(scope: UpdateScope, { id, fullName: present }: User, wanted: string | undefined): Fact[] {
  const fullName = wanted === undefined ? undefined : freeName(scope, wanted, id)
  if (fullName === present || fullName === undefined) return []
  return [{ type: 'realm_user/update', userId: id, changes: { fullName } }]
}

/** A name for a user, with a number if others have it and names are unique; undefined if all are taken. */
export function freeName(
  scope: Pick<ServerScope, 'state'>,
  name: string,
  ownId?: UserId,
): string | undefined {
  const names = Array.from({ length: NAMES_MAX }, (_, index) => (index === 0 ? name : `${name} ${index + 1}`))
  return names.find((one) => !isNameTaken(scope, one, ownId))
}
