/** Users' own data: settings, topics, drafts and others. */

import { storeAlertWords } from '../../db/personal/alert-words.ts'
import { removeDraft, storeDraftChange } from '../../db/personal/drafts.ts'
import { storeMuting } from '../../db/personal/mutings.ts'
import { removeView, storeView, storeViewChange } from '../../db/personal/navigation-views.ts'
import { removeSnippet, storeSnippet, storeSnippetChange } from '../../db/personal/saved-snippets.ts'
import { storeUserTopic } from '../../db/personal/user-topics.ts'
import { storeDraftRun, storeSettingRun } from '../../db/log/store-runs.ts'
import { notifyUserTopics } from '../audience/topics.ts'
import { notifySettings } from '../audience/users.ts'
import type { PersonalFact, PersonalNotice } from '../domain/events/personal.ts'
import type { DraftId, SnippetId } from '../domain/ids.ts'
import { arrayOf, INTEGER, record, STRING } from '../domain/json-schema.ts'
import { DRAFT, viewDraft } from '../views/draft-view.ts'
import {
  MUTED_USER,
  NAVIGATION_VIEW,
  NAVIGATION_VIEW_CHANGE,
  SNIPPET,
  viewMutedUser,
  viewNavigationView,
  viewNavigationViewChange,
  viewSnippet,
} from '../views/personal-lists-view.ts'
import {
  LANGUAGE_FIELDS,
  SETTING_CHANGE,
  SETTING_CHANGE_FIELDS,
  viewDisplayChange,
  viewNotificationChange,
  viewSettingChange,
} from '../views/setting-change-view.ts'
import { MUTED_TOPICS, USER_TOPIC, viewUserTopic } from '../views/user-topic-view.ts'
import { addsTo, type Entries, fact, notice } from './entry.ts'
import { shown } from './view.ts'

