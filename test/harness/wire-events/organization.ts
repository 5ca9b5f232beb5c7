/** Events of the organization and its lists, applied to the state of a client. */

import { find, type Json, remove, replacing, type WireReducers } from './wire-reducer.ts'

export const ORGANIZATION_REDUCERS: WireReducers = {
  'heartbeat/': () => undefined,
  'restart/': (state, event) => {
    const { id: _, type: _type, ...facts } = event
    Object.assign(state, facts)
  },
  'realm/update_dict': (state, { data }) => {
    for (const [name, value] of Object.entries(data)) state[`realm_${name}`] = value
    if (data.presence_disabled) state.presences = {}
  },
  'custom_profile_fields/': (state, { fields }) => {
    state.custom_profile_fields = fields
    for (const { profile_data } of [...state.realm_users, ...state.realm_non_active_users]) {
      for (const id of Object.keys(profile_data ?? {})) {
        if (!fields.some((one: Json) => one.id === Number(id))) delete profile_data[id]
      }
    }
  },
  'realm_emoji/update': replacing('realm_emoji'),
  'realm_emoji/add': (state, { emoji }) => {
    state.realm_emoji[emoji.id] = emoji
  },
  'realm_emoji/update_one': (state, { emoji_id, data }) => Object.assign(state.realm_emoji[emoji_id], data),
  'realm_linkifiers/': replacing('realm_linkifiers'),
  'realm_playgrounds/': replacing('realm_playgrounds'),
  'realm_domains/add': (state, event) => state.realm_domains.push(event.realm_domain),
  'realm_domains/change': (state, { realm_domain }) =>
    Object.assign(find(state.realm_domains, 'domain', realm_domain.domain), realm_domain),
  'realm_domains/remove': (state, event) => remove(state, 'realm_domains', 'domain', event.domain),
  'realm_user_settings_defaults/update': (state, event) => {
    state.realm_user_settings_defaults[event.property] = event.value
  },
}
