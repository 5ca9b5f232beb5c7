/** `POST /realm/domains`. */

import {
  decideNewEmailDomain,
  NEW_EMAIL_DOMAIN_ERRORS,
} from '../../../decisions/organization/change-email-domains.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { boolean, required, text } from '../../params.ts'

/** Characters: longer text is never a domain, and gets that error. */
const TEXT_LENGTH_MAX = 1_000

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
