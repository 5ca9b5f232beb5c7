/** `POST /realm/domains`. */

import { findDomainFault } from '../../../domain/email-domains.ts'
import { EMAIL_DOMAINS_MAX } from '../../../domain/limits.ts'
import { operation } from '../../operation.ts'
import { boolean, required, text } from '../../params.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { requireOwner } from '../../../decisions/require-role.ts'

/** Characters: what is longer than a domain can be is refused as such. */
const TEXT_LENGTH_MAX = 1_000

export const createDomain = operation({
  method: 'POST',
  path: '/realm/domains',
  summary: 'Add an allowed domain',
  description:
    'For owners. Where the setting `emails_restricted_to_domains` is on, newcomers need an address of one of the domains.',
  access: 'user',
  params: {
    domain: required(text({ lengthMax: TEXT_LENGTH_MAX, trim: true }), 'The domain, such as `example.com`.'),
    allow_subdomains: required(boolean(), 'Whether addresses of domains below it count, too.'),
  },
  reply: {
    new_domain: {
      schema: { type: 'array', items: { anyOf: [INTEGER, STRING] }, minItems: 2, maxItems: 2 },
      description: 'Its id, and the domain in lower case.',
    },
  },
  errors: ['ROLE_REQUIRED', 'EMAIL_DOMAIN_INVALID', 'EMAIL_DOMAIN_EXISTS', 'TOO_MANY_EMAIL_DOMAINS'],
  events: ['realm_domains/add'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireOwner(state.getUser(user.id), fail)
        const name = params.domain.toLowerCase()
        const reason = findDomainFault(name)
        if (reason !== undefined) throw fail('EMAIL_DOMAIN_INVALID', { reason })
        const { emailDomains } = state
        if (emailDomains.some(({ domain }) => domain === name))
          throw fail('EMAIL_DOMAIN_EXISTS', { domain: name })
        if (emailDomains.length >= EMAIL_DOMAINS_MAX)
          throw fail('TOO_MANY_EMAIL_DOMAINS', { countMax: EMAIL_DOMAINS_MAX })
        const domain = {
          id: state.nextEmailDomainId,
          domain: name,
          allowsSubdomains: params.allow_subdomains,
        }
        return {
          events: [
            {
              event: { type: 'realm_domains/add', domain },
              audience: { kind: 'users', users: state.rights.activeUsers },
            },
          ],
          reply: () => ({ new_domain: [domain.id, name] }),
        }
      },
    }),
})
