/** Changes of the email domains for addresses of new users. */

import { findDomainFault } from '../../domain/users/email-domains.ts'
import { EMAIL_DOMAINS_MAX } from '../../domain/limits.ts'
import type { EmailDomain } from '../../domain/organization/organization-lists.ts'
import { checkOwner } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { changeOrganization } from './change-organization.ts'

/** A domain, as the request has it, in any case. */
type EmailDomainRequest = Omit<EmailDomain, 'id'>

/** How adding a domain can fail. */
export const NEW_EMAIL_DOMAIN_ERRORS = [
  'ROLE_REQUIRED',
  'EMAIL_DOMAIN_INVALID',
  'EMAIL_DOMAIN_EXISTS',
  'TOO_MANY_EMAIL_DOMAINS',
] as const

/** Adds a domain; answers it. */
export function decideNewEmailDomain(
  scope: Scope<(typeof NEW_EMAIL_DOMAIN_ERRORS)[number]>,
  { domain: given, allowsSubdomains }: EmailDomainRequest,
): Decision<EmailDomain> {
  const { state, fail } = scope
  checkOwner(scope)
  const name = given.toLowerCase()
  const reason = findDomainFault(name)
  if (reason !== undefined) throw fail('EMAIL_DOMAIN_INVALID', { reason })
  const { emailDomains } = state
  if (emailDomains.some(({ domain }) => domain === name)) throw fail('EMAIL_DOMAIN_EXISTS', { domain: name })
  if (emailDomains.length >= EMAIL_DOMAINS_MAX)
    throw fail('TOO_MANY_EMAIL_DOMAINS', { countMax: EMAIL_DOMAINS_MAX })
  const domain = { id: state.nextEmailDomainId, domain: name, allowsSubdomains }
  return answering(domain, [{ type: 'realm_domains/add', domain }])
}

/** How changing a domain can fail. */
export const EMAIL_DOMAIN_ERRORS = ['ROLE_REQUIRED', 'EMAIL_DOMAIN_UNKNOWN'] as const
type DomainScope = Scope<(typeof EMAIL_DOMAIN_ERRORS)[number]>

/** Changes whether subdomains of a domain count. */
export function decideEmailDomainUpdate(
  scope: DomainScope,
  { domain, allowsSubdomains }: EmailDomainRequest,
): Decision<void> {
  checkOwner(scope)
  const present = findEmailDomain(scope, domain)
  if (present.allowsSubdomains === allowsSubdomains) return done([])
  return done([{ type: 'realm_domains/change', domain: { ...present, allowsSubdomains } }])
}

/** Removes a domain; without any, accounts can have any domain. */
export function decideEmailDomainRemoval(
  scope: DomainScope,
  request: Pick<EmailDomainRequest, 'domain'>,
): Decision<void> {
  checkOwner(scope)
  const domain = findEmailDomain(scope, request.domain)
  const isLast = scope.state.emailDomains.length === 1
  return done([
    { type: 'realm_domains/remove', domain },
    // Otherwise nobody could join.
    ...(isLast ? changeOrganization(scope, { settings: { emailsRestrictedToDomains: false } }) : []),
  ])
}

/** The domain of a name in any case. */
function findEmailDomain({ state, fail }: Scope<'EMAIL_DOMAIN_UNKNOWN'>, domain: string): EmailDomain {
  const found = state.emailDomains.find((one) => one.domain === domain.toLowerCase())
  if (!found) throw fail('EMAIL_DOMAIN_UNKNOWN', { domain })
  return found
}
