/** `DELETE /users/{user_id}` and `DELETE /users/me`: deactivate an account. */

import {
  DEACTIVATE_ONESELF_ERRORS,
  DEACTIVATE_USER_ERRORS,
  decideDeactivation,
  decideOwnDeactivation,
} from '../../../decisions/users/deactivate-user.ts'
import type { LogEventType } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

/** The events of a deactivation. */
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

export const deactivateUser = change({
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: 'Deactivate a user',
  description:
    'For administrators; only owners can deactivate an owner; the owner of a bot can deactivate the bot. The ' +
    'bots of a person are deactivated, too. A reactivation restores subscriptions, memberships and ' +
    'permissions. Invitations, devices, tokens for push notifications and grants of a provider of calls are ' +
    'deleted.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: DEACTIVATE_USER_ERRORS,
  events: DEACTIVATION_EVENTS,
  prepare: ({ params }) => ({ userId: params.user_id }),
  decide: decideDeactivation,
})

export const deactivateOwnUser = change({
  method: 'DELETE',
  path: '/users/me',
  summary: 'Deactivate own user',
  description: 'For people. Their bots are deactivated, too.',
  access: 'user',
  params: {},
  reply: {},
  errors: DEACTIVATE_ONESELF_ERRORS,
  events: DEACTIVATION_EVENTS,
  prepare: () => undefined,
  decide: decideOwnDeactivation,
})
