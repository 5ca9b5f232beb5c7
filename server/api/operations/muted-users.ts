/** Muting of users. */

import { readUnreadFrom } from '../../../db/unread/flagged-messages.ts'
import type { UserId } from '../../domain/ids.ts'
import { changeFlags } from '../../changes/flags/change-flags.ts'
import { change } from '../change-operation.ts'
import { id, required } from '../params.ts'
import {
  decideMute,
  decideUnmute,
  MUTE_USER_ERRORS,
  UNMUTE_USER_ERRORS,
} from '../../decisions/users/mute-user.ts'

/** `POST /users/me/muted_users/{muted_user_id}`: mutes a user for the caller. */
export const muteUser = change({
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Mute a user',
  description: 'Marks the messages of the user as read, and later ones when they arrive.',
  access: 'user',
  params: { muted_user_id: required(id<UserId>(), 'Whom to mute.') },
  reply: {},
  errors: MUTE_USER_ERRORS,
  events: ['muted_users', 'update_message_flags'],
  prepare: ({ params }) => ({ userId: params.muted_user_id }),
  decide: decideMute,
  async answer(_, { user, services }, { userId }) {
    // Later messages of the user are read when they arrive, so these are all.
    const unread = await readUnreadFrom(services.sql, user.id, services.state.appliedId, userId)
    await changeFlags(services, user.id, { op: 'add', flag: 'read' }, unread)
    return {}
  },
})

/** `DELETE /users/me/muted_users/{muted_user_id}`: unmutes a user. */
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
