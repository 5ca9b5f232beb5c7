/** `DELETE /users/{user_id}` and `DELETE /users/me`: deactivate an account. */

import type { LogEventType } from '../../../domain/events.ts'
import { ROLES } from '../../../domain/entities.ts'
import type { UserId } from '../../../domain/ids.ts'
import { canAdministerUser, isActivePerson, isLastOwner } from '../../../domain/user-access.ts'
import { deactivateWithBots } from '../../changes/change-users.ts'
import { findTargetUser } from '../../../decisions/users/find-target-user.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { requireOwner } from '../../../decisions/require-role.ts'

/** What follows where somebody goes. */
export const DEACTIVATION_EVENTS: readonly LogEventType[] = [
  'realm_user/update',
  'realm_bot/update',
  'subscription/peer_remove',
  'stream/update',
  'user_group/remove_members',
  'user_group/update',
  'realm/update_dict',
  'invites_changed',
]

export const deactivateUser = operation({
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: 'Deactivate a user',
  description:
    'For administrators, owners where it is an owner, and for a bot its owner. A person’s bots go with them. ' +
    'Subscriptions, memberships and permissions are kept, and are there again after a reactivation; invitations, ' +
    'devices, tokens for push notifications and what a provider of calls granted are gone.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: [
    'USER_UNKNOWN',
    'PERMISSION_MISSING',
    'USER_DEACTIVATED',
    'ROLE_REQUIRED',
    'LAST_OWNER_DEACTIVATION',
  ],
  events: DEACTIVATION_EVENTS,
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const target = findTargetUser(params.user_id, caller, state, fail)
        if (!canAdministerUser(caller, target)) throw fail('PERMISSION_MISSING')
        if (!target.isActive) throw fail('USER_DEACTIVATED')
        if (target.role === ROLES.owner) requireOwner(caller, fail)
        if (isLastOwner(target, state.users.values())) throw fail('LAST_OWNER_DEACTIVATION')
        return { events: deactivateWithBots(state, target.id), reply: () => ({}) }
      },
    }),
})

export const deactivateOwnUser = operation({
  method: 'DELETE',
  path: '/users/me',
  summary: 'Deactivate own user',
  description: 'For people; their bots go with them.',
  access: 'user',
  params: {},
  reply: {},
  errors: ['BOT_REFUSED', 'LAST_USER_LEAVING'],
  events: DEACTIVATION_EVENTS,
  run: ({ user, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        if (caller.botType !== null) throw fail('BOT_REFUSED')
        const users = [...state.users.values()]
        if (isLastOwner(caller, users)) throw fail('LAST_USER_LEAVING', { isOwner: true })
        if (users.filter(isActivePerson).length === 1) throw fail('LAST_USER_LEAVING', { isOwner: false })
        return { events: deactivateWithBots(state, caller.id), reply: () => ({}) }
      },
    }),
})
