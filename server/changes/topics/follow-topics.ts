/** Topics that users follow, or unmute, by taking part in them: each says by settings of their own when that happens by itself. */

import type { Destination, TopicVisibility, User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { USER_TOPICS_MAX } from '../../domain/limits.ts'
import { type Mention, MESSAGE_FLAGS } from '../../domain/message-flags.ts'
import type { UserSettings } from '../../domain/user-settings.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { fail } from '../../errors/api-error.ts'
import type { Sending } from '../sending.ts'
import { decideUserTopic } from '../../decisions/topics/change-user-topic.ts'

/** What somebody does in a topic, by the settings: from this number on it is enough. */
const DEEDS = { reacts: 1, sends: 2, starts: 3 } as const
type Deed = keyof typeof DEEDS
const NEVER = 4

const UNMUTED = 2
const FOLLOWED = 3

type InChannel = Extract<Destination, { kind: 'channel' }>

/** Whether it matters to a user if a message of theirs is the first of its topic. */
export function asksForStart({
  automaticallyFollowTopicsPolicy: follow,
  automaticallyUnmuteTopicsInMutedStreamsPolicy: unmute,
}: UserSettings): boolean {
  return follow === DEEDS.starts || unmute === DEEDS.starts
}

/**
 * Follows or unmutes the topic of a message that was sent, for its sender and for those whom it mentions by name, where
 * they have asked for that; answers what the topic has become to the sender by it.
 */
export async function followBySending(
  { channelId, topic }: Omit<InChannel, 'kind'>,
  sender: User,
  { isStart, mentions }: { readonly isStart: boolean; readonly mentions: readonly Mention[] },
  { state, committer, clock }: Sending,
): Promise<TopicVisibility | undefined> {
  const deed = isStart ? 'starts' : 'sends'
  const followerIds = mentions.flatMap(([userId, flags]) =>
    flags & MESSAGE_FLAGS.mentioned && state.settingsOf(userId).automaticallyFollowTopicsWhereMentioned
      ? [userId]
      : [],
  )
  if (followerIds.length === 0 && !asksFor(state, sender.id)) return undefined
  const place = { channelId, topic, updatedAt: nowSeconds(clock) }
  return committer.submit({
    kind: 'structure',
    decide(now) {
      const before = now.topicVisibility(sender.id, channelId, topic)
      const own = followerIds.includes(sender.id) ? FOLLOWED : wantedBy(now, sender.id, deed, place)
      const events = raise(now, sender.id, own, place)
      for (const userId of followerIds) {
        if (userId !== sender.id) events.push(...raise(now, userId, FOLLOWED, place))
      }
      const isRaised = events.some(({ event }) => event.type === 'user_topic' && event.userId === sender.id)
      return { events, reply: () => (isRaised && own !== before ? own : undefined) }
    },
  })
}

/** Follows or unmutes the topic of a message that somebody took part in otherwise than by sending, where they have asked for that. */
export async function followByReacting(
  destination: Destination,
  user: User,
  { state, committer, clock }: Sending,
): Promise<void> {
  if (destination.kind === 'direct' || !asksFor(state, user.id)) return
  const { channelId, topic } = destination
  const place = { channelId, topic, updatedAt: nowSeconds(clock) }
  await committer.submit({
    kind: 'structure',
    decide: (now) => ({
      events: raise(now, user.id, wantedBy(now, user.id, 'reacts', place), place),
      reply: () => undefined,
    }),
  })
}

interface Place {
  readonly channelId: InChannel['channelId']
  readonly topic: string
  readonly updatedAt: number
}

/** Whether a user has asked for anything to happen by itself. */
function asksFor(state: OrganizationState, userId: UserId): boolean {
  const settings = state.settingsOf(userId)
  const { automaticallyFollowTopicsPolicy: follow } = settings
  return follow !== NEVER || settings.automaticallyUnmuteTopicsInMutedStreamsPolicy !== NEVER
}

function wantedBy(
  state: OrganizationState,
  userId: UserId,
  deed: Deed,
  { channelId }: Place,
): TopicVisibility | undefined {
  const settings = state.settingsOf(userId)
  const isEnough = (policy: number) => policy !== NEVER && DEEDS[deed] >= policy
  if (isEnough(settings.automaticallyFollowTopicsPolicy)) return FOLLOWED
  const isMuted = state.getChannel(channelId).settings.get(userId)?.isMuted === true
  return isMuted && isEnough(settings.automaticallyUnmuteTopicsInMutedStreamsPolicy) ? UNMUTED : undefined
}

/** Makes a topic more to a user than it was, never less; whoever has said of too many topics is left alone. */
function raise(
  state: OrganizationState,
  userId: UserId,
  visibility: TopicVisibility | undefined,
  place: Place,
): NewEvent[] {
  const user = state.getUser(userId)
  if (visibility === undefined || !state.findReadableChannel(user, place.channelId)) return []
  const before = state.topicVisibility(user.id, place.channelId, place.topic)
  const isFull = before === 0 && (state.userTopics.get(userId)?.size ?? 0) >= USER_TOPICS_MAX
  if (before >= visibility || isFull) return []
  return [...decideUserTopic(state, user, { ...place, visibility }, fail).events]
}