export const PERSONAL_EVENTS: Entries<PersonalFact | PersonalNotice> = {
  user_topic: fact({
    audience: notifyUserTopics,
    apply: (state, { userId, userTopic }) => state.placeUserTopic(userId, userTopic),
    store: (writes, _, { userId, userTopic }) => storeUserTopic(writes, userId, userTopic),
    view: shown(
      "The user's visibility policy of a topic changed.",
      USER_TOPIC,
      ({ userTopic }, { options }) => viewUserTopic(userTopic, options),
    ),
  }),
  muted_topics: notice({
    view: shown(
      "The user's muted topics changed; the older form of `user_topic`.",
      record({ muted_topics: MUTED_TOPICS }),
      ({ mutedTopics }) => ({ muted_topics: mutedTopics }),
    ),
  }),
  muted_users: fact({
    apply: (state, { userId, mutedUsers }) => state.mutes.place(userId, mutedUsers),
    store: storeMuting,
    view: shown(
      "The user's muted users changed.",
      record({ muted_users: arrayOf(MUTED_USER) }),
      ({ mutedUsers }) => ({ muted_users: mutedUsers.map(viewMutedUser) }),
    ),
  }),
  alert_words: fact({
    apply: (state, { userId, words }) => state.alertIndex.place(userId, words),
    store: (writes, _, { userId, words }) => storeAlertWords(writes, userId, words),
    view: shown("The user's alert words changed.", record({ alert_words: arrayOf(STRING) }), ({ words }) => ({
      alert_words: words,
    })),
  }),
  'user_settings/update': fact({
    audience: notifySettings,
    apply(state, { userId, change: { name, value } }) {
      if (name === 'timezone') return // The account has it, and changes with it.
      state.placeUserSettings(userId, { ...state.userSettings.get(userId), [name]: value })
      // A new object invalidates all caches that are keyed by this user.
      if (name === 'emailAddressVisibility') state.placeUser({ ...state.getUser(userId) })
    },
    storeRun: storeSettingRun,
    view: shown('A setting of the user changed.', SETTING_CHANGE, ({ change }) => viewSettingChange(change)),
  }),
  update_display_settings: notice({
    view: shown(
      'A display setting changed; for clients without `user_settings_object`.',
      record({ user: STRING, setting_name: STRING, setting: SETTING_CHANGE_FIELDS.value }, LANGUAGE_FIELDS),
      ({ userId, change }, { state }) => viewDisplayChange(state.apiEmailOf(state.getUser(userId)), change),
    ),
  }),
  update_global_notifications: notice({
    view: shown(
      'A notification setting changed; for clients without `user_settings_object`.',
      record({ user: STRING, notification_name: STRING, setting: SETTING_CHANGE_FIELDS.value }),
      ({ userId, change }, { state }) =>
        viewNotificationChange(state.apiEmailOf(state.getUser(userId)), change),
    ),
  }),
  'drafts/add': fact({
    ...addsTo('drafts'),
    storeRun: storeDraftRun,
    view: shown('The user created a draft.', record({ drafts: arrayOf(DRAFT) }), ({ draft }, { id }) => ({
      drafts: [viewDraft({ ...draft, id: id as number as DraftId })],
    })),
  }),
  'drafts/update': fact({
    store: (writes, _, { userId, draftId, draft }) => storeDraftChange(writes, userId, draftId, draft),
    view: shown('A draft of the user changed.', record({ draft: DRAFT }), ({ draft, draftId }) => ({
      draft: viewDraft({ ...draft, id: draftId }),
    })),
  }),
  'drafts/remove': fact({
    store: (writes, _, { userId, draftId }) => removeDraft(writes, userId, draftId),
    view: shown('A draft of the user was deleted.', record({ draft_id: INTEGER }), ({ draftId }) => ({
      draft_id: draftId,
    })),
  }),
  'saved_snippets/add': fact({
    ...addsTo('savedSnippets'),
    store: (writes, id, { userId, snippet }) => storeSnippet(writes, id, userId, snippet),
    view: shown('The user saved a snippet.', record({ saved_snippet: SNIPPET }), ({ snippet }, { id }) => ({
      saved_snippet: viewSnippet({ ...snippet, id: id as number as SnippetId }),
    })),
  }),
  'saved_snippets/update': fact({
    store: (writes, id, { userId, snippet }) => storeSnippetChange(writes, id, userId, snippet),
    view: shown('A snippet of the user changed.', record({ saved_snippet: SNIPPET }), ({ snippet }) => ({
      saved_snippet: viewSnippet(snippet),
    })),
  }),
  'saved_snippets/remove': fact({
    store: (writes, _, { userId, snippetId }) => removeSnippet(writes, userId, snippetId),
    view: shown(
      'A snippet of the user was deleted.',
      record({ saved_snippet_id: INTEGER }),
      ({ snippetId }) => ({ saved_snippet_id: snippetId }),
    ),
  }),
  'navigation_view/add': fact({
    ...addsTo('navigationViews'),
    store: (writes, id, { userId, view }) => storeView(writes, id, userId, view),
    view: shown(
      'The user added a navigation view.',
      record({ navigation_view: NAVIGATION_VIEW }),
      ({ view }) => ({ navigation_view: viewNavigationView(view) }),
    ),
  }),
  'navigation_view/update': fact({
    store: (writes, _, { userId, fragment, changes }) => storeViewChange(writes, userId, fragment, changes),
    view: shown(
      'A navigation view of the user changed.',
      record({ fragment: STRING, data: NAVIGATION_VIEW_CHANGE }),
      ({ fragment, changes }) => ({ fragment, data: viewNavigationViewChange(changes) }),
    ),
  }),
  'navigation_view/remove': fact({
    store: (writes, _, { userId, fragment }) => removeView(writes, userId, fragment),
    view: shown(
      'A navigation view of the user was removed.',
      record({ fragment: STRING }),
      ({ fragment }) => ({ fragment }),
    ),
  }),
}
