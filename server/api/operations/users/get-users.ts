/** `GET /users`, `/users/me` and `/users/{user_id}`. */

import type { UserId } from '../../../domain/ids.ts'
import { viewUser } from '../../../views/user-view.ts'
import { findNewestReceived } from '../../../../db/message-pages.ts'
import { readerOf } from '../../find-messages.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { arrayOf, BOOLEAN, INTEGER, OBJECT, orNull, STRING, USER } from '../../reply-schemas.ts'

const viewParams = {
  client_gravatar: defaulted(
    boolean(),
    true,
    'Whether gravatar addresses may be left to the client, as null.',
  ),
  include_custom_profile_fields: defaulted(
    boolean(),
    false,
    'Whether `profile_data` is included for people.',
  ),
}

export const getUsers = operation({
  method: 'GET',
  path: '/users',
  summary: 'Get all users',
  description: 'Everyone in the organization, people and bots, active and deactivated.',
  access: 'user',
  params: viewParams,
  reply: { members: { schema: arrayOf(USER), description: 'The users.' } },
  errors: [],
  events: [],
  run: ({ params, services: { state } }) => ({
    members: [...state.users.values()].map((user) => viewWithProfile(user, params)),
  }),
})

export const getUser = operation({
  method: 'GET',
  path: '/users/{user_id}',
  summary: 'Get a user',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...viewParams },
  reply: { user: { schema: USER, description: 'The user.' } },
  errors: ['USER_UNKNOWN'],
  events: [],
  run({ params, services: { state }, fail }) {
    const user = state.users.get(params.user_id)
    if (!user) throw fail('USER_UNKNOWN')
    return { user: viewWithProfile(user, params) }
  },
})

export const getOwnUser = operation({
  method: 'GET',
  path: '/users/me',
  summary: 'Get own user',
  access: 'user',
  params: {},
  reply: {
    user_id: { schema: INTEGER, description: 'The id.' },
    delivery_email: { schema: STRING, description: 'The real email address.' },
    email: { schema: STRING, description: 'The email address to use with the API.' },
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
      schema: OBJECT,
      description: 'Values of custom profile fields; absent for bots.',
      isOptional: true,
    },
    max_message_id: { schema: INTEGER, description: 'The newest message received; 0 without any.' },
  },
  errors: [],
  events: [],
  run: async ({ user, services: { sql, state } }) => ({
    ...viewUser(user, { clientGravatar: false }),
    ...(user.botType === null ? { profile_data: {} } : {}),
    max_message_id: await findNewestReceived(sql, readerOf(user, state)),
  }),
})

type ViewParams = { client_gravatar: boolean; include_custom_profile_fields: boolean }

/** The user object; profile fields cannot be defined yet, so the data of a person is empty. */
function viewWithProfile(
  user: Parameters<typeof viewUser>[0],
  { client_gravatar, include_custom_profile_fields }: ViewParams,
) {
  const view = viewUser(user, { clientGravatar: client_gravatar })
  return include_custom_profile_fields && user.botType === null ? { ...view, profile_data: {} } : view
}
