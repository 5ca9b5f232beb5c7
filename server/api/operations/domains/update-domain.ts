/** `PATCH /realm/domains/{domain}`. */

import {
  decideEmailDomainUpdate,
  EMAIL_DOMAIN_ERRORS,
} from '../../../decisions/organization/change-email-domains.ts'
import { change } from '../../change-operation.ts'
import { boolean, required } from '../../params.ts'
import { domainParam } from './domain-param.ts'

export const updateDomain = change({
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  summary: 'Update an allowed domain',
  description: 'For owners.',
  access: 'user',
  params: {
    domain: domainParam,
    allow_subdomains: required(boolean(), 'Whether addresses of subdomains count, too.'),
  },
  reply: {},
  errors: EMAIL_DOMAIN_ERRORS,
  events: ['realm_domains/change'],
  prepare: ({ params }) => ({ domain: params.domain, allowsSubdomains: params.allow_subdomains }),
  decide: decideEmailDomainUpdate,
})
