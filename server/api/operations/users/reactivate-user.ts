/** `POST /users/{user_id}/reactivate`: brings an account back as it was. */

import { decideReactivation, REACTIVATE_USER_ERRORS } from '../../../decisions/users/deactivate-user.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const reactivateUser = change({
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
  errors: REACTIVATE_USER_ERRORS,
  events: [
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
