/**
 * Email domains: the addresses that new users may have. Checks a domain's form, and whether an address belongs to one.
 */

import type { EmailDomain } from '../organization/organization-lists.ts'
import { EMAIL_DOMAIN_LENGTH_MAX } from '../limits.ts'

/** Why a domain in lower case is invalid, or undefined. */
export function findDomainFault(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty."
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)'
  if (domain.length > EMAIL_DOMAIN_LENGTH_MAX) return 'Domain is too long'
  if (domain.startsWith('.') || domain.endsWith('.')) return 'Domain cannot start or end with a dot (.)'
  for (const label of domain.split('.')) {
    if (label === '') return "Consecutive '.' are not allowed."
    if (label.startsWith('-') || label.endsWith('-')) return "Subdomains cannot start or end with a '-'."
    if (!/^[a-z0-9-]+$/.test(label)) return "Domain can only have letters, numbers, '.' and '-'s."
  }
  return undefined
}

/** Whether an address belongs to one of the domains. */
export function isOfDomains(email: string, domains: readonly EmailDomain[]): boolean {
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domains.some(
    ({ domain, allowsSubdomains }) => host === domain || (allowsSubdomains && host.endsWith(`.${domain}`)),
  )
}
