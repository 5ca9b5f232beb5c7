/** `POST /users/{user_id}/status`: an administrator says how a user is. */

import { isAdministrator } from '../../../domain/channel-access.ts'
import type { UserId } from '../../../domain/ids.ts'
import { changeUserStatus, readStatus, STATUS_ERRORS, statusParams } from '../../changes/change-status.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { findTargetUser } from '../../../decisions/users/find-target-user.ts'

export const setStatus = operation({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: 'Update user status',
  description: "Changes another user's status, of which everyone is told. For administrators.",
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...statusParams },
  reply: {},
  errors: ['USER_UNKNOWN', 'USER_DEACTIVATED', 'PERMISSION_MISSING', ...STATUS_ERRORS],
  events: ['user_status'],
  run: ({ user, params, services: { committer, names }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const target = findTargetUser(params.user_id, caller, state, fail)
        if (!isAdministrator(caller)) throw fail('PERMISSION_MISSING')
        if (!target.isActive) throw fail('USER_DEACTIVATED')
        const changes = readStatus(params, target.id, names, state, fail)
        if (Object.keys(changes).length === 0) throw fail('STATUS_UNCHANGED')
        return { events: changeUserStatus(state, target.id, changes), reply: () => ({}) }
      },
    }),
})
