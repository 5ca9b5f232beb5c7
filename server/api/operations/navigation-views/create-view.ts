/** `POST /navigation_views`: adds a navigation view of the caller. */

import { DuplicateViewError, TooManyViewsError } from '../../../../db/personal/navigation-views.ts'
import { decideNewView, VIEW_NAME_ERRORS } from '../../../decisions/personal/change-navigation-views.ts'
import { NAVIGATION_VIEWS_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { boolean, optional, required } from '../../params.ts'
import { fragmentType, viewNameType } from './view-params.ts'

export const createView = change({
  method: 'POST',
  path: '/navigation_views',
  summary: 'Add a navigation view',
  description: 'Stores where a built-in view is shown, or adds a view with a name.',
  access: 'user',
  params: {
    fragment: required(fragmentType, "The part of a client's address after the `#`."),
    is_pinned: required(boolean(), 'Whether it is shown at the top, or hidden in a menu.'),
    name: optional(viewNameType, 'Its name, except for built-in views.'),
  },
  reply: {},
  errors: [...VIEW_NAME_ERRORS, 'VIEW_EXISTS', 'TOO_MANY_VIEWS'],
  events: ['navigation_view/add'],
  prepare: ({ params: { fragment, is_pinned: isPinned, name } }) => ({ fragment, isPinned, name }),
  decide: decideNewView,
  explain(error, { fail }) {
    if (error instanceof DuplicateViewError) return fail('VIEW_EXISTS')
    if (error instanceof TooManyViewsError) return fail('TOO_MANY_VIEWS', { countMax: NAVIGATION_VIEWS_MAX })
    return undefined
  },
})
