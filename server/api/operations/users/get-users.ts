/** Users, as others see them. */

import { boolean, defaulted, id, list, optional, required } from '../../params.ts'
import type { UserId } from '../../../domain/ids.ts'
import { encodeUsers } from '../../../views/encode-users.ts'
import { avatarUrl, USER, viewUser } from '../../../views/user-view.ts'
import { EncodedField, operation } from '../../operation.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, STRING } from '../../../domain/json-schema.ts'
import { findAddressedUser, findTargetUser } from '../../../decisions/users/find-users.ts'
import { emailParam } from './account-params.ts'
import { findNewestReceived } from '../../../../db/messages/find-messages.ts'
import { readerOf } from '../../../decisions/messages/message-access.ts'
import { PROFILE } from '../../../views/profile-field-view.ts'

/** The shared parameters. */
const userViewParams = {
  client_gravatar: defaulted(
    boolean(),
    true,
    'Whether gravatar addresses may be null, for clients that compute them from a visible email address.',
  ),
  include_custom_profile_fields: defaulted(
    boolean(),
    false,
    'Whether `profile_data` is included for people.',
  ),
}

/** The options of `viewUser` from the parameters. */
function readUserViewOptions(params: {
  readonly client_gravatar: boolean
  readonly include_custom_profile_fields: boolean
}) {
  return { clientGravatar: params.client_gravatar, hasProfile: params.include_custom_profile_fields }
}

/** `GET /users`. */
export const getUsers = operation({
  method: 'GET',
  path: '/users',
  summary: 'Get all users',
  description: 'All users whom the caller knows: people and bots, active and deactivated.',
  access: 'user',
  params: {
    ...userViewParams,
    user_ids: optional(list(id<UserId>()), 'Only these users; unknown ids are ignored.'),
  },
  reply: { members: { schema: arrayOf(USER), description: 'The users, by id.' } },
  errors: [],
  events: [],
  run({ user: caller, params, services: { state } }) {
    const options = readUserViewOptions(params)
    if (!params.user_ids) {
      const everyone = encodeUsers(caller, state, { ...options, accounts: 'all', isIncomplete: true })
      return { members: EncodedField.list(everyone.map((piece) => [piece])) }
    }
    const wanted = new Set(params.user_ids)
    const users = [...state.users.values()].filter(
      ({ id, isSystem }) => !isSystem && wanted.has(id) && state.userVisibility.knows(caller.id, id),
    )
    return { members: users.map((user) => viewUser(user, caller, state, options)) }
  },
})

/** `GET /users/{user_id}`. */
export const getUser = operation({
  method: 'GET',
  path: '/users/{user_id}',
  summary: 'Get a user',
  description:
    'Callers who may not see the real email address get null as `delivery_email`, and as `email` a stand-in ' +
    'address, which the API accepts in its place.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...userViewParams },
  reply: { user: { schema: USER, description: 'The user.' } },
  errors: ['USER_UNKNOWN'],
  events: [],
  run({ user: caller, params, services: { state }, fail }) {
    const user = findTargetUser({ state, caller, fail }, params.user_id)
    return { user: viewUser(user, caller, state, readUserViewOptions(params)) }
  },
})

/** `GET /users/{email}`. */
export const getUserByEmail = operation({
  method: 'GET',
  path: '/users/{user_id_or_email}',
  summary: 'Get a user by email address',
  description: 'A number is an id, as in `GET /users/{user_id}`.',
  access: 'user',
  params: { user_id_or_email: emailParam, ...userViewParams },
  reply: { user: { schema: USER, description: 'The user.' } },
  errors: ['USER_UNKNOWN'],
  events: [],
  run({ user: caller, params, services: { state }, fail }) {
    const user = findAddressedUser({ state, caller, fail }, params.user_id_or_email)
    return { user: viewUser(user, caller, state, readUserViewOptions(params)) }
  },
})

/** `GET /users/me`. */
export const getOwnUser = operation({
  method: 'GET',
  path: '/users/me',
  summary: 'Get own user',
  access: 'user',
  params: {},
  reply: {
    user_id: { schema: INTEGER, description: 'The id.' },
    delivery_email: { schema: STRING, description: 'The real email address.' },
    email: { schema: STRING, description: 'The email address that other users see.' },
    full_name: { schema: STRING, description: 'The name.' },
    date_joined: { schema: STRING, description: 'When the user joined, by ISO 8601.' },
    is_active: { schema: BOOLEAN, description: 'Always true.' },
    is_owner: { schema: BOOLEAN, description: 'Whether the user is an owner.' },
    is_admin: { schema: BOOLEAN, description: 'Whether the user is an administrator or owner.' },
    is_guest: { schema: BOOLEAN, description: 'Whether the user is a guest.' },
    is_bot: { schema: BOOLEAN, description: 'Whether the user is a bot.' },
    bot_type: { schema: orNull(INTEGER), description: 'The kind of bot, or null.' },
    bot_owner_id: { schema: orNull(INTEGER), description: "The bot's owner, or null." },
    role: {
      schema: INTEGER,
      description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
    },
    timezone: { schema: STRING, description: 'An IANA time zone, or empty.' },
    avatar_url: { schema: STRING, description: 'The address of the avatar.' },
    avatar_version: { schema: INTEGER, description: 'Changes with the avatar.' },
    is_imported_stub: { schema: BOOLEAN, description: 'Whether the account stands for an imported one.' },
    profile_data: {
      schema: PROFILE,
      description: 'Values of custom profile fields; absent for bots.',
      isOptional: true,
    },
    max_message_id: { schema: INTEGER, description: 'The newest message received; 0 without any.' },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    // The server's own bots have no key, so they never call.
    const { is_system_bot: _, ...own } = viewUser(user, user, state, {
      clientGravatar: false,
      hasProfile: true,
    })
    return {
      ...own,
      delivery_email: user.email,
      avatar_url: avatarUrl(user, state),
      max_message_id: await findNewestReceived(sql, readerOf({ state, caller: user })),
    }
  },
})
