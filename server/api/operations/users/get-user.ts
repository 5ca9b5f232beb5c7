/** `GET /users/{user_id}`. */

import type { UserId } from '../../../domain/ids.ts'
import { USER, viewUser } from '../../../views/user-view.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { findTargetUser } from '../../../decisions/users/find-target-user.ts'
import { readUserViewOptions, userViewParams } from './user-view-params.ts'

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
