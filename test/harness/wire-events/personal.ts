/** Events of personal objects, applied to the state of a client. */

import { find, type Json, remove, replacing, type WireReducers } from './wire-reducer.ts'

export const PERSONAL_REDUCERS: WireReducers = {
  'user_settings/update': (state, event) => {
    state.user_settings[event.property] = event.value
  },
  'update_display_settings/': (state, event) => {
    state[event.setting_name] = event.setting
  },
  'update_global_notifications/': (state, event) => {
    state[event.notification_name] = event.setting
  },
  'user_topic/': applyUserTopic,
  'muted_topics/': replacing('muted_topics'),
  'muted_users/': replacing('muted_users'),
  'alert_words/': replacing('alert_words'),
  'drafts/add': (state, { drafts }) => placeDrafts(state, drafts),
  'drafts/update': (state, { draft }) => {
    find(state.drafts, 'id', draft.id)
    placeDrafts(state, [draft])
  },
  'drafts/remove': (state, { draft_id }) => {
    state.drafts = state.drafts.filter((one: Json) => one.id !== draft_id)
  },
  'saved_snippets/add': (state, event) => state.saved_snippets.push(event.saved_snippet),
  'saved_snippets/update': (state, { saved_snippet }) =>
    Object.assign(find(state.saved_snippets, 'id', saved_snippet.id), saved_snippet),
  'saved_snippets/remove': (state, event) => remove(state, 'saved_snippets', 'id', event.saved_snippet_id),
  'navigation_view/add': (state, event) => state.navigation_views.push(event.navigation_view),
  'navigation_view/update': (state, { fragment, data }) =>
    Object.assign(find(state.navigation_views, 'fragment', fragment), data),
  'navigation_view/remove': (state, { fragment }) => remove(state, 'navigation_views', 'fragment', fragment),
}

function applyUserTopic(state: Json, event: Json): void {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  const isSame = (one: Json) =>
    one.stream_id === stream_id && one.topic_name.toLowerCase() === topic_name.toLowerCase()
  state.user_topics = state.user_topics.filter((one: Json) => !isSame(one))
  if (visibility_policy !== 0) {
    state.user_topics.push({ stream_id, topic_name, last_updated, visibility_policy })
  }
}

/** The draft edited last is last. */
function placeDrafts(state: Json, drafts: Json[]): void {
  const ids = drafts.map(({ id }) => id)
  const all = [...state.drafts.filter((one: Json) => !ids.includes(one.id)), ...drafts]
  state.drafts = all.sort((a: Json, b: Json) => a.timestamp - b.timestamp || a.id - b.id)
}
