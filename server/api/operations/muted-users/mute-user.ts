/** `POST /users/me/muted_users/{muted_user_id}`: what somebody sends is of no interest to the caller. */

import { readUnreadFrom } from '../../../../db/flagged-messages.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { UserId } from '../../../domain/ids.ts'
import { MUTED_USERS_MAX } from '../../../domain/limits.ts'
import { UserSet } from '../../../domain/user-set.ts'
import { changeFlags } from '../../../changes/flags/change-flags.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { findTargetUser } from '../../../decisions/users/find-target-user.ts'

export const muteUser = operation({
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Mute a user',
  description: 'What the user has sent becomes read, and what they send from now on is read at once.',
  access: 'user',
  params: { muted_user_id: required(id<UserId>(), 'Whom to mute.') },
  reply: {},
  errors: ['MUTING_ONESELF', 'USER_UNKNOWN', 'USER_MUTED', 'TOO_MANY_MUTED_USERS'],
  events: ['muted_users', 'update_message_flags'],
  async run({ params: { muted_user_id: targetId }, user, services, fail }) {
    const { committer, clock, sql, state } = services
    if (targetId === user.id) throw fail('MUTING_ONESELF')
    await committer.submit({
      kind: 'structure',
      decide(now) {
        findTargetUser(targetId, now.getUser(user.id), now, fail)
        const before = now.mutes.of(user.id)
        if (before.some(({ userId }) => userId === targetId)) throw fail('USER_MUTED')
        if (before.length >= MUTED_USERS_MAX)
          throw fail('TOO_MANY_MUTED_USERS', { countMax: MUTED_USERS_MAX })
        const mutedUsers = [...before, { userId: targetId, mutedAt: nowSeconds(clock) }]
        return {
          events: [
            {
              event: { type: 'muted_users', userId: user.id, targetId, mutedUsers },
              audience: { kind: 'users', users: UserSet.of([user.id]) },
            },
          ],
          reply: () => undefined,
        }
      },
    })
    // From here on nothing of theirs becomes unread, so that this is all there is.
    const unread = await readUnreadFrom(sql, user.id, state.appliedId, targetId)
    await changeFlags(unread, { op: 'add', flag: 'read' }, user.id, services)
    return {}
  },
})
