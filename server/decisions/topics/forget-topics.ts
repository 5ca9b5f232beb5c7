/**
 * Ends the following of topics that have no messages any more. Users follow most topics by taking part in them: without
 * this, those of deleted messages would fill the limit. Muted and unmuted topics stay, as users chose them one by one.
 */

import type { FollowedTopic } from '../../../db/personal/user-topics.ts'
import { DAY_SECONDS } from '../../domain/messages/weekly-traffic.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { changeUserTopic } from './change-user-topic.ts'

/** Days after which a followed topic without messages is forgotten: a user may follow a topic before its first message. */
const EMPTY_DAYS_MAX = 28

/** The time before which a followed topic without messages is forgotten, in UNIX seconds. */
export function forgottenBefore(nowSeconds: number): number {
  return nowSeconds - EMPTY_DAYS_MAX * DAY_SECONDS
}

/** Ends the following of topics without messages, except for those that their users have changed since. */
export function decideForgetting(scope: ServerScope, topics: readonly FollowedTopic[]): Decision<void> {
  const { state } = scope
  return done(
    topics.flatMap(({ userId, channelId, topic, updatedAt }) => {
      const own = [...(state.userTopics.get(userId)?.values() ?? [])]
      const isSame = own.some(
        (one) => one.channelId === channelId && one.topic === topic && one.updatedAt === updatedAt,
      )
      if (!isSame) return []
      return changeUserTopic(scope, state.getUser(userId), { channelId, topic, visibility: 0 })
    }),
  )
}
