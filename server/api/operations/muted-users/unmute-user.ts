/** `DELETE /users/me/muted_users/{muted_user_id}`: takes the muting of a user back. */

import type { UserId } from '../../../domain/ids.ts'
import { UserSet } from '../../../domain/user-set.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { findTargetUser } from '../../../decisions/users/find-target-user.ts'

export const unmuteUser = operation({
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Unmute a user',
  description: 'What the user sent meanwhile stays read.',
  access: 'user',
  params: { muted_user_id: required(id<UserId>(), 'Whom to mute no longer.') },
  reply: {},
  errors: ['USER_UNKNOWN', 'USER_NOT_MUTED'],
  events: ['muted_users'],
  async run({ params: { muted_user_id: targetId }, user, services: { committer }, fail }) {
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const before = state.mutes.of(user.id)
        const mutedUsers = before.filter(({ userId }) => userId !== targetId)
        if (mutedUsers.length === before.length) {
          findTargetUser(targetId, state.getUser(user.id), state, fail)
          throw fail('USER_NOT_MUTED')
        }
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
    return {}
  },
})
