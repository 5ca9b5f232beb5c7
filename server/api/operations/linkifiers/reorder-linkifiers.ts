/** `PATCH /realm/linkifiers`: reorders the linkifiers. */

import {
  decideLinkifierOrder,
  REORDER_LINKIFIERS_ERRORS,
} from '../../../decisions/organization/change-linkifiers.ts'
import type { LinkifierId } from '../../../domain/ids.ts'
import { LINKIFIERS_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { id, list, required } from '../../params.ts'

export const reorderLinkifiers = change({
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Reorder linkifiers',
  description: 'For administrators. If two match the same text, the earlier one makes the link.',
  access: 'user',
  params: {
    ordered_linkifier_ids: required(
      list(id<LinkifierId>(), { lengthMax: LINKIFIERS_MAX }),
      'The ids of all linkifiers, each once.',
    ),
  },
  reply: {},
  errors: REORDER_LINKIFIERS_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ order: params.ordered_linkifier_ids }),
  decide: decideLinkifierOrder,
})
