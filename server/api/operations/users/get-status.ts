/** `GET /users/{user_id}/status`. */

import type { UserId } from '../../../domain/ids.ts'
import { USER_STATUS, viewStatus } from '../../../views/status-view.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { findTargetUser } from '../../../decisions/users/find-target-user.ts'

export const getUserStatus = operation({
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: "Get a user's status",
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: { status: { schema: USER_STATUS, description: 'The status, without empty fields.' } },
  errors: ['USER_UNKNOWN'],
  events: [],
  run({ user: caller, userAgent, params, services: { state, names }, fail }) {
    const target = findTargetUser({ state, caller, fail }, params.user_id)
    return { status: viewStatus(target.id, state, names.readsOriginalTypes(userAgent)) }
  },
})
