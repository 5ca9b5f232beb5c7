/** Whether somebody may have an account of an address, by the domains of the organization. */

import { isOfDomains } from '../../domain/email-domains.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'

/** What can be wrong with an address. */
export const EMAIL_DOMAIN_ERRORS = [
  'EMAIL_NOT_ALLOWED',
  'EMAIL_HOLDS_PLUS',
] as const satisfies readonly ErrorName[]

/** Throws where accounts are restricted to domains, and the address is of none of them. */
export function checkEmailDomain(
  email: string,
  { settings, emailDomains }: OrganizationState,
  fail: Fail<(typeof EMAIL_DOMAIN_ERRORS)[number]>,
): void {
  if (!settings.emailsRestrictedToDomains) return
  // By a `+` one mailbox has any number of addresses.
  if (email.slice(0, email.lastIndexOf('@')).includes('+')) throw fail('EMAIL_HOLDS_PLUS')
  if (!isOfDomains(email, emailDomains)) throw fail('EMAIL_NOT_ALLOWED', { email })
}
