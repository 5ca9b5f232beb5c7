/** `DELETE /navigation_views/{fragment}`: removes a navigation view of the caller. */

import { MissingViewError } from '../../../../db/personal/navigation-views.ts'
import { decideViewRemoval } from '../../../decisions/personal/change-navigation-views.ts'
import { change } from '../../change-operation.ts'
import { required } from '../../params.ts'
import { fragmentType } from './view-params.ts'

export const deleteView = change({
  method: 'DELETE',
  path: '/navigation_views/{fragment}',
  summary: 'Remove a navigation view',
  access: 'user',
  params: { fragment: required(fragmentType, 'The view; slashes in it may be written as `%2F`.') },
  reply: {},
  errors: ['VIEW_UNKNOWN'],
  events: ['navigation_view/remove'],
  prepare: ({ params }) => params,
  decide: decideViewRemoval,
  explain: (error, { fail }) => (error instanceof MissingViewError ? fail('VIEW_UNKNOWN') : undefined),
})
