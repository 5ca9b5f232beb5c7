/** `POST /users`. */

import { NEW_ACCOUNT_ERRORS, prepareAccount } from '../../../changes/users/prepare-account.ts'
import { checkAdministrator } from '../../../decisions/check-caller.ts'
import { decideAccount } from '../../../decisions/users/new-account.ts'
import { ROLES } from '../../../domain/entities.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { required, text } from '../../params.ts'
import { FULL_NAME_MEANING, fullNameType } from './full-name-param.ts'

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
