/** `DELETE /users/{user_id}/two_factor`. */

import { decideFactorsReset, RESET_FACTORS_ERRORS } from '../../../decisions/users/reset-second-factors.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const resetUserFactors = change({
  method: 'DELETE',
  path: '/users/{user_id}/two_factor',
  summary: "Remove a user's second factors",
  description:
    'For users who lost their devices. Removes the authenticator app, the recovery codes and all passkeys, and ' +
    'ends all sessions. For administrators; only owners can do so for an owner, and nobody for themselves.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: RESET_FACTORS_ERRORS,
  events: ['second_factors_changed', 'login_sessions_changed'],
  prepare: ({ params }) => ({ userId: params.user_id }),
  decide: decideFactorsReset,
})
