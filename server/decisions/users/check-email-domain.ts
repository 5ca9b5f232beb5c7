/** Checks whether an address may have an account, by the organization's domains. */

import { isOfDomains } from '../../domain/users/email-domains.ts'
import type { Scope } from '../scope.ts'

/** How an address can be invalid. */
export const EMAIL_DOMAIN_ERRORS = ['EMAIL_NOT_ALLOWED', 'EMAIL_HOLDS_PLUS'] as const

/** Throws if accounts are restricted to domains, and the address has none of them. */
export function checkEmailDomain(
  { state, fail }: Pick<Scope<(typeof EMAIL_DOMAIN_ERRORS)[number]>, 'state' | 'fail'>,
  email: string,
): void {
  if (!state.settings.emailsRestrictedToDomains) return
  // With `+` one mailbox has any number of addresses.
  if (email.slice(0, email.lastIndexOf('@')).includes('+')) throw fail('EMAIL_HOLDS_PLUS')
  if (!isOfDomains(email, state.emailDomains)) throw fail('EMAIL_NOT_ALLOWED', { email })
}
