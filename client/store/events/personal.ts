/** Events of personal objects, applied to the state. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Draft } from '../../../packages/client/src/wire-types.ts'
import { append, changeOne, removeOne, removeWhere } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, UnknownObjectError } from './reducer.ts'

export const PERSONAL_REDUCERS = {
  'user_settings/update': (state, { property, value }) =>
    assign(state, { user_settings: state.user_settings && { ...state.user_settings, [property]: value } }),
  update_display_settings: (state, event) => ({ ...state, [event.setting_name]: event.setting }),
  update_global_notifications: (state, event) => ({ ...state, [event.notification_name]: event.setting }),
  user_topic: applyUserTopic,
  muted_topics: (state, { muted_topics }) => assign(state, { muted_topics }),
  muted_users: (state, { muted_users }) => assign(state, { muted_users }),
  alert_words: (state, { alert_words }) => assign(state, { alert_words }),
  'drafts/add': (state, { drafts }) => assign(state, { drafts: placeDrafts(state.drafts, drafts) }),
  'drafts/update': (state, { draft }) => {
    if (state.drafts?.some((one) => one.id === draft.id) === false)
      throw new UnknownObjectError('draft', draft.id)
    return assign(state, { drafts: placeDrafts(state.drafts, [draft]) })
  },
  'drafts/remove': (state, { draft_id }) =>
    assign(state, { drafts: removeWhere(state.drafts, (one) => one.id === draft_id) }),
  'saved_snippets/add': (state, { saved_snippet }) =>
    assign(state, { saved_snippets: append(state.saved_snippets, saved_snippet) }),
  'saved_snippets/update': (state, { saved_snippet: snippet }) =>
    assign(state, { saved_snippets: changeOne(state.saved_snippets, ['id', snippet.id], snippet) }),
  'saved_snippets/remove': (state, { saved_snippet_id }) =>
    assign(state, { saved_snippets: removeOne(state.saved_snippets, ['id', saved_snippet_id]) }),
  'navigation_view/add': (state, { navigation_view }) =>
    assign(state, { navigation_views: append(state.navigation_views, navigation_view) }),
  'navigation_view/update': (state, { fragment, data }) =>
    assign(state, { navigation_views: changeOne(state.navigation_views, ['fragment', fragment], data) }),
  'navigation_view/remove': (state, { fragment }) =>
    assign(state, { navigation_views: removeOne(state.navigation_views, ['fragment', fragment]) }),
} satisfies Partial<Reducers>

/** A policy of 0 means the topic inherits that of its channel. */
function applyUserTopic(state: State, event: EventOf<'user_topic'>): State {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  const topic = topicKey(topic_name)
  const others = removeWhere(
    state.user_topics,
    (one) => one.stream_id === stream_id && topicKey(one.topic_name) === topic,
  )
  const user_topics =
    visibility_policy === 0
      ? others
      : append(others, { stream_id, topic_name, last_updated, visibility_policy })
  return assign(state, { user_topics })
}

/** The draft edited last is last. */
function placeDrafts(
  drafts: readonly Draft[] | undefined,
  placed: readonly Draft[],
): readonly Draft[] | undefined {
  const ids = new Set(placed.map(({ id }) => id))
  const all = drafts && [...drafts.filter((one) => !ids.has(one.id)), ...placed]
  return all?.sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
}
