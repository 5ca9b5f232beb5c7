/** Users' own lists for their clients: snippets, navigation views, muted users. */

import type { SnippetId } from '../domain/ids.ts'
import type { MutedUser } from '../domain/personal/muted-users.ts'
import type { NavigationView, NavigationViewChange } from '../domain/personal/navigation-views.ts'
import type { SnippetContent } from '../domain/personal/snippets.ts'
import { BOOLEAN, INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** Schema of `viewSnippet`. */
export const SNIPPET = record({ id: INTEGER, title: STRING, content: STRING, date_created: INTEGER })

/** Schema of `viewNavigationView`. */
export const NAVIGATION_VIEW = record({ fragment: STRING, is_pinned: BOOLEAN, name: orNull(STRING) })

/** Schema of `viewNavigationViewChange`. */
export const NAVIGATION_VIEW_CHANGE = record({}, { is_pinned: BOOLEAN, name: orNull(STRING) })

/** Schema of `viewMutedUser`. */
export const MUTED_USER = record({ id: INTEGER, timestamp: INTEGER })

/** A snippet. */
export function viewSnippet({
  id,
  title,
  content,
  createdAt,
}: SnippetContent & { readonly id: SnippetId }): ValueOf<typeof SNIPPET> {
  return { id, title, content, date_created: createdAt }
}

/** A navigation view; built-in ones have no name. */
export function viewNavigationView({
  fragment,
  isPinned,
  name,
}: NavigationView): ValueOf<typeof NAVIGATION_VIEW> {
  return { fragment, is_pinned: isPinned, name }
}

/** The changed fields of a navigation view. */
export function viewNavigationViewChange({
  isPinned,
  name,
}: NavigationViewChange): ValueOf<typeof NAVIGATION_VIEW_CHANGE> {
  return {
    ...(isPinned === undefined ? {} : { is_pinned: isPinned }),
    ...(name === undefined ? {} : { name }),
  }
}

/** A muted user. */
export function viewMutedUser({ userId, mutedAt }: MutedUser): ValueOf<typeof MUTED_USER> {
  return { id: userId, timestamp: mutedAt }
}
