/** Topics, and their names as people see them. */

/** A topic of a channel. */
export interface Topic {
  readonly channelId: number
  readonly topic: string
}

/** The name of the topic without a name. */
const NAMELESS_TOPIC = 'general chat'

/** Stands before the names of resolved topics. */
export const RESOLVED = '✔ '

/** The name of a topic, without the mark of resolved ones. */
export function topicName(topic: string): string {
  const name = topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : topic
  return name === '' ? NAMELESS_TOPIC : name
}

export const isResolved = (topic: string) => topic.startsWith(RESOLVED)
