/** `POST /users/{user_id}/status`: an administrator changes a user's status. */

import { decideStatus, STATUS_ERRORS } from '../../../decisions/users/change-status.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { readStatusChange, statusParams } from './status-params.ts'

export const setStatus = change({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: 'Update user status',
  description: "Changes another user's status, of which everyone is told. For administrators.",
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...statusParams },
  reply: {},
  errors: STATUS_ERRORS,
  events: ['user_status'],
  prepare: ({ params, services: { names } }) => {
    return { ...readStatusChange(params, names), userId: params.user_id }
  },
  decide: decideStatus,
})
