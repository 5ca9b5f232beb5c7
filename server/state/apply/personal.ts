/** What users keep for themselves, as far as every request may need it; the rest is in tables alone. */

import type { PersonalEvent } from '../../domain/events/personal.ts'
import { type Appliers, keptElsewhere, keptInList, noticeOnly } from './appliers.ts'

/** How what users keep for themselves changes the state. */
export const PERSONAL_APPLIERS: Appliers<PersonalEvent> = {
  'user_settings/update': (state, { userId, change }) => {
    const { name, value } = change
    if (name === 'timezone') return // It is part of the account, and changes with that.
    state.userSettings.set(userId, { ...state.userSettings.get(userId), [name]: value })
    // Whoever keeps something that was encoded of this user finds another one now.
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
  'drafts/add': keptInList('drafts'),
  'drafts/update': keptElsewhere,
  'drafts/remove': keptElsewhere,
  'saved_snippets/add': keptInList('savedSnippets'),
  'saved_snippets/update': keptElsewhere,
  'saved_snippets/remove': keptElsewhere,
  'navigation_view/add': keptInList('navigationViews'),
  'navigation_view/update': keptElsewhere,
  'navigation_view/remove': keptElsewhere,
}
