/** Moves the visibility policies of users after all of a topic was moved. */

import { isSamePlace, type TopicPlace } from '../../decisions/topics/change-user-topic.ts'
import { decideUserTopicsMove, findUsersOfTopic } from '../../decisions/topics/move-user-topics.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'

/** Users in one transaction, during which the log is locked. */
const USERS_PER_COMMIT_MAX = 100

/** Moves the policies once the messages are moved, in several transactions, as there may be many users. */
export async function moveUserTopics(services: Sending, from: TopicPlace, to: TopicPlace): Promise<void> {
  if (isSamePlace(from, to)) return
  const concerned = findUsersOfTopic(services.state, from)
  for (let start = 0; start < concerned.length; start += USERS_PER_COMMIT_MAX) {
    const userIds = concerned.slice(start, start + USERS_PER_COMMIT_MAX)
    await submitForServer(services, (scope) => decideUserTopicsMove(scope, { userIds, from, to }))
  }
}
