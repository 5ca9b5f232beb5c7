/** Events of status and presence, applied to the state, which does not include typing. */

import { omit } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, unchanged } from './reducer.ts'

export const PRESENCE_REDUCERS = {
  user_status: applyStatus,
  presence: applyPresence,
  'typing/start': unchanged,
  'typing/stop': unchanged,
  'typing_edit_message/start': unchanged,
  'typing_edit_message/stop': unchanged,
} satisfies Partial<Reducers>

/** Empty fields are removed from a status, and an empty status from the state. */
function applyStatus(state: State, event: EventOf<'user_status'>): State {
  const statuses = state.user_status
  if (!statuses) return state
  const { id: _, type: __, user_id, ...changes } = event
  const { away, status_text, emoji_name, emoji_code, reaction_type, ...more } = {
    ...statuses[user_id],
    ...changes,
  }
  const status = {
    ...more,
    ...(away ? { away } : {}),
    ...(status_text ? { status_text } : {}),
    ...(emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : {}),
  }
  const isEmpty = Object.keys(status).length === 0
  return assign(state, {
    user_status: isEmpty ? omit(statuses, user_id) : { ...statuses, [user_id]: status },
  })
}

/** The old form has the email address that the client knows, which a later event may change. */
function applyPresence(state: State, event: EventOf<'presence'>): State {
  if (!state.presences) return state
  if ('presences' in event)
    return withPresences(state, { ...state.presences, ...event.presences } as State['presences'])
  const { pushable: _, ...aggregated } = event.presence.website
  // For users that the client does not know, the event has the address.
  const user = state.realm_users?.find((one) => one.user_id === event.user_id)
  const presence = { ...event.presence, aggregated }
  return withPresences(state, {
    ...state.presences,
    [user?.email ?? event.email]: presence,
  } as State['presences'])
}

function withPresences(state: State, presences: State['presences']): State {
  return assign(state, { presences })
}
