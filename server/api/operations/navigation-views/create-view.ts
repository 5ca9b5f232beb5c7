/** `POST /navigation_views`: keeps a view of the caller. */

import { operation } from '../../operation.ts'
import { boolean, optional, required } from '../../params.ts'
import { checkViewName, fragmentType, submitView, viewNameType } from './view-params.ts'

export const createView = operation({
  method: 'POST',
  path: '/navigation_views',
  summary: 'Add a navigation view',
  description: 'Those that every client has are kept to say where they are shown; others have a name.',
  access: 'user',
  params: {
    fragment: required(fragmentType, "The part of a client's address after the `#`."),
    is_pinned: required(boolean(), 'Whether it is shown at the top, or else hidden in a menu.'),
    name: optional(viewNameType, 'What it is called, unless every client has it.'),
  },
  reply: {},
  errors: ['VIEW_NAME_FIXED', 'VIEW_NAME_MISSING', 'VIEW_EXISTS', 'TOO_MANY_VIEWS'],
  events: ['navigation_view/add'],
  async run({ params: { fragment, is_pinned: isPinned, name }, user, services, fail }) {
    checkViewName(fragment, name, fail)
    const view = { fragment, isPinned, name: name ?? null }
    await submitView({ type: 'navigation_view/add', userId: user.id, view }, services)
    return {}
  },
})
