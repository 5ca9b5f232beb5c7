/** `POST /users/{user_id}/reactivate`: reactivates an account. */

import { decideReactivation, REACTIVATE_USER_ERRORS } from '../../../decisions/users/deactivate-user.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const reactivateUser = change({
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  summary: 'Reactivate a user',
  description:
    'For administrators; only owners can reactivate an owner; the owner of a bot can reactivate the bot if ' +
    'they may create such a bot. Restores subscriptions, memberships and permissions. The bots of a person ' +
    'stay deactivated. API keys from before stay invalid: people log in again, and owners of bots regenerate ' +
    'their keys. A bot can be reactivated only if its owner is active and no other active bot has its ' +
    'name.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: REACTIVATE_USER_ERRORS,
  events: [
    'api_keys_changed',
    'realm_user/update',
    'realm_bot/update',
    'subscription/peer_add',
    'stream/update',
    'user_group/add_members',
    'user_group/update',
    'realm/update_dict',
  ],
  prepare: ({ params }) => ({ userId: params.user_id }),
  decide: decideReactivation,
})
