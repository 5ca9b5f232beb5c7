/** `DELETE /realm/filters/{filter_id}`. */

import {
  decideLinkifierRemoval,
  REMOVE_LINKIFIER_ERRORS,
} from '../../../decisions/organization/change-linkifiers.ts'
import type { LinkifierId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const deleteLinkifier = change({
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  summary: 'Remove a linkifier',
  description: 'For administrators. Existing messages keep their links.',
  access: 'user',
  params: { filter_id: required(id<LinkifierId>(), 'The id of the linkifier.') },
  reply: {},
  errors: REMOVE_LINKIFIER_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ linkifierId: params.filter_id }),
  decide: decideLinkifierRemoval,
})
