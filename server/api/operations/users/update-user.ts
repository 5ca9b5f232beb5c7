/** `PATCH /users/{user_id}`: changes a user's role. */

import { isAdministrator } from '../../../domain/channel-access.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { ROLES, type Role } from '../../../domain/entities.ts'
import type { UserId } from '../../../domain/ids.ts'
import { isLastOwner } from '../../../domain/user-access.ts'
import { changeRole } from '../../changes/change-roles.ts'
import { fail as failWith } from '../../errors.ts'
import { findTargetUser } from '../../find-target-user.ts'
import { operation } from '../../operation.ts'
import { id, integer, optional, required, type Type } from '../../params.ts'

const roleNumbers: readonly number[] = Object.values(ROLES)
const roleType: Type<Role> = {
  isText: false,
  schema: { type: 'integer', enum: roleNumbers },
  check(value, name) {
    const role = integer().check(value, name)
    if (!roleNumbers.includes(role)) throw failWith('PARAMETER_INVALID', { message: `Invalid ${name}` })
    return role as Role
  },
}

export const updateUser = operation({
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Update a user',
  description:
    'For administrators; only owners make or unmake owners. The groups of the old and the new role, and the ' +
    'channels that the user sees, follow at once.',
  access: 'user',
  params: {
    user_id: required(id<UserId>(), 'The id of the user.'),
    role: optional(roleType, '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'),
  },
  reply: {},
  errors: ['USER_UNKNOWN', 'PERMISSION_MISSING', 'ROLE_REQUIRED', 'LAST_OWNER_DEMOTION'],
  events: [
    'realm_user/update',
    'user_group/remove_members',
    'user_group/add_members',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
    'default_streams',
  ],
  run: ({ user, params: { user_id: targetId, role }, services: { committer, clock }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const target = findTargetUser(targetId, state, fail)
        if (!isAdministrator(caller)) throw fail('PERMISSION_MISSING')
        if (role === undefined || role === target.role) return { events: [], reply: () => ({}) }
        if ((role === ROLES.owner || target.role === ROLES.owner) && caller.role !== ROLES.owner) {
          throw fail('ROLE_REQUIRED', { role: 'owner' })
        }
        if (isLastOwner(target, state.users.values())) throw fail('LAST_OWNER_DEMOTION')
        return { events: changeRole(state, target, role, nowSeconds(clock)), reply: () => ({}) }
      },
    }),
})
