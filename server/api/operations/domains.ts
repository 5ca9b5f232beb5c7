/** Email domains of the organization. */

import { EMAIL_DOMAIN_LENGTH_MAX } from '../../domain/limits.ts'
import { boolean, required, text } from '../params.ts'
import { EMAIL_DOMAIN, viewEmailDomain } from '../../views/organization-lists-view.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER, STRING } from '../../domain/json-schema.ts'
import {
  decideEmailDomainRemoval,
  decideEmailDomainUpdate,
  decideNewEmailDomain,
  EMAIL_DOMAIN_ERRORS,
  NEW_EMAIL_DOMAIN_ERRORS,
} from '../../decisions/organization/change-email-domains.ts'
import { change } from '../change-operation.ts'

const domainParam = required(text({ lengthMax: EMAIL_DOMAIN_LENGTH_MAX, trim: true }), 'The domain.')

/** `GET /realm/domains`. */
export const getDomains = operation({
  method: 'GET',
  path: '/realm/domains',
  summary: 'Get allowed domains',
  access: 'user',
  params: {},
  reply: {
    domains: { schema: arrayOf(EMAIL_DOMAIN), description: 'All domains, in the order of their creation.' },
  },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({ domains: state.emailDomains.map(viewEmailDomain) }),
})

/** Characters: longer text is never a domain, and gets that error. */
const TEXT_LENGTH_MAX = 1_000

/** `POST /realm/domains`. */
export const createDomain = change({
  method: 'POST',
  path: '/realm/domains',
  summary: 'Add an allowed domain',
  description:
    'For owners. If the setting `emails_restricted_to_domains` is on, new users need an address of one of the domains.',
  access: 'user',
  params: {
    domain: required(text({ lengthMax: TEXT_LENGTH_MAX, trim: true }), 'The domain, such as `example.com`.'),
    allow_subdomains: required(boolean(), 'Whether addresses of subdomains count, too.'),
  },
  reply: {
    new_domain: {
      schema: { type: 'array', items: { anyOf: [INTEGER, STRING] }, minItems: 2, maxItems: 2 },
      description: 'Its id, and the domain in lower case.',
    },
  },
  errors: NEW_EMAIL_DOMAIN_ERRORS,
  events: ['realm_domains/add'],
  prepare: ({ params }) => ({ domain: params.domain, allowsSubdomains: params.allow_subdomains }),
  decide: decideNewEmailDomain,
  answer: ({ id, domain }) => ({ new_domain: [id, domain] }),
})

/** `PATCH /realm/domains/{domain}`. */
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

/** `DELETE /realm/domains/{domain}`. */
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
