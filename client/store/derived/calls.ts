/** Unread messages that concern the user: mentions, all of followed topics, and direct ones. Muted places have none. */

import { derive } from './derive.ts'
import { type UnreadTopic, unreadOf } from './unread.ts'

export interface Calls {
  /** Counts of the topics and channels that have some. */
  readonly topics: ReadonlyMap<UnreadTopic, number>
  readonly channels: ReadonlyMap<number, number>
  readonly total: number
}

export const callsOf = derive(
  (state) => [unreadOf(state), state.unread_msgs?.mentions] as const,
  ([unread, mentions = []]): Calls => {
    const mentioned = new Set(mentions)
    const topics = new Map<UnreadTopic, number>()
    const channels = new Map<number, number>()
    let total = 0
    for (const [channelId, channel] of unread.channels)
      for (const topic of channel.topics) {
        const count = countCalls(topic, mentioned)
        if (count === 0) continue
        topics.set(topic, count)
        channels.set(channelId, (channels.get(channelId) ?? 0) + count)
        total += count
      }
    for (const count of unread.direct.values()) total += count
    return { topics, channels, total }
  },
)

function countCalls(topic: UnreadTopic, mentioned: ReadonlySet<number>): number {
  if (topic.isMuted) return 0
  if (topic.isFollowed) return topic.messageIds.length
  return topic.hasMention ? topic.messageIds.filter((id) => mentioned.has(id)).length : 0
}
