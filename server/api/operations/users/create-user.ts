/** `POST /users`. */

import { ROLES } from '../../../domain/entities.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../../domain/limits.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'
import { FULL_NAME_MEANING, fullNameType } from './full-name-param.ts'
import { ACCOUNT_ERRORS, createAccount } from '../../users/new-account.ts'

export const createUser = operation({
  method: 'POST',
  path: '/users',
  summary: 'Create a user',
  description:
    'For administrators. The new member is subscribed to the default channels, and logs in with the password.',
  access: 'user',
  params: {
    email: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address.'),
    password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password, of 8 characters at least.'),
    full_name: required(fullNameType, FULL_NAME_MEANING),
  },
  reply: { user_id: { schema: INTEGER, description: "The new user's id." } },
  errors: ['ROLE_REQUIRED', ...ACCOUNT_ERRORS],
  events: [
    'realm_user/add',
    'user_status',
    'user_group/add_members',
    'subscription/peer_add',
    'api_keys_changed',
    'login_awaited',
  ],
  async run({ user, params: { email, password, full_name: fullName }, services, fail }) {
    requireAdministrator(user, fail)
    const account = { email, fullName, password, role: ROLES.member }
    const { id } = await createAccount(services, account, fail, (state) => {
      requireAdministrator(state.getUser(user.id), fail)
      return [{ event: { type: 'login_awaited', userId: state.nextUserId }, audience: { kind: 'nobody' } }]
    })
    return { user_id: id }
  },
})
