/** The choice of a weekly digest: the hottest topics. */

import type { ChannelId } from '../ids.ts'

/** Topics in a digest. */
const TOPICS_MAX = 4
/** How many of them have the most people; the others have the most messages. */
const BY_PEOPLE_MAX = 2

/** A topic of the last week. */
export interface DigestTopic {
  readonly channelId: ChannelId
  readonly topic: string
  readonly messages: number
  readonly people: number
}

/** The content of a digest; its reader's rights are checked again when it is sent. */
export interface DigestDetails {
  readonly topics: readonly DigestTopic[]
  readonly newChannelIds: readonly ChannelId[]
}

/** The hottest topics: two with the most people, then those with the most messages. */
export function hottestTopics(topics: readonly DigestTopic[]): DigestTopic[] {
  const byPeople = topics.toSorted((a, b) => b.people - a.people || b.messages - a.messages)
  const first = byPeople.slice(0, BY_PEOPLE_MAX)
  const rest = byPeople.slice(BY_PEOPLE_MAX).sort((a, b) => b.messages - a.messages || b.people - a.people)
  return [...first, ...rest.slice(0, TOPICS_MAX - first.length)]
}
