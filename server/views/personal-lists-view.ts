/** What users keep for themselves as their clients see it: snippets, views of the navigation, muted users. */

import type { SnippetId } from '../domain/ids.ts'
import type { MutedUser } from '../domain/muted-users.ts'
import type { NavigationView, NavigationViewChange } from '../domain/navigation-views.ts'
import type { SnippetContent } from '../domain/snippets.ts'

/** A snippet. */
export function viewSnippet({ id, title, content, createdAt }: SnippetContent & { readonly id: SnippetId }) {
  return { id, title, content, date_created: createdAt }
}

/** A view; built-in ones have no name of their own. */
export function viewNavigationView({ fragment, isPinned, name }: NavigationView) {
  return { fragment, is_pinned: isPinned, name }
}

/** What changes about a view. */
export function viewNavigationViewChange({ isPinned, name }: NavigationViewChange) {
  return {
    ...(isPinned === undefined ? {} : { is_pinned: isPinned }),
    ...(name === undefined ? {} : { name }),
  }
}

/** A muted user. */
export function viewMutedUser({ userId, mutedAt }: MutedUser) {
  return { id: userId, timestamp: mutedAt }
}
