/** The initial state of users and bots. */

import { ROLES, type User } from '../../domain/entities.ts'
import { arrayOf, BOOLEAN, INTEGER, STRING } from '../../domain/json-schema.ts'
import { canAdministerUser } from '../../../packages/rules/accounts.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { BOT, viewBot } from '../../views/bot-view.ts'
import { encodeUsers } from '../../views/encode-users.ts'
import { AVATAR_FIELDS, USER, viewAvatar, viewUser } from '../../views/user-view.ts'
import { EncodedField } from '../operation.ts'
import { OWN_PERMISSION_FIELDS, viewOwnPermissions } from './own-permissions.ts'
import { statePart } from './state-part.ts'

const OWN_FIELDS = {
  user_id: { schema: INTEGER, description: 'The id of the user who registers.' },
  email: { schema: STRING, description: 'The email address that other users see.' },
  delivery_email: { schema: STRING, description: 'The real email address of the user.' },
  full_name: { schema: STRING, description: 'The name of the user.' },
  avatar_url: { schema: AVATAR_FIELDS.avatar_url, description: "The address of the user's avatar." },
  avatar_url_medium: {
    schema: AVATAR_FIELDS.avatar_url_medium,
    description: 'The address of the same picture in 500 pixels.',
  },
  avatar_source: {
    schema: AVATAR_FIELDS.avatar_source,
    description: '`U` for an uploaded avatar, `G` for a gravatar, `J` for one that the server drew.',
  },
  is_owner: { schema: BOOLEAN, description: 'Whether the user is an owner.' },
  is_admin: { schema: BOOLEAN, description: 'Whether the user is an administrator or owner.' },
  is_moderator: { schema: BOOLEAN, description: 'Whether the user is a moderator, administrator or owner.' },
  is_guest: { schema: BOOLEAN, description: 'Whether the user is a guest.' },
}

/** `realm_user`. */
export const users = statePart({
  fields: {
    realm_users: {
      schema: arrayOf(USER),
      description:
        'The active users, by id; with `user_list_incomplete` only users whom the caller knows. ' +
        '`avatar_url` may be null with `client_gravatar`.',
    },
    realm_non_active_users: { schema: arrayOf(USER), description: 'The deactivated users, by id.' },
    cross_realm_bots: { schema: arrayOf(USER), description: "The server's own bots." },
    ...OWN_FIELDS,
    ...OWN_PERMISSION_FIELDS,
  },
  fetch({ user, services, options }) {
    const { state } = services
    const list = (accounts: 'active' | 'deactivated') =>
      EncodedField.list(
        encodeUsers(user, state, {
          accounts,
          clientGravatar: options.clientGravatar,
          hasProfile: true,
          isIncomplete: options.hasIncompleteUsers,
        }).map((piece) => [piece]),
      )
    const systemBots = botsOf(state).filter(({ isSystem }) => isSystem)
    return {
      realm_users: list('active'),
      realm_non_active_users: list('deactivated'),
      cross_realm_bots: systemBots.map((bot) =>
        viewUser(bot, user, state, { clientGravatar: options.clientGravatar, hasProfile: true }),
      ),
      user_id: user.id,
      email: state.apiEmailOf(user),
      delivery_email: user.email,
      full_name: user.fullName,
      ...viewAvatar(user, state),
      is_owner: user.role === ROLES.owner,
      is_admin: user.role <= ROLES.administrator,
      is_moderator: user.role <= ROLES.moderator,
      is_guest: user.role === ROLES.guest,
      ...viewOwnPermissions(user, services),
    }
  },
})

function botsOf(state: OrganizationState): User[] {
  return state.bots.toArray().map((id) => state.getUser(id))
}

/** `realm_bot`. */
export const bots = statePart({
  fields: { realm_bots: { schema: arrayOf(BOT), description: 'The bots that the user manages, by id.' } },
  fetch({ user, services: { state } }) {
    const managed = botsOf(state).filter((bot) => !bot.isSystem && canAdministerUser(user, bot))
    return { realm_bots: managed.map((bot) => viewBot(bot, user, state)) }
  },
})
