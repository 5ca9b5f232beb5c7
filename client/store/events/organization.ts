/** Events of the organization and its lists, applied to the state. */

import type { ProfileField, User } from '../../../packages/client/src/wire-types.ts'
import { append, changeOne, changeWhere, removeOne } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, unchanged, UnknownObjectError } from './reducer.ts'

export const ORGANIZATION_REDUCERS = {
  heartbeat: unchanged,
  invites_changed: unchanged,
  realm_export: unchanged,
  realm_export_consent: unchanged,
  own_export: unchanged,
  realm_import: unchanged,
  restart: (state, { id: _id, type: _type, ...facts }) => ({ ...state, ...facts }),
  'realm/update': (state, { property, value }) => ({ ...state, [`realm_${property}`]: value }),
  'realm/update_dict': applySettings,
  // The field has other names for some clients.
  has_provider_token: (state, { value }) => {
    const names = Object.keys(state).filter((name) => name.startsWith('has_') && name.endsWith('_token'))
    return { ...state, ...Object.fromEntries(names.map((name) => [name, value])) }
  },
  custom_profile_fields: (state, { fields }) =>
    assign(state, {
      custom_profile_fields: fields,
      realm_users: withFields(state.realm_users, fields),
      realm_non_active_users: withFields(state.realm_non_active_users, fields),
    }),
  'realm_emoji/update': (state, { realm_emoji }) => assign(state, { realm_emoji }),
  'realm_emoji/add': (state, { emoji }) =>
    assign(state, { realm_emoji: state.realm_emoji && { ...state.realm_emoji, [emoji.id]: emoji } }),
  'realm_emoji/update_one': (state, { emoji_id, data }) => {
    if (!state.realm_emoji) return state
    const emoji = state.realm_emoji[emoji_id]
    if (!emoji) throw new UnknownObjectError('emoji', emoji_id)
    return assign(state, { realm_emoji: { ...state.realm_emoji, [emoji_id]: { ...emoji, ...data } } })
  },
  realm_linkifiers: (state, { realm_linkifiers }) => assign(state, { realm_linkifiers }),
  realm_playgrounds: (state, { realm_playgrounds }) => assign(state, { realm_playgrounds }),
  'realm_domains/add': (state, { realm_domain }) =>
    assign(state, { realm_domains: append(state.realm_domains, realm_domain) }),
  'realm_domains/change': (state, { realm_domain: domain }) =>
    assign(state, { realm_domains: changeOne(state.realm_domains, ['domain', domain.domain], domain) }),
  'realm_domains/remove': (state, { domain }) =>
    assign(state, { realm_domains: removeOne(state.realm_domains, ['domain', domain]) }),
  'realm_user_settings_defaults/update': (state, { property, value }) => {
    const defaults = state.realm_user_settings_defaults
    return assign(state, { realm_user_settings_defaults: defaults && { ...defaults, [property]: value } })
  },
} satisfies Partial<Reducers>

function applySettings(state: State, { data }: EventOf<'realm/update_dict'>): State {
  const settings = Object.fromEntries(Object.entries(data).map(([name, value]) => [`realm_${name}`, value]))
  const isHidden = 'presence_disabled' in data && data.presence_disabled
  return { ...state, ...settings, ...(isHidden && state.presences ? { presences: {} } : {}) }
}

/** The values of a removed field disappear from all profiles. */
function withFields(
  users: readonly User[] | undefined,
  fields: readonly ProfileField[],
): readonly User[] | undefined {
  const ids = new Set(fields.map(({ id }) => String(id)))
  const isLeft = ([id]: readonly [string, unknown]) => ids.has(id)
  return changeWhere(
    users,
    ({ profile_data }) => !Object.entries(profile_data ?? {}).every(isLeft),
    (user) => ({
      ...user,
      profile_data: Object.fromEntries(Object.entries(user.profile_data ?? {}).filter(isLeft)),
    }),
  )
}
