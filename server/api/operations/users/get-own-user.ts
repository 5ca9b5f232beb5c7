/** `GET /users/me`. */

import { findNewestReceived } from '../../../../db/messages/find-messages.ts'
import { avatarUrl, viewUser } from '../../../views/user-view.ts'
import { readerOf } from '../../../decisions/messages/message-reader.ts'
import { operation } from '../../operation.ts'
import { BOOLEAN, INTEGER, orNull, STRING } from '../../../domain/json-schema.ts'
import { PROFILE } from '../../../views/profile-field-view.ts'

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
