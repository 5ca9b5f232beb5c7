/** The visibility policies of users for topics: muted, unmuted or followed. */

import type { User, UserTopic } from '../../domain/entities.ts'
import type { EventOf } from '../../domain/events.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { USER_TOPICS_MAX } from '../../domain/limits.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'

/** The new policy of a user for a topic. */
export type UserTopicRequest = Omit<UserTopic, 'updatedAt'>

/** How changing a policy can fail. */
export const USER_TOPIC_ERRORS = ['CHANNEL_UNKNOWN', 'TOO_MANY_USER_TOPICS'] as const

/** Changes the caller's policy for a topic. */
export function decideUserTopic(
  scope: Scope<(typeof USER_TOPIC_ERRORS)[number]>,
  request: UserTopicRequest,
): Decision<void> {
  const { state, caller, fail } = scope
  if (!state.findReadableChannel(caller, request.channelId)) throw fail('CHANNEL_UNKNOWN')
  return done(changeOwnTopic(scope, request))
}

/** The same for a topic that the caller may no longer read. */
export function changeOwnTopic(
  scope: Scope<'TOO_MANY_USER_TOPICS'>,
  request: UserTopicRequest,
): EventOf<'user_topic'>[] {
  const { state, caller, fail } = scope
  if (request.visibility !== 0 && hasNoRoomFor(state, caller, request))
    throw fail('TOO_MANY_USER_TOPICS', { countMax: USER_TOPICS_MAX })
  return changeUserTopic(scope, caller, request)
}

/** Whether a user has the most policies for other topics that a user may have. */
export function hasNoRoomFor(state: OrganizationState, { id }: User, topic: TopicPlace): boolean {
  const hasPolicy = state.topicVisibility(id, topic.channelId, topic.topic) !== 0
  return !hasPolicy && (state.userTopics.get(id)?.size ?? 0) >= USER_TOPICS_MAX
}

/** Changes one user's policy for a topic; without a change there are no facts. */
export function changeUserTopic(
  { state, now }: ServerScope,
  { id: userId }: User,
  request: UserTopicRequest,
): EventOf<'user_topic'>[] {
  const { channelId, topic, visibility } = request
  if (visibility === state.topicVisibility(userId, channelId, topic)) return []
  return [{ type: 'user_topic', userId, userTopic: { ...request, updatedAt: now } }]
}

/** One topic of a channel. */
export interface TopicPlace {
  readonly channelId: ChannelId
  readonly topic: string
}

/** Whether two places are the same; the case of a topic does not matter. */
export function isSamePlace(one: TopicPlace, other: TopicPlace): boolean {
  return one.channelId === other.channelId && topicKey(one.topic) === topicKey(other.topic)
}

/** The topics for which a user has policies, the latest last. */
export function topicsOf(state: OrganizationState, { id }: User): readonly UserTopic[] {
  return [...(state.userTopics.get(id)?.values() ?? [])]
}
