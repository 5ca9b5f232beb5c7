/** `POST /users/{user_id}/status`: changes a user's status as an administrator. */

import { decideStatus, STATUS_ERRORS } from '../../../decisions/users/change-status.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { readStatusChange, statusParams } from './status-params.ts'

export const setStatus = change({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: 'Update user status',
  description: 'For administrators. Changes the status of another user, and sends an event to all users.',
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
