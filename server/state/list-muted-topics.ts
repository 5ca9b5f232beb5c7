/** Muted topics for clients older than visibility policies. */

import { TOPIC_VISIBILITIES } from '../../packages/rules/topics.ts'
import type { User } from '../domain/entities.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'
import type { OrganizationState } from './organization-state.ts'

/** Listed topics: each mute sends the whole list again. Older clients get only the latest ones. */
const MUTED_TOPICS_LISTED_MAX = 500

/** A channel's name, a topic, and the time of the mute. */
export type MutedTopic = readonly [channelName: string, topic: string, updatedAt: number]

/**
 * A user's muted topics, the latest last; omits channels that the user may no longer see, since their names may be new.
 */
export function listMutedTopics(user: User, state: OrganizationState): MutedTopic[] {
  const muted: MutedTopic[] = []
  for (const { channelId, topic, visibility, updatedAt } of state.userTopics.get(user.id)?.values() ?? []) {
    const channel =
      visibility === TOPIC_VISIBILITIES.muted ? state.findVisibleChannel(user, channelId) : undefined
    if (channel) muted.push([channel.channel.name, topicDisplayName(topic), updatedAt])
  }
  return muted.slice(-MUTED_TOPICS_LISTED_MAX)
}
