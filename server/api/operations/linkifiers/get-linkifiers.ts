/** `GET /realm/linkifiers`. */

import { LINKIFIER, viewLinkifier } from '../../../views/organization-lists-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getLinkifiers = operation({
  method: 'GET',
  path: '/realm/linkifiers',
  summary: 'Get linkifiers',
  access: 'user',
  params: {},
  reply: {
    linkifiers: {
      schema: arrayOf(LINKIFIER),
      description: 'All linkifiers, in the order in which they apply.',
    },
  },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({ linkifiers: state.linkifiers.entries.map(viewLinkifier) }),
})
