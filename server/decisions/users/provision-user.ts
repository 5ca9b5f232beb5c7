/** Accounts that the company's provider of identities writes, by SCIM. */

import type { Role, User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
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

/** Makes an account, whose person has not logged in yet; answers its user. */
export function decideProvisionedAccount(scope: NewAccountScope, request: NewAccountRequest): Decision<User> {
  const decision = decideNewAccount(scope, request)
  const awaited = { type: 'login_awaited', userId: scope.state.nextUserId } as const
  return { ...decision, events: [...decision.events, awaited] }
}

/** An account as the provider wants it; undefined keeps the present value. */
export interface ProvisionedUserRequest {
  readonly userId: UserId
  readonly email: string | undefined
  readonly fullName: string | undefined
  readonly isActive: boolean | undefined
  readonly role: Role | undefined
}

/** How such a change can fail. */
const PROVISIONED_USER_ERRORS = [
  'EMAIL_TAKEN',
  ...EMAIL_DOMAIN_ERRORS,
  'LAST_OWNER_DEMOTION',
  'LAST_OWNER_DEACTIVATION',
] as const
type UpdateScope = ServerScope & Pick<Scope<(typeof PROVISIONED_USER_ERRORS)[number]>, 'fail'>

/** Changes an account in one piece, or fails without any change. */
export function decideProvisionedUser(
  scope: UpdateScope,
  { userId, email, fullName, isActive: wantsActive, role }: ProvisionedUserRequest,
): Decision<void> {
  const { state, fail } = scope
  const user = state.getUser(userId)
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
    ...(!isActive && user.isActive ? deactivateWithBots(scope, userId) : []),
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
