/** How users want a topic treated moves with it, when all of it is moved. */

import type { UserTopic } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { listMutedTopics } from '../../views/muted-topics-view.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { isSamePlace, type TopicPlace, topicsOf } from './change-user-topic.ts'

/** A topic that was moved. */
export interface TopicMove {
  readonly from: TopicPlace
  readonly to: TopicPlace
}

/** The users who have chosen how they want a topic treated. */
export function findUsersOfTopic({ userTopics }: OrganizationState, place: TopicPlace): readonly UserId[] {
  return [...userTopics].flatMap(([userId, chosen]) =>
    [...chosen.values()].some((one) => isSamePlace(one, place)) ? [userId] : [],
  )
}

/**
 * Moves what some users have chosen. A user who has chosen something for the new topic keeps that; one who may not read
 * its channel is left with nothing, and one who may not read the old channel is told of nothing.
 */
export function decideUserTopicsMove(
  scope: ServerScope,
  { userIds, ...move }: TopicMove & { readonly userIds: readonly UserId[] },
): Decision<void> {
  return done(userIds.flatMap((userId) => moveFor(scope, userId, move)))
}

function moveFor({ state, now }: ServerScope, userId: UserId, { from, to }: TopicMove): NewEvent[] {
  const user = state.getUser(userId)
  const chosen = topicsOf(state, user)
  const before = chosen.find((one) => isSamePlace(one, from))
  if (!before || !state.findReadableChannel(user, from.channelId)) return []
  const isKept = chosen.some((one) => isSamePlace(one, to)) || !state.findReadableChannel(user, to.channelId)
  const moved: UserTopic[] = isKept ? [] : [{ ...to, visibility: before.visibility, updatedAt: now }]
  const gone: UserTopic = { ...before, visibility: 0, updatedAt: now }
  const audience = { kind: 'users', users: UserSet.of([userId]) } as const
  const events = [gone, ...moved].map(
    (userTopic): NewEvent => ({ event: { type: 'user_topic', userId, userTopic }, audience }),
  )
  if (before.visibility === 1) {
    const after = [...chosen.filter((one) => one !== before), ...moved]
    const mutedTopics = listMutedTopics(user, state, after)
    events.push({ event: { type: 'muted_topics', mutedTopics }, audience })
  }
  return events
}
