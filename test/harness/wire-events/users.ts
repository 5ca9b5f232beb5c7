/** Events of accounts, including bots, applied to the state of a client. */

import { find, type Json, type WireReducers } from './wire-reducer.ts'

export const USER_REDUCERS: WireReducers = {
  'realm_user/add': (state, { person }) => placeUser(state, person),
  'realm_user/remove': (state, { person: { user_id } }) => {
    find([...state.realm_users, ...state.realm_non_active_users], 'user_id', user_id)
    takeUser(state, user_id)
  },
  'realm_user/update': (state, { person }, ownId) => applyUserUpdate(state, person, ownId),
  'realm_bot/add': (state, { bot }) => state.realm_bots.push(bot),
  'realm_bot/update': (state, { bot }) => Object.assign(find(state.realm_bots, 'user_id', bot.user_id), bot),
  // Users who managed a bot only for a moment did not get it: bot events contain the current state.
  'realm_bot/delete': (state, { bot }) => {
    state.realm_bots = state.realm_bots.filter((one: Json) => one.user_id !== bot.user_id)
  },
}

/** A new user, or one that becomes visible and has another address from now on. */
function placeUser(state: Json, person: Json): void {
  if (person.is_system_bot) {
    state.cross_realm_bots.push(person)
    return
  }
  takeUser(state, person.user_id)
  const presences = Object.entries(state.presences).map(([key, presence]) => [
    key.startsWith(`user${person.user_id}@`) ? person.email : key,
    presence,
  ])
  state.presences = Object.fromEntries(presences)
  state[person.is_active ? 'realm_users' : 'realm_non_active_users'].push(person)
}

function takeUser(state: Json, id: number): void {
  for (const list of ['realm_users', 'realm_non_active_users']) {
    state[list] = state[list].filter((one: Json) => one.user_id !== id)
  }
}

function changeEmail(state: Json, user: Json, email: string, ownId: number): void {
  if (user.user_id === ownId) state.email = email
  const { [user.email]: presence, ...others } = state.presences
  state.presences = presence === undefined ? others : { ...others, [email]: presence }
  user.email = email
}

function fillIn(user: Json, { id, ...filled }: Json): void {
  if (filled.value === null) delete user.profile_data[id]
  else user.profile_data[id] = filled
}

function applyUserUpdate(state: Json, person: Json, ownId: number): void {
  const all = [...state.realm_users, ...state.realm_non_active_users]
  const user = all.find((one: Json) => one.user_id === person.user_id)
  if (!user) throw new Error(`an event is about user ${person.user_id}, whom the client does not have`)
  const { new_email, custom_profile_field, avatar_source, avatar_url_medium, ...changes } = person
  Object.assign(user, changes)
  if (new_email !== undefined) changeEmail(state, user, new_email, ownId)
  if (custom_profile_field !== undefined) fillIn(user, custom_profile_field)
  if (avatar_url_medium !== undefined && person.user_id === ownId) {
    Object.assign(state, { avatar_url: person.avatar_url, avatar_url_medium, avatar_source })
  }
  // Viewers with the address compute the avatar from it.
  if (avatar_source === 'G' && user.delivery_email !== null) user.avatar_url = null
  if (person.user_id === ownId && person.full_name !== undefined) state.full_name = person.full_name
  if (person.user_id === ownId && person.delivery_email) state.delivery_email = person.delivery_email
  if (person.role !== undefined) {
    const standing = {
      is_owner: person.role === 100,
      is_admin: person.role <= 200,
      is_guest: person.role === 600,
    }
    Object.assign(user, standing)
    if (person.user_id === ownId) Object.assign(state, { ...standing, is_moderator: person.role <= 300 })
  }
  state.realm_users = all.filter((one: Json) => one.is_active)
  state.realm_non_active_users = all.filter((one: Json) => !one.is_active)
}
