/** `PATCH /realm/filters/{filter_id}`. */

import { isDeepStrictEqual } from 'node:util'
import type { LinkifierId } from '../../../domain/ids.ts'
import { tellLinkifiers } from '../../../decisions/organization/change-lists.ts'
import { operation } from '../../operation.ts'
import { checkLinkifier, linkifierParams, readLinkifier } from './linkifier-params.ts'
import { id, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const updateLinkifier = operation({
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  summary: 'Update a linkifier',
  description:
    'For administrators. What else than the pattern and its template is not given stays; empty, it goes.',
  access: 'user',
  params: { filter_id: required(id<LinkifierId>(), 'The id of the linkifier.'), ...linkifierParams },
  reply: {},
  errors: ['ROLE_REQUIRED', 'LINKIFIER_UNKNOWN', 'LINKIFIER_INVALID'],
  events: ['realm_linkifiers'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const { entries } = state.linkifiers
        const present = entries.find((one) => one.id === params.filter_id)
        if (!present) throw fail('LINKIFIER_UNKNOWN')
        const changed = { id: present.id, ...readLinkifier(params, present) }
        const others = entries.filter((one) => one !== present)
        checkLinkifier(changed, others, fail)
        const after = entries.map((one) => (one === present ? changed : one))
        const isChanged = !isDeepStrictEqual(changed, present)
        return { events: isChanged ? [tellLinkifiers(state, after)] : [], reply: () => ({}) }
      },
    }),
})
