/** Muted topics in the form of clients older than visibility policies. */

import type { User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'

/** A channel's name, a topic, and when it was muted. */
export type MutedTopic = readonly [channelName: string, topic: string, updatedAt: number]

/** All topics that a user has muted. */
export function listMutedTopics(user: User, state: OrganizationState): MutedTopic[] {
  return [...(state.userTopics.get(user.id)?.values() ?? [])]
    .filter(({ visibility }) => visibility === 1)
    .map(({ channelId, topic, updatedAt }) => [state.getChannel(channelId).channel.name, topic, updatedAt])
}
