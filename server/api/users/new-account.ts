/** New accounts of people, with a password: made by administrators, or by people themselves who were invited. */

import { storePasswordHash } from '../../../db/users.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { isEmailAddress, readStandInAddress } from '../../domain/email-addresses.ts'
import type { Role, User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import { countCodePoints, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../../decisions/users/check-full-name.ts'
import { decideNewUser, type InitialMemberships } from '../../decisions/users/create-user.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'
import type { Services } from '../services.ts'
import { newApiKey } from '../../changes/passwords.ts'
import { checkEmailDomain, EMAIL_DOMAIN_ERRORS } from '../../decisions/users/check-email-domain.ts'
import { checkUniqueName } from '../../decisions/users/check-unique-name.ts'

/** What can be wrong with a new account. */
export const ACCOUNT_ERRORS = [
  'EMAIL_INVALID',
  'EMAIL_TAKEN',
  'PASSWORD_TOO_WEAK',
  ...FULL_NAME_ERRORS,
  ...EMAIL_DOMAIN_ERRORS,
  'FULL_NAME_TAKEN',
] as const satisfies readonly ErrorName[]

/** An account that is wanted. */
export interface NewAccount {
  readonly email: string
  readonly fullName: string
  readonly password: string
  readonly role: Role
  /** Where its user is from the start; see `decideNewUser` for the default. */
  readonly memberships?: InitialMemberships
}

/**
 * Makes an account. `decideMore` throws where it may not be made now, and answers the events that follow those of
 * the account.
 */
export async function createAccount(
  services: Services,
  { email, fullName, password, role, memberships }: NewAccount,
  fail: Fail<(typeof ACCOUNT_ERRORS)[number]>,
  decideMore: (state: OrganizationState) => readonly NewEvent[],
): Promise<User> {
  const check = (state: OrganizationState) => {
    // An address that stands for somebody else may be nobody's own.
    const isStandIn = readStandInAddress(email, state.emailHost) !== undefined
    checkEmailDomain({ state, fail }, email)
    if (isStandIn || state.findUserByEmail(email)) throw fail('EMAIL_TAKEN', { email })
    checkUniqueName({ state, fail }, fullName)
  }
  if (!isEmailAddress(email)) throw fail('EMAIL_INVALID')
  checkFullName({ fail }, fullName)
  if (countCodePoints(password) < PASSWORD_LENGTH_MIN) throw fail('PASSWORD_TOO_WEAK')
  // Asked before a hash is made, which takes its time; and again when it is decided.
  check(services.state)
  const hash = await services.passwords.hash(password)
  const now = nowSeconds(services.clock)
  const joining = {
    email,
    fullName,
    role,
    isActive: true,
    botType: null,
    botOwnerId: null,
    timezone: '',
    joinedAt: now,
    avatarVersion: 1,
  }
  // Nobody knows this key: the first that is known comes with a log-in.
  const { keyHash } = newApiKey()
  const user = await services.committer.submit({
    kind: 'structure',
    decide(state) {
      const more = decideMore(state)
      check(state)
      const decision = decideNewUser({ state, now }, { user: joining, keyHash, memberships })
      return { ...decision, events: [...decision.events, ...more] }
    },
  })
  await storePasswordHash(services.sql, user.id, hash)
  return user
}
