/** Events of accounts, including bots, applied to the state. */

import { isAdministrator, isGuest, isModerator, ROLES } from '../../../packages/rules/roles.ts'
import type { Profile, User } from '../../../packages/client/src/wire-types.ts'
import { append, changeOne, omit, removeWhere } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, UnknownObjectError } from './reducer.ts'

export const USER_REDUCERS = {
  'realm_user/add': (state, { person }) => placeUser(state, person),
  'realm_user/remove': (state, { person: { user_id } }) => {
    findUser(state, user_id)
    return takeUser(state, user_id)
  },
  'realm_user/update': applyUserUpdate,
  'realm_bot/add': (state, { bot }) => assign(state, { realm_bots: append(state.realm_bots, bot) }),
  'realm_bot/update': (state, { bot }) =>
    assign(state, { realm_bots: changeOne(state.realm_bots, ['user_id', bot.user_id], bot) }),
  // Users who managed a bot only for a moment did not get it: bot events contain the current state.
  'realm_bot/delete': (state, { bot }) =>
    assign(state, { realm_bots: removeWhere(state.realm_bots, (one) => one.user_id === bot.user_id) }),
} satisfies Partial<Reducers>

/** Undefined if users were not registered; an unknown user is an error. */
function findUser({ realm_users, realm_non_active_users }: State, id: number): User | undefined {
  if (!realm_users) return undefined
  const isUser = (one: User) => one.user_id === id
  const user = realm_users.find(isUser) ?? realm_non_active_users?.find(isUser)
  if (!user) throw new UnknownObjectError('user', id)
  return user
}

/** A new user, or one that becomes visible and has another address from now on. */
function placeUser(state: State, person: User): State {
  if (person.is_system_bot) return assign(state, { cross_realm_bots: append(state.cross_realm_bots, person) })
  const without = takeUser(state, person.user_id)
  const former = Object.keys(state.presences ?? {}).find((key) => key.startsWith(`user${person.user_id}@`))
  const renamed = former === undefined ? without : renamePresence(without, former, person.email)
  const list = person.is_active ? 'realm_users' : 'realm_non_active_users'
  return assign(renamed, { [list]: append(renamed[list], person) })
}

function takeUser(state: State, id: number): State {
  const isUser = (one: User) => one.user_id === id
  return assign(state, {
    realm_users: removeWhere(state.realm_users, isUser),
    realm_non_active_users: removeWhere(state.realm_non_active_users, isUser),
  })
}

/** Older clients have presences by email address. */
function renamePresence(state: State, from: string, to: string): State {
  const presences = state.presences as Readonly<Record<string, unknown>> | undefined
  if (!presences || from === to || !Object.hasOwn(presences, from)) return state
  const renamed = { ...omit(presences, from), [to]: presences[from] }
  return assign(state, { presences: renamed as State['presences'] })
}

/** All fields that an update can have; each event has some of them. */
interface UserChanges {
  readonly user_id: number
  readonly new_email?: string
  readonly full_name?: string
  readonly role?: number
  readonly is_active?: boolean
  readonly delivery_email?: string | null
  readonly avatar_url?: string
  readonly avatar_url_medium?: string
  readonly avatar_source?: 'G' | 'U' | 'J'
  readonly custom_profile_field?: {
    readonly id: number
    readonly value: string | null
    readonly rendered_value?: string
  }
}

function applyUserUpdate(state: State, event: EventOf<'realm_user/update'>, ownId: number): State {
  const person: UserChanges = event.person
  const own = person.user_id === ownId ? applyToOwn(state, person) : state
  const user = findUser(state, person.user_id)
  if (!user) return own
  const changed = changeUser(user, person)
  const renamed = renamePresence(own, user.email, changed.email)
  if (changed.is_active !== user.is_active) {
    const list = changed.is_active ? 'realm_users' : 'realm_non_active_users'
    const without = takeUser(renamed, user.user_id)
    return assign(without, { [list]: append(without[list], changed) })
  }
  const list = user.is_active ? 'realm_users' : 'realm_non_active_users'
  return assign(renamed, { [list]: changeOne(renamed[list], ['user_id', user.user_id], changed) })
}

function changeUser(user: User, person: UserChanges): User {
  const { new_email, custom_profile_field, avatar_source, avatar_url_medium: _, role, ...changes } = person
  const changed = {
    ...user,
    ...changes,
    ...(new_email === undefined ? {} : { email: new_email }),
    ...(role === undefined ? {} : { role: role as User['role'], ...standingOf(role) }),
    ...(custom_profile_field && { profile_data: fillIn(user.profile_data ?? {}, custom_profile_field) }),
  }
  // Viewers with the address compute the avatar from it.
  return avatar_source === 'G' && changed.delivery_email !== null ? { ...changed, avatar_url: null } : changed
}

function fillIn(profile: Profile, field: NonNullable<UserChanges['custom_profile_field']>): Profile {
  const { id, value, rendered_value } = field
  if (value === null) return omit(profile, id) ?? profile
  return { ...profile, [id]: { value, ...(rendered_value === undefined ? {} : { rendered_value }) } }
}

function standingOf(role: number) {
  return { is_owner: role === ROLES.owner, is_admin: isAdministrator({ role }), is_guest: isGuest({ role }) }
}

/** The registration repeats some fields of the own user. */
function applyToOwn(state: State, person: UserChanges): State {
  const { new_email, full_name, delivery_email, role } = person
  const { avatar_url, avatar_url_medium, avatar_source } = person
  return assign(state, {
    email: new_email,
    full_name,
    delivery_email: delivery_email || undefined,
    ...(avatar_url_medium === undefined ? {} : { avatar_url, avatar_url_medium, avatar_source }),
    ...(role === undefined ? {} : { ...standingOf(role), is_moderator: isModerator({ role }) }),
  })
}
