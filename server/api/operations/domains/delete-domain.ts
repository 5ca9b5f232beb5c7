/** `DELETE /realm/domains/{domain}`. */

import {
  decideEmailDomainRemoval,
  EMAIL_DOMAIN_ERRORS,
} from '../../../decisions/organization/change-email-domains.ts'
import { change } from '../../change-operation.ts'
import { domainParam } from './domain-param.ts'

export const deleteDomain = change({
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  summary: 'Remove an allowed domain',
  description: 'For owners. Without any domain, accounts are not restricted.',
  access: 'user',
  params: { domain: domainParam },
  reply: {},
  errors: EMAIL_DOMAIN_ERRORS,
  events: ['realm_domains/remove', 'realm/update_dict'],
  prepare: ({ params }) => params,
  decide: decideEmailDomainRemoval,
})
