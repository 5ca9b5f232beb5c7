/** New accounts of people, with a password: made by administrators, or by people themselves who were invited. */

import { storePasswordHash } from '../../../db/users.ts'
import { PLAIN_BOT_SETUP } from '../../domain/bots.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { isEmailAddress, readStandInAddress } from '../../domain/email-addresses.ts'
import type { Role, User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import { countCodePoints, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { type Belongings, createUser } from '../changes/change-users.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'
import type { Services } from '../services.ts'
import { createApiKey } from '../../changes/passwords.ts'
import { checkEmailDomain, EMAIL_DOMAIN_ERRORS } from '../../decisions/users/check-email-domain.ts'
import { checkUniqueName } from '../../decisions/users/check-unique-name.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../operations/users/full-name-param.ts'

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
  /** What its user has from the start; what is usual where nothing is said. */
  readonly belongings?: Belongings
}

/**
 * Makes an account. `decideMore` throws where it may not be made now, and answers the events that follow those of
 * the account.
 */
export async function createAccount(
  services: Services,
  { email, fullName, password, role, belongings }: NewAccount,
  fail: Fail<(typeof ACCOUNT_ERRORS)[number]>,
  decideMore: (state: OrganizationState) => readonly NewEvent[],
): Promise<User> {
  const check = (state: OrganizationState) => {
    // An address that stands for somebody else may be nobody's own.
    const isStandIn = readStandInAddress(email, state.emailHost) !== undefined
    checkEmailDomain(email, state, fail)
    if (isStandIn || state.findUserByEmail(email)) throw fail('EMAIL_TAKEN', { email })
    checkUniqueName(fullName, undefined, state, fail)
  }
  if (!isEmailAddress(email)) throw fail('EMAIL_INVALID')
  checkFullName(fullName, fail)
  if (countCodePoints(password) < PASSWORD_LENGTH_MIN) throw fail('PASSWORD_TOO_WEAK')
  // Asked before a hash is made, which takes its time; and again when it is decided.
  check(services.state)
  const hash = await services.passwords.hash(password)
  const joining = {
    email,
    fullName,
    role,
    isActive: true,
    botType: null,
    botOwnerId: null,
    timezone: '',
    joinedAt: nowSeconds(services.clock),
    avatarVersion: 1,
  }
  // Nobody knows this key: the first that is known comes with a log-in.
  const change = createUser(joining, createApiKey(), PLAIN_BOT_SETUP, belongings)
  const user = await services.committer.submit({
    kind: 'structure',
    decide(state) {
      const more = decideMore(state)
      check(state)
      const decision = change.decide(state)
      return { ...decision, events: [...decision.events, ...more] }
    },
  })
  await storePasswordHash(services.sql, user.id, hash)
  return user
}
