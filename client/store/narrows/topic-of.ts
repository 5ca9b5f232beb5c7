/** Narrows that are one topic. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { Topic } from '../derived/topic.ts'
import type { Narrow } from './narrow.ts'

/** The topic that is all of a narrow. */
export function topicOf(narrow: Narrow): Topic | undefined {
  const [channel, topic] = narrow
  if (narrow.length !== 2 || narrow.some(({ isNegated }) => isNegated)) return undefined
  if (channel?.operator !== 'channel' || topic?.operator !== 'topic') return undefined
  return typeof channel.operand === 'number'
    ? { channelId: channel.operand, topic: topic.operand }
    : undefined
}

export function isSameTopic(one: Topic, other: Topic): boolean {
  return one.channelId === other.channelId && topicKey(one.topic) === topicKey(other.topic)
}
