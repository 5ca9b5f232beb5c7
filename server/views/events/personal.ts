/** The events of a user's own data, as the user's clients get them. */

import type { PersonalEvent } from '../../domain/events/personal.ts'
import type { DraftId, SnippetId } from '../../domain/ids.ts'
import { DRAFT, viewDraft } from '../draft-view.ts'
import {
  MUTED_USER,
  NAVIGATION_VIEW,
  NAVIGATION_VIEW_CHANGE,
  SNIPPET,
  viewMutedUser,
  viewNavigationView,
  viewNavigationViewChange,
  viewSnippet,
} from '../personal-lists-view.ts'
import {
  LANGUAGE_FIELDS,
  SETTING_CHANGE_FIELDS,
  viewDisplayChange,
  viewNotificationChange,
  viewSettingChange,
} from '../setting-change-view.ts'
import { eventOf, type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { MUTED_TOPICS, USER_TOPIC_FIELDS, viewUserTopic } from '../user-topic-view.ts'
import { arrayOf, INTEGER, STRING } from '../../domain/json-schema.ts'

/** The events of a user's own settings and lists. */
export const PERSONAL_EVENTS = {
  user_topic: eventOf('user_topic', "The user's visibility policy of a topic changed.", USER_TOPIC_FIELDS),
  muted_topics: eventOf('muted_topics', "The user's muted topics changed; the older form of `user_topic`.", {
    muted_topics: MUTED_TOPICS,
  }),
  muted_users: eventOf('muted_users', "The user's muted users changed.", {
    muted_users: arrayOf(MUTED_USER),
  }),
  alert_words: eventOf('alert_words', "The user's alert words changed.", { alert_words: arrayOf(STRING) }),
  'user_settings/update': opEventOf(
    'user_settings/update',
    'A setting of the user changed.',
    SETTING_CHANGE_FIELDS,
    LANGUAGE_FIELDS,
  ),
  update_display_settings: eventOf(
    'update_display_settings',
    'A display setting changed; for clients without `user_settings_object`.',
    { user: STRING, setting_name: STRING, setting: SETTING_CHANGE_FIELDS.value },
    LANGUAGE_FIELDS,
  ),
  update_global_notifications: eventOf(
    'update_global_notifications',
    'A notification setting changed; for clients without `user_settings_object`.',
    {
      user: STRING,
      notification_name: STRING,
      setting: SETTING_CHANGE_FIELDS.value,
    },
  ),
  'drafts/add': opEventOf('drafts/add', 'The user created a draft.', { drafts: arrayOf(DRAFT) }),
  'drafts/update': opEventOf('drafts/update', 'A draft of the user changed.', { draft: DRAFT }),
  'drafts/remove': opEventOf('drafts/remove', 'A draft of the user was deleted.', { draft_id: INTEGER }),
  'saved_snippets/add': opEventOf('saved_snippets/add', 'The user saved a snippet.', {
    saved_snippet: SNIPPET,
  }),
  'saved_snippets/update': opEventOf('saved_snippets/update', 'A snippet of the user changed.', {
    saved_snippet: SNIPPET,
  }),
  'saved_snippets/remove': opEventOf('saved_snippets/remove', 'A snippet of the user was deleted.', {
    saved_snippet_id: INTEGER,
  }),
  'navigation_view/add': opEventOf('navigation_view/add', 'The user added a navigation view.', {
    navigation_view: NAVIGATION_VIEW,
  }),
  'navigation_view/update': opEventOf('navigation_view/update', 'A navigation view of the user changed.', {
    fragment: STRING,
    data: NAVIGATION_VIEW_CHANGE,
  }),
  'navigation_view/remove': opEventOf(
    'navigation_view/remove',
    'A navigation view of the user was removed.',
    { fragment: STRING },
  ),
} satisfies EventSchemas<PersonalEvent>

/** The views of a user's own data. */
export const PERSONAL_EVENT_VIEWS: EventViews<PersonalEvent, typeof PERSONAL_EVENTS> = {
  user_topic: ({ type, userTopic }, { options }) => ({ type, ...viewUserTopic(userTopic, options) }),
  muted_topics: ({ type, mutedTopics }) => ({ type, muted_topics: mutedTopics }),
  muted_users: ({ type, mutedUsers }) => ({ type, muted_users: mutedUsers.map(viewMutedUser) }),
  alert_words: ({ type, words }) => ({ type, alert_words: words }),
  'user_settings/update': ({ change }) => ({
    type: 'user_settings',
    op: 'update',
    ...viewSettingChange(change),
  }),
  update_display_settings: ({ userId, change }, { state }) => ({
    type: 'update_display_settings',
    ...viewDisplayChange(state.apiEmailOf(state.getUser(userId)), change),
  }),
  update_global_notifications: ({ userId, change }, { state }) => ({
    type: 'update_global_notifications',
    ...viewNotificationChange(state.apiEmailOf(state.getUser(userId)), change),
  }),
  'drafts/add': ({ draft }, { id }) => ({
    type: 'drafts',
    op: 'add',
    drafts: [viewDraft({ ...draft, id: id as number as DraftId })],
  }),
  'drafts/update': ({ draft, draftId }) => ({
    type: 'drafts',
    op: 'update',
    draft: viewDraft({ ...draft, id: draftId }),
  }),
  'drafts/remove': ({ draftId }) => ({ type: 'drafts', op: 'remove', draft_id: draftId }),
  'saved_snippets/add': ({ snippet }, { id }) => ({
    type: 'saved_snippets',
    op: 'add',
    saved_snippet: viewSnippet({ ...snippet, id: id as number as SnippetId }),
  }),
  'saved_snippets/update': ({ snippet }) => ({
    type: 'saved_snippets',
    op: 'update',
    saved_snippet: viewSnippet(snippet),
  }),
  'saved_snippets/remove': ({ snippetId }) => ({
    type: 'saved_snippets',
    op: 'remove',
    saved_snippet_id: snippetId,
  }),
  'navigation_view/add': ({ view }) => ({
    type: 'navigation_view',
    op: 'add',
    navigation_view: viewNavigationView(view),
  }),
  'navigation_view/update': ({ fragment, changes }) => ({
    type: 'navigation_view',
    op: 'update',
    fragment,
    data: viewNavigationViewChange(changes),
  }),
  'navigation_view/remove': ({ fragment }) => ({ type: 'navigation_view', op: 'remove', fragment }),
}
