/** `GET /users/{email}`. */

import { USER, viewUser } from '../../../views/user-view.ts'
import { operation } from '../../operation.ts'
import { emailParam } from './email-param.ts'
import { findAddressedUser } from '../../../decisions/users/find-target-user.ts'
import { readUserViewOptions, userViewParams } from './user-view-params.ts'

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
