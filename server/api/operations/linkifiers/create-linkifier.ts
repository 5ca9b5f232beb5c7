/** `POST /realm/filters`. */

import {
  decideNewLinkifier,
  NEW_LINKIFIER_ERRORS,
} from '../../../decisions/organization/change-linkifiers.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { change } from '../../change-operation.ts'
import { linkifierParams, readLinkifier } from './linkifier-params.ts'

export const createLinkifier = change({
  method: 'POST',
  path: '/realm/filters',
  summary: 'Add a linkifier',
  description:
    'For administrators. Text in messages and topics that matches the pattern becomes a link. Linkifiers apply ' +
    'in their order, the new one last. `errors` has the problems by parameter.',
  access: 'user',
  params: linkifierParams,
  reply: { id: { schema: INTEGER, description: "The new linkifier's id." } },
  errors: NEW_LINKIFIER_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ linkifier: readLinkifier(params) }),
  decide: decideNewLinkifier,
  answer: (id) => ({ id }),
})
