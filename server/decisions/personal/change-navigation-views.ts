/** Changes of the views that the caller keeps in the navigation of their clients. */

import { isBuiltIn, type NavigationView } from '../../domain/personal/navigation-views.ts'
import { type Decision, done } from '../decision.ts'
import { ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

/** A view, as the request has it; undefined is a missing field. */
export interface NavigationViewRequest extends Pick<NavigationView, 'fragment'> {
  readonly isPinned: boolean | undefined
  readonly name: string | undefined
}

/** How the name of a view can be invalid. */
export const VIEW_NAME_ERRORS = ['VIEW_NAME_FIXED', 'VIEW_NAME_MISSING'] as const
type ViewScope = Scope<(typeof VIEW_NAME_ERRORS)[number]>

/** Adds a view. */
export function decideNewView(
  scope: ViewScope,
  { fragment, isPinned, name }: NavigationViewRequest & Pick<NavigationView, 'isPinned'>,
): Decision<void> {
  checkViewName(scope, fragment, name)
  const view = { fragment, isPinned, name: name ?? null }
  return done([ownFact(scope, { type: 'navigation_view/add', view })])
}

/** Changes a view. */
export function decideViewUpdate(
  scope: ViewScope,
  { fragment, isPinned, name }: NavigationViewRequest,
): Decision<void> {
  if (name !== undefined) checkViewName(scope, fragment, name)
  const changes = {
    ...(isPinned === undefined ? {} : { isPinned }),
    ...(name === undefined ? {} : { name }),
  }
  if (Object.keys(changes).length === 0) return done([])
  return done([ownFact(scope, { type: 'navigation_view/update', fragment, changes })])
}

/** Removes a view. */
export function decideViewRemoval(
  scope: Scope,
  { fragment }: Pick<NavigationView, 'fragment'>,
): Decision<void> {
  return done([ownFact(scope, { type: 'navigation_view/remove', fragment })])
}

/** Clients name the built-in views; users name the others. */
function checkViewName({ fail }: ViewScope, fragment: string, name: string | undefined): void {
  if (isBuiltIn(fragment) && name !== undefined) throw fail('VIEW_NAME_FIXED')
  if (!isBuiltIn(fragment) && !name) throw fail('VIEW_NAME_MISSING')
}
