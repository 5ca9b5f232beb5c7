/** The part of a path that names a domain of the organization. */

import { EMAIL_DOMAIN_LENGTH_MAX } from '../../../domain/limits.ts'
import type { EmailDomain } from '../../../domain/organization-lists.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { required, text } from '../../params.ts'

/** A domain by its name. */
export const domainParam = required(text({ lengthMax: EMAIL_DOMAIN_LENGTH_MAX, trim: true }), 'The domain.')

/** The domain of a name. Throws where the organization has none. */
export function findEmailDomain(
  domain: string,
  { emailDomains }: OrganizationState,
  fail: Fail<'EMAIL_DOMAIN_UNKNOWN'>,
): EmailDomain {
  const found = emailDomains.find((one) => one.domain === domain.toLowerCase())
  if (!found) throw fail('EMAIL_DOMAIN_UNKNOWN', { domain })
  return found
}
