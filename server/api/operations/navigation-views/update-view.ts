/** `PATCH /navigation_views/{fragment}`: changes a view of the caller. */

import { hasView } from '../../../../db/navigation-views.ts'
import { operation } from '../../operation.ts'
import { boolean, optional, required } from '../../params.ts'
import { checkViewName, fragmentType, submitView, viewNameType } from './view-params.ts'

export const updateView = operation({
  method: 'PATCH',
  path: '/navigation_views/{fragment}',
  summary: 'Update a navigation view',
  access: 'user',
  params: {
    fragment: required(fragmentType, 'The view; slashes in it may be written as `%2F`.'),
    is_pinned: optional(boolean(), 'Whether it is shown at the top, or else hidden in a menu.'),
    name: optional(viewNameType, 'What it is called from now on, unless every client has it.'),
  },
  reply: {},
  errors: ['VIEW_UNKNOWN', 'VIEW_NAME_FIXED', 'VIEW_NAME_MISSING', 'VIEW_EXISTS'],
  events: ['navigation_view/update'],
  async run({ params: { fragment, is_pinned: isPinned, name }, user, services, fail }) {
    if (!(await hasView(services.sql, user.id, fragment))) throw fail('VIEW_UNKNOWN')
    if (name !== undefined) checkViewName(fragment, name, fail)
    const changes = {
      ...(isPinned === undefined ? {} : { isPinned }),
      ...(name === undefined ? {} : { name }),
    }
    if (Object.keys(changes).length > 0)
      await submitView({ type: 'navigation_view/update', userId: user.id, fragment, changes }, services)
    return {}
  },
})
