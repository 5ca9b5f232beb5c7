/** Topics, and their names as people see them. */

import { topicDisplayName, unresolvedName } from '../../../packages/rules/topics.ts'

/** A topic of a channel. */
export interface Topic {
  readonly channelId: number
  readonly topic: string
}

/** The name of a topic, without the mark of resolved ones. */
export function topicName(topic: string): string {
  return topicDisplayName(unresolvedName(topic))
}
