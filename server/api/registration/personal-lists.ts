/** The initial state of users' own lists: snippets, navigation views, muted users, alert words. */

import { readViews } from '../../../db/navigation-views.ts'
import { readSnippets } from '../../../db/saved-snippets.ts'
import { viewMutedUser, viewNavigationView, viewSnippet } from '../../views/personal-lists-view.ts'
import { type Fields, readOwnList, type RegistrationContext } from './context.ts'

/** `saved_snippets`. */
export async function fetchSnippets(context: RegistrationContext): Promise<Fields> {
  return { saved_snippets: (await readOwnList(context, 'savedSnippets', readSnippets)).map(viewSnippet) }
}

/** `navigation_view`, `navigation_views`. */
export async function fetchViews(context: RegistrationContext): Promise<Fields> {
  return {
    navigation_views: (await readOwnList(context, 'navigationViews', readViews)).map(viewNavigationView),
  }
}

/** `muted_users`. */
export function fetchMutedUsers({ user, services: { state } }: RegistrationContext): Fields {
  return { muted_users: state.mutes.of(user.id).map(viewMutedUser) }
}

/** `alert_words`. */
export function fetchAlertWords({ user, services: { state } }: RegistrationContext): Fields {
  return { alert_words: state.alertIndex.wordsOf(user.id) }
}
