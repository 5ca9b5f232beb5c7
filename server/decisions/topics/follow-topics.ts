/** Makes users follow or unmute the topics that they take part in, as their settings say. */

import { TOPIC_VISIBILITIES } from '../../../packages/rules/topics.ts'
import type { TopicVisibility, User } from '../../domain/entities.ts'
import type { EventOf } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { type Mention, MESSAGE_FLAGS } from '../../domain/messages/message-flags.ts'
import type { UserSettings } from '../../domain/users/user-settings.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Decision } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { hasNoRoomFor, changeUserTopic, type TopicPlace, type UserTopicRequest } from './change-user-topic.ts'

/** Levels of participation, by the values of the settings: a setting asks for at least its level. */
const PARTICIPATION = { reacts: 1, sends: 2, starts: 3 } as const
const NEVER = 4

const UNMUTED = TOPIC_VISIBILITIES.unmuted
const FOLLOWED = TOPIC_VISIBILITIES.followed

/** Whether a setting of a user depends on a message being the first of its topic. */
export function asksForStart({
  automaticallyFollowTopicsPolicy: follow,
  automaticallyUnmuteTopicsInMutedStreamsPolicy: unmute,
}: UserSettings): boolean {
  return follow === PARTICIPATION.starts || unmute === PARTICIPATION.starts
}

/** Whether a user follows or unmutes topics on participation at all. */
export function followsByTakingPart({
  automaticallyFollowTopicsPolicy: follow,
  automaticallyUnmuteTopicsInMutedStreamsPolicy: unmute,
}: UserSettings): boolean {
  return follow !== NEVER || unmute !== NEVER
}

/** The mentioned users who want to follow topics that mention them by name. */
export function findMentionedFollowers(
  state: OrganizationState,
  mentions: readonly Mention[],
): readonly UserId[] {
  return mentions.flatMap(([userId, flags]) =>
    flags & MESSAGE_FLAGS.mentioned && state.settingsOf(userId).automaticallyFollowTopicsWhereMentioned
      ? [userId]
      : [],
  )
}

/** A user who takes part in a topic, and users who follow it for another reason. */
export interface FollowRequest extends TopicPlace {
  readonly participation: keyof typeof PARTICIPATION
  /** The caller may be among them. */
  readonly followerIds: readonly UserId[]
}

/** Follows or unmutes a topic for users who may read it; answers the caller's new policy. */
export function decideFollowing(
  scope: Scope,
  { channelId, topic, participation, followerIds }: FollowRequest,
): Decision<TopicVisibility | undefined> {
  const { state, caller } = scope
  const place = { channelId, topic }
  const wanted = followerIds.includes(caller.id) ? FOLLOWED : wantedBy(scope, place, participation)
  const own = wanted === undefined ? [] : raise(scope, caller, { ...place, visibility: wanted })
  const others = followerIds
    .filter((userId) => userId !== caller.id)
    .flatMap((userId) => raise(scope, state.getUser(userId), { ...place, visibility: FOLLOWED }))
  return { events: [...own, ...others], reply: () => (own.length > 0 ? wanted : undefined) }
}

/** The policy that the caller's settings ask for; undefined if they ask for none. */
function wantedBy(
  { state, caller }: Scope,
  { channelId }: TopicPlace,
  participation: FollowRequest['participation'],
): TopicVisibility | undefined {
  const settings = state.settingsOf(caller.id)
  const isEnough = (policy: number) => policy !== NEVER && PARTICIPATION[participation] >= policy
  if (isEnough(settings.automaticallyFollowTopicsPolicy)) return FOLLOWED
  const isMuted = state.getChannel(channelId).settings.get(caller.id)?.isMuted === true
  return isMuted && isEnough(settings.automaticallyUnmuteTopicsInMutedStreamsPolicy) ? UNMUTED : undefined
}

/** Raises a user's policy for a topic, never lowers it; without a change if the user has too many. */
function raise(scope: ServerScope, user: User, request: UserTopicRequest): EventOf<'user_topic'>[] {
  const { state } = scope
  if (!state.findReadableChannel(user, request.channelId)) return []
  const before = state.topicVisibility(user.id, request.channelId, request.topic)
  if (before >= request.visibility || hasNoRoomFor(state, user, request)) return []
  return changeUserTopic(scope, user, request)
}
