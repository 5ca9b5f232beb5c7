/** Whether an address may have an account, by the domains of the organization. */

import { isOfDomains } from '../../domain/email-domains.ts'
import type { Scope } from '../scope.ts'

/** How an address can be wrong. */
export const EMAIL_DOMAIN_ERRORS = ['EMAIL_NOT_ALLOWED', 'EMAIL_HOLDS_PLUS'] as const

/** Throws where accounts are restricted to domains, and the address is of none of them. */
export function checkEmailDomain(
  { state, fail }: Pick<Scope<(typeof EMAIL_DOMAIN_ERRORS)[number]>, 'state' | 'fail'>,
  email: string,
): void {
  if (!state.settings.emailsRestrictedToDomains) return
  // By a `+` one mailbox has any number of addresses.
  if (email.slice(0, email.lastIndexOf('@')).includes('+')) throw fail('EMAIL_HOLDS_PLUS')
  if (!isOfDomains(email, state.emailDomains)) throw fail('EMAIL_NOT_ALLOWED', { email })
}
