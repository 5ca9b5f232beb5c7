/** `PATCH /realm/linkifiers`: tries the linkifiers in another order. */

import type { LinkifierId } from '../../../domain/ids.ts'
import { LINKIFIERS_MAX } from '../../../domain/limits.ts'
import { tellLinkifiers } from '../../../decisions/organization/change-lists.ts'
import { operation } from '../../operation.ts'
import { id, list, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const reorderLinkifiers = operation({
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Reorder linkifiers',
  description: 'For administrators. Where two match the same text, the earlier one makes the link.',
  access: 'user',
  params: {
    ordered_linkifier_ids: required(
      list(id<LinkifierId>(), { lengthMax: LINKIFIERS_MAX }),
      'The ids of all linkifiers, each once.',
    ),
  },
  reply: {},
  errors: ['ROLE_REQUIRED', 'LINKIFIER_ORDER_INVALID'],
  events: ['realm_linkifiers'],
  run: ({ user, params: { ordered_linkifier_ids: order }, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const { entries } = state.linkifiers
        const after = entries.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
        const isWhole = order.length === after.length && after.every((one, index) => one.id === order[index])
        if (!isWhole) throw fail('LINKIFIER_ORDER_INVALID')
        const isChanged = after.some((one, index) => one !== entries[index])
        return { events: isChanged ? [tellLinkifiers(state, after)] : [], reply: () => ({}) }
      },
    }),
})
