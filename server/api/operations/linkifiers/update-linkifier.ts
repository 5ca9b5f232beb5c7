/** `PATCH /realm/filters/{filter_id}`. */

import {
  decideLinkifierUpdate,
  UPDATE_LINKIFIER_ERRORS,
} from '../../../decisions/organization/change-linkifiers.ts'
import type { LinkifierId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { linkifierParams, readLinkifier } from './linkifier-params.ts'

export const updateLinkifier = change({
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  summary: 'Update a linkifier',
  description:
    'For administrators. Optional parameters that are missing stay unchanged; empty ones are removed.',
  access: 'user',
  params: { filter_id: required(id<LinkifierId>(), 'The id of the linkifier.'), ...linkifierParams },
  reply: {},
  errors: UPDATE_LINKIFIER_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ linkifierId: params.filter_id, linkifier: readLinkifier(params) }),
  decide: decideLinkifierUpdate,
})
