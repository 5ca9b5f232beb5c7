/** `DELETE /realm/domains/{domain}`. */

import { nowSeconds } from '../../../domain/clock.ts'
import { changeOrganization } from '../../changes/change-organization.ts'
import { operation } from '../../operation.ts'
import { domainParam, findEmailDomain } from './domain-param.ts'
import { requireOwner } from '../../../decisions/require-role.ts'

export const deleteDomain = operation({
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  summary: 'Remove an allowed domain',
  description: 'For owners. Without any, accounts are no longer restricted to domains.',
  access: 'user',
  params: { domain: domainParam },
  reply: {},
  errors: ['ROLE_REQUIRED', 'EMAIL_DOMAIN_UNKNOWN'],
  events: ['realm_domains/remove', 'realm/update_dict'],
  run: ({ user, params, services: { clock, committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireOwner(state.getUser(user.id), fail)
        const domain = findEmailDomain(params.domain, state, fail)
        const isLast = state.emailDomains.length === 1
        return {
          events: [
            {
              event: { type: 'realm_domains/remove', domain },
              audience: { kind: 'users', users: state.rights.activeUsers },
            },
            // Else nobody could join at all.
            ...(isLast
              ? changeOrganization(
                  state,
                  { settings: { emailsRestrictedToDomains: false } },
                  nowSeconds(clock),
                )
              : []),
          ],
          reply: () => ({}),
        }
      },
    }),
})
