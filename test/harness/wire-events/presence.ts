/** Events of status and presence, applied to the state of a client, which does not include typing. */

import { type Json, notRegistered, type WireReducers } from './wire-reducer.ts'

export const PRESENCE_REDUCERS: WireReducers = {
  'user_status/': applyStatus,
  'presence/': applyPresence,
  'typing/start': notRegistered,
  'typing/stop': notRegistered,
  'typing_edit_message/start': notRegistered,
  'typing_edit_message/stop': notRegistered,
}

/** Empty fields are removed from a status. */
function applyStatus(state: Json, event: Json): void {
  const { id: _, type: __, user_id, ...changes } = event
  const status = { ...state.user_status[user_id], ...changes }
  if (!status.away) delete status.away
  if (!status.status_text) delete status.status_text
  if (!status.emoji_name) {
    for (const name of ['emoji_name', 'emoji_code', 'reaction_type']) delete status[name]
  }
  if (Object.keys(status).length > 0) state.user_status[user_id] = status
  else delete state.user_status[user_id]
}

/** The old form has the email address that the client knows, which a later event may change. */
function applyPresence(state: Json, { presences, user_id, email, presence }: Json): void {
  if (presences) Object.assign(state.presences, presences)
  else {
    const { pushable: _, ...aggregated } = presence.website
    // For users that the client does not know, the event has the address.
    const known = state.realm_users.find((one: Json) => one.user_id === user_id)
    state.presences[known?.email ?? email] = { ...presence, aggregated }
  }
}
