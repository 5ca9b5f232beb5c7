/** `DELETE /users/me/muted_users/{muted_user_id}`: unmutes a user. */

import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { decideUnmute, UNMUTE_USER_ERRORS } from '../../../decisions/users/mute-user.ts'

export const unmuteUser = change({
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Unmute a user',
  description: 'Messages that the user has sent meanwhile stay read.',
  access: 'user',
  params: { muted_user_id: required(id<UserId>(), 'The user to unmute.') },
  reply: {},
  errors: UNMUTE_USER_ERRORS,
  events: ['muted_users'],
  prepare: ({ params }) => ({ userId: params.muted_user_id }),
  decide: decideUnmute,
})
