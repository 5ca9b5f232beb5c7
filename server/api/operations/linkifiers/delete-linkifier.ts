/** `DELETE /realm/filters/{filter_id}`. */

import type { LinkifierId } from '../../../domain/ids.ts'
import { tellLinkifiers } from '../../../decisions/organization/change-lists.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const deleteLinkifier = operation({
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  summary: 'Remove a linkifier',
  description: 'For administrators. Messages that were sent keep their links.',
  access: 'user',
  params: { filter_id: required(id<LinkifierId>(), 'The id of the linkifier.') },
  reply: {},
  errors: ['ROLE_REQUIRED', 'LINKIFIER_UNKNOWN'],
  events: ['realm_linkifiers'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const { entries } = state.linkifiers
        const others = entries.filter((one) => one.id !== params.filter_id)
        if (others.length === entries.length) throw fail('LINKIFIER_UNKNOWN')
        return { events: [tellLinkifiers(state, others)], reply: () => ({}) }
      },
    }),
})
