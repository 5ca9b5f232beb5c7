/** `PATCH /navigation_views/{fragment}`: changes a navigation view of the caller. */

import { DuplicateViewError, hasView, MissingViewError } from '../../../../db/personal/navigation-views.ts'
import { decideViewUpdate, VIEW_NAME_ERRORS } from '../../../decisions/personal/change-navigation-views.ts'
import { change } from '../../change-operation.ts'
import { boolean, optional, required } from '../../params.ts'
import { fragmentType, viewNameType } from './view-params.ts'

export const updateView = change({
  method: 'PATCH',
  path: '/navigation_views/{fragment}',
  summary: 'Update a navigation view',
  access: 'user',
  params: {
    fragment: required(fragmentType, 'The view; slashes in it may be written as `%2F`.'),
    is_pinned: optional(boolean(), 'Whether it is shown at the top, or hidden in a menu.'),
    name: optional(viewNameType, 'Its new name, except for built-in views.'),
  },
  reply: {},
  errors: ['VIEW_UNKNOWN', ...VIEW_NAME_ERRORS, 'VIEW_EXISTS'],
  events: ['navigation_view/update'],
  async prepare({ params: { fragment, is_pinned: isPinned, name }, user, services, fail }) {
    if (!(await hasView(services.sql, user.id, fragment))) throw fail('VIEW_UNKNOWN')
    return { fragment, isPinned, name }
  },
  decide: decideViewUpdate,
  explain(error, { fail }) {
    if (error instanceof MissingViewError) return fail('VIEW_UNKNOWN')
    return error instanceof DuplicateViewError ? fail('VIEW_EXISTS') : undefined
  },
})
