/** What users have said of a topic goes with it when all of it is moved. */

import { nowSeconds } from '../../domain/clock.ts'
import type { UserTopic } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { topicKey } from '../../domain/topics.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { listMutedTopics } from '../../views/muted-topics-view.ts'
import type { Sending } from '../sending.ts'

/** Users in one transaction, which holds the log meanwhile. */
const USERS_PER_COMMIT_MAX = 100

/** One topic of a channel. */
export interface TopicPlace {
  readonly channelId: ChannelId
  readonly topic: string
}

/**
 * Moves what users have said, after the move of the messages was committed: many may have said something. Who has
 * said something of the new topic keeps that; who may not read its channel is left with nothing, and who may not read
 * the old one is told of nothing.
 */
export async function moveUserTopics(
  { state, committer, clock }: Pick<Sending, 'state' | 'committer' | 'clock'>,
  from: TopicPlace,
  to: TopicPlace,
): Promise<void> {
  if (isSame(from, to)) return
  const concerned = [...state.userTopics].flatMap(([userId, said]) =>
    [...said.values()].some((one) => isSame(one, from)) ? [userId] : [],
  )
  for (let start = 0; start < concerned.length; start += USERS_PER_COMMIT_MAX) {
    const userIds = concerned.slice(start, start + USERS_PER_COMMIT_MAX)
    const updatedAt = nowSeconds(clock)
    await committer.submit({
      kind: 'structure',
      decide: (now) => ({
        events: userIds.flatMap((userId) => moveFor(userId, from, to, updatedAt, now)),
        reply: () => undefined,
      }),
    })
  }
}

function moveFor(
  userId: UserId,
  from: TopicPlace,
  to: TopicPlace,
  updatedAt: number,
  state: OrganizationState,
): NewEvent[] {
  const user = state.getUser(userId)
  const said = [...(state.userTopics.get(userId)?.values() ?? [])]
  const before = said.find((one) => isSame(one, from))
  if (!before || !state.findReadableChannel(user, from.channelId)) return []
  const isKept = said.some((one) => isSame(one, to)) || !state.findReadableChannel(user, to.channelId)
  const moved: UserTopic[] = isKept ? [] : [{ ...to, visibility: before.visibility, updatedAt }]
  const gone: UserTopic = { ...before, visibility: 0, updatedAt }
  const audience = { kind: 'users', users: UserSet.of([userId]) } as const
  const events = [gone, ...moved].map(
    (userTopic): NewEvent => ({ event: { type: 'user_topic', userId, userTopic }, audience }),
  )
  if (before.visibility === 1) {
    const after = [...said.filter((one) => one !== before), ...moved]
    const mutedTopics = listMutedTopics(user, state, after)
    events.push({ event: { type: 'muted_topics', mutedTopics }, audience })
  }
  return events
}

function isSame(one: TopicPlace, other: TopicPlace): boolean {
  return one.channelId === other.channelId && topicKey(one.topic) === topicKey(other.topic)
}
