/** `POST /realm/filters`. */

import { LINKIFIERS_MAX } from '../../../domain/limits.ts'
import { tellLinkifiers } from '../../../decisions/organization/change-lists.ts'
import { operation } from '../../operation.ts'
import { checkLinkifier, linkifierParams, readLinkifier } from './linkifier-params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const createLinkifier = operation({
  method: 'POST',
  path: '/realm/filters',
  summary: 'Add a linkifier',
  description:
    'For administrators. What the pattern matches in messages and topics becomes a link. Linkifiers are tried in their ' +
    'order, the new one last. What is wrong stands in `errors`, by parameter.',
  access: 'user',
  params: linkifierParams,
  reply: { id: { schema: INTEGER, description: "The new linkifier's id." } },
  errors: ['ROLE_REQUIRED', 'LINKIFIER_INVALID', 'TOO_MANY_LINKIFIERS'],
  events: ['realm_linkifiers'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const { entries } = state.linkifiers
        const id = state.nextLinkifierId
        const linkifier = { id, ...readLinkifier(params) }
        checkLinkifier(linkifier, entries, fail)
        if (entries.length >= LINKIFIERS_MAX) throw fail('TOO_MANY_LINKIFIERS', { countMax: LINKIFIERS_MAX })
        return { events: [tellLinkifiers(state, [...entries, linkifier])], reply: () => ({ id }) }
      },
    }),
})
