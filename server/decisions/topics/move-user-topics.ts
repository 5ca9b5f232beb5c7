/** Moves the visibility policies of users when all of a topic is moved. */

import type { UserTopic } from '../../domain/entities.ts'
import type { EventOf } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { isSamePlace, type TopicPlace, topicsOf } from './change-user-topic.ts'

/** A topic that was moved. */
export interface TopicMove {
  readonly from: TopicPlace
  readonly to: TopicPlace
}

/** The users who have a policy for a topic. */
export function findUsersOfTopic({ userTopics }: OrganizationState, place: TopicPlace): readonly UserId[] {
  return [...userTopics].flatMap(([userId, chosen]) =>
    [...chosen.values()].some((one) => isSamePlace(one, place)) ? [userId] : [],
  )
}

/**
 * Moves the policies of some users. A user with a policy for the new topic keeps that one. A user who may not read the
 * new channel loses the policy; one who may not read the old channel gets no event.
 */
export function decideUserTopicsMove(
  scope: ServerScope,
  { userIds, ...move }: TopicMove & { readonly userIds: readonly UserId[] },
): Decision<void> {
  return done(userIds.flatMap((userId) => moveFor(scope, userId, move)))
}

function moveFor(
  { state, now }: ServerScope,
  userId: UserId,
  { from, to }: TopicMove,
): EventOf<'user_topic'>[] {
  const user = state.getUser(userId)
  const chosen = topicsOf(state, user)
  const before = chosen.find((one) => isSamePlace(one, from))
  if (!before || !state.findReadableChannel(user, from.channelId)) return []
  const staysAsIs =
    chosen.some((one) => isSamePlace(one, to)) || !state.findReadableChannel(user, to.channelId)
  const moved: UserTopic[] = staysAsIs ? [] : [{ ...to, visibility: before.visibility, updatedAt: now }]
  const gone: UserTopic = { ...before, visibility: 0, updatedAt: now }
  return [gone, ...moved].map((userTopic) => ({ type: 'user_topic', userId, userTopic }))
}
