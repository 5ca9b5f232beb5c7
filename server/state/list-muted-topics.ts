/** Muted topics in the form of clients older than visibility policies. */

import type { User } from '../domain/entities.ts'
import { topicDisplayName } from '../domain/topics.ts'
import type { OrganizationState } from './organization-state.ts'

/** Topics listed: each mute tells the whole list again. Past it, older clients know of those muted last. */
const MUTED_TOPICS_LISTED_MAX = 500

/** A channel's name, a topic, and when it was muted. */
export type MutedTopic = readonly [channelName: string, topic: string, updatedAt: number]

/** What a user has muted, the last muted last; without channels that the user may no longer see, whose name may be new. */
export function listMutedTopics(user: User, state: OrganizationState): MutedTopic[] {
  const muted: MutedTopic[] = []
  for (const { channelId, topic, visibility, updatedAt } of state.userTopics.get(user.id)?.values() ?? []) {
    const channel = visibility === 1 ? state.findVisibleChannel(user, channelId) : undefined
    if (channel) muted.push([channel.channel.name, topicDisplayName(topic), updatedAt])
  }
  return muted.slice(-MUTED_TOPICS_LISTED_MAX)
}
