/** Accounts, as administrators change them. */

import { NEW_ACCOUNT_ERRORS, prepareAccount } from '../../../changes/users/prepare-account.ts'
import { checkAdministrator } from '../../../decisions/check-caller.ts'
import { decideAccount } from '../../../decisions/users/new-account.ts'
import { ROLES } from '../../../domain/entities.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../../domain/limits.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { change } from '../../change-operation.ts'
import { id, optional, required, text } from '../../params.ts'
import {
  emailParam,
  FULL_NAME_MEANING,
  fullNameType,
  profileDataType,
  ROLE_MEANING,
  roleType,
} from './account-params.ts'
import { PROFILE_RENDERING_ERRORS, renderProfile } from '../../../changes/users/render-profile.ts'
import {
  decideUserUpdate,
  findChangedUser,
  UPDATE_USER_ERRORS,
  type UpdateUserRequest,
} from '../../../decisions/users/update-user.ts'
import type { LogEventType } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Call } from '../../operation.ts'
import {
  DEACTIVATE_ONESELF_ERRORS,
  DEACTIVATE_USER_ERRORS,
  decideDeactivation,
  decideOwnDeactivation,
  decideReactivation,
  REACTIVATE_USER_ERRORS,
} from '../../../decisions/users/deactivate-user.ts'

/** `POST /users`. */
export const createUser = change({
  method: 'POST',
  path: '/users',
  summary: 'Create a user',
  description:
    'For administrators. The new member is subscribed to the default channels, and logs in with the password.',
  access: 'user',
  params: {
    email: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address.'),
    password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password, with at least 8 characters.'),
    full_name: required(fullNameType, FULL_NAME_MEANING),
  },
  reply: { user_id: { schema: INTEGER, description: "The new user's id." } },
  errors: ['ROLE_REQUIRED', ...NEW_ACCOUNT_ERRORS],
  events: [
    'realm_user/add',
    'user_status',
    'user_group/add_members',
    'subscription/peer_add',
    'api_keys_changed',
    'login_awaited',
    'password_set',
    'invites_changed',
  ],
  prepare({ user, params: { email, password, full_name: fullName }, services, fail }) {
    checkAdministrator({ caller: user, fail })
    return prepareAccount(services, { email, fullName, password, role: ROLES.member }, fail)
  },
  decide: decideAccount,
  answer: ({ id }) => ({ user_id: id }),
})

const changeParams = {
  full_name: optional(fullNameType, FULL_NAME_MEANING),
  role: optional(roleType, ROLE_MEANING),
  profile_data: optional(
    profileDataType,
    'Fields of the profile of a person with their new values; null or an empty value clears a field.',
  ),
}
const DESCRIPTION =
  'For administrators; the owner of a bot can change its name. Only owners can add or remove owners. System ' +
  'groups and visible channels change with the role at once. The role of a bot is never higher than that of ' +
  'its owner: a lower role of a user lowers that of their bots. All of the changes apply, or none.'
const ERRORS = [...UPDATE_USER_ERRORS, ...PROFILE_RENDERING_ERRORS] as const

/** The events of a change of an account's role, name or owner. */
export const ACCOUNT_EVENTS: readonly LogEventType[] = [
  'realm_user/update',
  'realm_bot/update',
  'realm_bot/add',
  'realm_bot/delete',
  'user_group/remove_members',
  'user_group/add_members',
  'stream/create',
  'stream/delete',
  'subscription/peer_add',
  'default_streams',
]

export const updateUser = change({
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Update a user',
  description: DESCRIPTION,
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...changeParams },
  reply: {},
  errors: ERRORS,
  events: ACCOUNT_EVENTS,
  prepare: (call) => readUserUpdate(call, call.params.user_id),
  decide: decideUserUpdate,
})

export const updateUserByEmail = change({
  method: 'PATCH',
  path: '/users/{user_id_or_email}',
  summary: 'Update a user by email address',
  description: DESCRIPTION,
  access: 'user',
  params: { user_id_or_email: emailParam, ...changeParams },
  reply: {},
  errors: ERRORS,
  events: ACCOUNT_EVENTS,
  prepare: (call) => readUserUpdate(call, call.params.user_id_or_email),
  decide: decideUserUpdate,
})

async function readUserUpdate(
  call: Call<typeof changeParams, (typeof ERRORS)[number]>,
  target: UserId | string,
): Promise<UpdateUserRequest> {
  const { user, params, services } = call
  const { full_name: fullName, role, profile_data: texts } = params
  findChangedUser(scopeOfCall(call), target) // Before the rendering, and again by the decision.
  const profile = texts && (await renderProfile(services, user.id, texts))
  return { target, fullName, role, profile }
}

/** The events of a deactivation. */
export const DEACTIVATION_EVENTS: readonly LogEventType[] = [
  'realm_user/update',
  'realm_bot/update',
  'subscription/peer_remove',
  'stream/update',
  'user_group/remove_members',
  'user_group/update',
  'realm/update_dict',
  'invites_changed',
]

export const deactivateUser = change({
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: 'Deactivate a user',
  description:
    'For administrators; only owners can deactivate an owner; the owner of a bot can deactivate the bot. The ' +
    'bots of a person are deactivated, too. A reactivation restores subscriptions, memberships and ' +
    'permissions. Invitations, devices, tokens for push notifications and grants of a provider of calls are ' +
    'deleted.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: DEACTIVATE_USER_ERRORS,
  events: DEACTIVATION_EVENTS,
  prepare: ({ params }) => ({ userId: params.user_id }),
  decide: decideDeactivation,
})

export const deactivateOwnUser = change({
  method: 'DELETE',
  path: '/users/me',
  summary: 'Deactivate own user',
  description: 'For people. Their bots are deactivated, too.',
  access: 'user',
  params: {},
  reply: {},
  errors: DEACTIVATE_ONESELF_ERRORS,
  events: DEACTIVATION_EVENTS,
  prepare: () => undefined,
  decide: decideOwnDeactivation,
})

/** `POST /users/{user_id}/reactivate`: reactivates an account. */
export const reactivateUser = change({
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  summary: 'Reactivate a user',
  description:
    'For administrators; only owners can reactivate an owner; the owner of a bot can reactivate the bot if ' +
    'they may create such a bot. Restores subscriptions, memberships and permissions. The bots of a person ' +
    'stay deactivated. API keys from before stay invalid: people log in again, and owners of bots regenerate ' +
    'their keys. A bot can be reactivated only if its owner is active and no other active bot has its ' +
    'name.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: REACTIVATE_USER_ERRORS,
  events: [
    'api_keys_changed',
    'realm_user/update',
    'realm_bot/update',
    'subscription/peer_add',
    'stream/update',
    'user_group/add_members',
    'user_group/update',
    'realm/update_dict',
  ],
  prepare: ({ params }) => ({ userId: params.user_id }),
  decide: decideReactivation,
})
