/** Navigation views. */

import { NAVIGATION_VIEWS_MAX, VIEW_FRAGMENT_LENGTH_MAX, VIEW_NAME_LENGTH_MAX } from '../../domain/limits.ts'
import { boolean, optional, required, text, type Type } from '../params.ts'
import {
  DuplicateViewError,
  hasView,
  MissingViewError,
  readViews,
  TooManyViewsError,
} from '../../../db/personal/navigation-views.ts'
import { NAVIGATION_VIEW, viewNavigationView } from '../../views/personal-lists-view.ts'
import { operation } from '../operation.ts'
import { arrayOf } from '../../domain/json-schema.ts'
import {
  decideNewView,
  decideViewRemoval,
  decideViewUpdate,
  VIEW_NAME_ERRORS,
} from '../../decisions/personal/change-navigation-views.ts'
import { change } from '../change-operation.ts'

/** The fragment of a client's address that identifies a view. */
const fragmentType: Type<string> = {
  ...text({ lengthMax: VIEW_FRAGMENT_LENGTH_MAX, blank: false }),
  takesSlashes: true,
}
/** The name of a view. */
const viewNameType = text({ lengthMax: VIEW_NAME_LENGTH_MAX, trim: true })

/** `GET /navigation_views`: the caller's navigation views. */
export const getViews = operation({
  method: 'GET',
  path: '/navigation_views',
  summary: 'Get navigation views',
  access: 'user',
  params: {},
  reply: {
    navigation_views: { schema: arrayOf(NAVIGATION_VIEW), description: 'The views, the oldest first.' },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    return { navigation_views: (await readViews(sql, user.id, state.appliedId)).map(viewNavigationView) }
  },
})

/** `POST /navigation_views`: adds a navigation view of the caller. */
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

/** `PATCH /navigation_views/{fragment}`: changes a navigation view of the caller. */
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

/** `DELETE /navigation_views/{fragment}`: removes a navigation view of the caller. */
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
