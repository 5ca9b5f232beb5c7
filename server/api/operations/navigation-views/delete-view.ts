/** `DELETE /navigation_views/{fragment}`: removes a view of the caller. */

import { operation } from '../../operation.ts'
import { required } from '../../params.ts'
import { fragmentType, submitView } from './view-params.ts'

export const deleteView = operation({
  method: 'DELETE',
  path: '/navigation_views/{fragment}',
  summary: 'Remove a navigation view',
  access: 'user',
  params: { fragment: required(fragmentType, 'The view; slashes in it may be written as `%2F`.') },
  reply: {},
  errors: ['VIEW_UNKNOWN'],
  events: ['navigation_view/remove'],
  async run({ params: { fragment }, user, services }) {
    await submitView({ type: 'navigation_view/remove', userId: user.id, fragment }, services)
    return {}
  },
})
