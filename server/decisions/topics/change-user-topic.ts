/** The decision to treat a topic otherwise than before. */

import type { Decision } from '../decision.ts'
import type { User, UserTopic } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { USER_TOPICS_MAX } from '../../domain/limits.ts'
import { topicKey } from '../../domain/topics.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { listMutedTopics } from '../../views/muted-topics-view.ts'
import type { Fail } from '../../errors/api-error.ts'

/** What comes of saying so; the user alone is told. Saying what was said already changes nothing. */
export function decideUserTopic(
  state: OrganizationState,
  user: User,
  userTopic: UserTopic,
  fail: Fail<'TOO_MANY_USER_TOPICS'>,
): Decision<undefined> {
  const said = topicsOf(state, user)
  const before = findUserTopic(said, userTopic.channelId, userTopic.topic)
  const { visibility } = userTopic
  if (visibility === (before?.visibility ?? 0)) return { events: [], reply: () => undefined }
  if (!before && said.length >= USER_TOPICS_MAX)
    throw fail('TOO_MANY_USER_TOPICS', { countMax: USER_TOPICS_MAX })
  const audience = { kind: 'users', users: UserSet.of([user.id]) } as const
  const events: NewEvent[] = [{ event: { type: 'user_topic', userId: user.id, userTopic }, audience }]
  if (visibility === 1 || before?.visibility === 1) {
    const after = [...said.filter((one) => one !== before), userTopic] // What was changed last stands last.
    const mutedTopics = listMutedTopics(user, state, after)
    events.push({ event: { type: 'muted_topics', mutedTopics }, audience })
  }
  return { events, reply: () => undefined }
}

function topicsOf(state: OrganizationState, user: User): readonly UserTopic[] {
  return [...(state.userTopics.get(user.id)?.values() ?? [])]
}

function findUserTopic(
  said: readonly UserTopic[],
  channelId: ChannelId,
  topic: string,
): UserTopic | undefined {
  const key = topicKey(topic)
  return said.find((one) => one.channelId === channelId && topicKey(one.topic) === key)
}
