/** What users are told of what they keep for themselves. */

import type { PersonalEvent } from '../../domain/events/personal.ts'
import type { DraftId, SnippetId } from '../../domain/ids.ts'
import { topicDisplayName } from '../../domain/topics.ts'
import { viewDraft } from '../draft-view.ts'
import {
  viewMutedUser,
  viewNavigationView,
  viewNavigationViewChange,
  viewSnippet,
} from '../personal-lists-view.ts'
import { viewLegacyChange, viewSettingChange } from '../settings-view.ts'
import type { EventContext, EventViews } from './event-context.ts'

function viewLegacySetting(
  { type, userId, change }: Extract<PersonalEvent, { type: `update_${string}` }>,
  { state }: EventContext,
): object {
  return { type, ...viewLegacyChange(type, state.apiEmailOf(state.getUser(userId)), change) }
}

/** The views of what users keep for themselves. */
export const PERSONAL_EVENT_VIEWS: EventViews<PersonalEvent> = {
  user_topic: ({ type, userTopic }, { options }) => ({
    type,
    stream_id: userTopic.channelId,
    topic_name: options.allowEmptyTopic ? userTopic.topic : topicDisplayName(userTopic.topic),
    last_updated: userTopic.updatedAt,
    visibility_policy: userTopic.visibility,
  }),
  muted_topics: ({ type, mutedTopics }) => ({ type, muted_topics: mutedTopics }),
  muted_users: ({ type, mutedUsers }) => ({ type, muted_users: mutedUsers.map(viewMutedUser) }),
  alert_words: ({ type, words }) => ({ type, alert_words: words }),
  'user_settings/update': ({ change }) => ({
    type: 'user_settings',
    op: 'update',
    ...viewSettingChange(change),
  }),
  update_display_settings: viewLegacySetting,
  update_global_notifications: viewLegacySetting,
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
