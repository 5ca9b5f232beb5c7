/** The state of users' own data that any request may need; only the tables hold the rest. */

import type { PersonalEvent } from '../../domain/events/personal.ts'
import { type Appliers, storedElsewhere, storedInList, noticeOnly } from './appliers.ts'

/** Applies the events of users' own data. */
export const PERSONAL_APPLIERS: Appliers<PersonalEvent> = {
  'user_settings/update': (state, { userId, change }) => {
    const { name, value } = change
    if (name === 'timezone') return // The account has it, and changes with it.
    state.userSettings.set(userId, { ...state.userSettings.get(userId), [name]: value })
    // A new object invalidates all caches that are keyed by this user.
    if (name === 'emailAddressVisibility') state.placeUser({ ...state.getUser(userId) })
  },
  update_display_settings: noticeOnly,
  update_global_notifications: noticeOnly,
  user_topic: (state, { userId, userTopic }) => {
    state.placeUserTopic(userId, userTopic)
  },
  muted_topics: noticeOnly,
  muted_users: (state, { userId, mutedUsers }) => {
    state.mutes.place(userId, mutedUsers)
  },
  alert_words: (state, { userId, words }) => {
    state.alertIndex.place(userId, words)
  },
  'drafts/add': storedInList('drafts'),
  'drafts/update': storedElsewhere,
  'drafts/remove': storedElsewhere,
  'saved_snippets/add': storedInList('savedSnippets'),
  'saved_snippets/update': storedElsewhere,
  'saved_snippets/remove': storedElsewhere,
  'navigation_view/add': storedInList('navigationViews'),
  'navigation_view/update': storedElsewhere,
  'navigation_view/remove': storedElsewhere,
}
