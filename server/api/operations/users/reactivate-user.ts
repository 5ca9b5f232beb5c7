/** `POST /users/{user_id}/reactivate`: brings an account back as it was. */

import { ROLES } from '../../../domain/entities.ts'
import type { UserId } from '../../../domain/ids.ts'
import { canAdministerUser } from '../../../domain/user-access.ts'
import { changeAccounts } from '../../changes/change-accounts.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { requireOwner } from '../../../decisions/require-role.ts'
import { checkBotRight, isBotNameTaken } from '../../../decisions/bots/check-bot.ts'
import { findTargetUser } from '../../../decisions/users/find-target-user.ts'

export const reactivateUser = operation({
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  summary: 'Reactivate a user',
  description:
    'For administrators, owners where it is an owner, and for a bot its owner, who must be allowed to create such a ' +
    'bot. The user is subscribed, a member and in permissions as before. A person’s bots stay deactivated; a bot comes ' +
    'back only while its owner is active, and no other active bot has its name.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: [
    'USER_UNKNOWN',
    'PERMISSION_MISSING',
    'ROLE_REQUIRED',
    'BOT_OWNER_DEACTIVATED',
    'BOT_NAME_TAKEN_MEANWHILE',
  ],
  events: [
    'realm_user/update',
    'realm_bot/update',
    'subscription/peer_add',
    'stream/update',
    'user_group/add_members',
    'user_group/update',
    'realm/update_dict',
  ],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const target = findTargetUser(params.user_id, caller, state, fail)
        if (!canAdministerUser(caller, target)) throw fail('PERMISSION_MISSING')
        if (target.isActive) return { events: [], reply: () => ({}) }
        if (target.role === ROLES.owner) requireOwner(caller, fail)
        // Nobody acts through a bot whose own account is gone.
        if (target.botOwnerId !== null && !state.getUser(target.botOwnerId).isActive) {
          throw fail('BOT_OWNER_DEACTIVATED')
        }
        if (target.botType !== null) {
          checkBotRight(caller, target.botType, state, fail)
          if (isBotNameTaken(target.fullName, target.id, state))
            throw fail('BOT_NAME_TAKEN_MEANWHILE', { name: target.fullName })
        }
        return { events: changeAccounts(state, [target.id], true), reply: () => ({}) }
      },
    }),
})
