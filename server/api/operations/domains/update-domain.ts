/** `PATCH /realm/domains/{domain}`. */

import { operation } from '../../operation.ts'
import { domainParam, findEmailDomain } from './domain-param.ts'
import { boolean, required } from '../../params.ts'
import { requireOwner } from '../../../decisions/require-role.ts'

export const updateDomain = operation({
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  summary: 'Update an allowed domain',
  description: 'For owners.',
  access: 'user',
  params: {
    domain: domainParam,
    allow_subdomains: required(boolean(), 'Whether addresses of domains below it count, too.'),
  },
  reply: {},
  errors: ['ROLE_REQUIRED', 'EMAIL_DOMAIN_UNKNOWN'],
  events: ['realm_domains/change'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireOwner(state.getUser(user.id), fail)
        const present = findEmailDomain(params.domain, state, fail)
        const { allow_subdomains: allowsSubdomains } = params
        if (present.allowsSubdomains === allowsSubdomains) return { events: [], reply: () => ({}) }
        return {
          events: [
            {
              event: { type: 'realm_domains/change', domain: { ...present, allowsSubdomains } },
              audience: { kind: 'users', users: state.rights.activeUsers },
            },
          ],
          reply: () => ({}),
        }
      },
    }),
})
