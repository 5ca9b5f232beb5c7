/** What linkifiers make of a topic: found once for each topic as long as the linkifiers stay as they are. */

import { findLinkifierMatches } from '../../workers/pool/markdown/find-linkifier-matches.ts'
import type { Linkifier } from '../domain/organization-lists.ts'
import type { OrganizationState } from '../state/organization-state.ts'

/** A link under its text. */
interface TopicLink {
  readonly text: string
  readonly url: string
}

/** Topics kept for one list: half a megabyte where few hold a link, some megabytes where all do. */
const TOPICS_KEPT_MAX = 5_000
/** Links of one linkifier in a topic: few have two, and each costs another look at the rest, in the web process. */
const LINKS_MAX = 10
/** JSON by topic. */
const known = new WeakMap<readonly Linkifier[], Map<string, string>>()

/** The links of a topic as JSON text. */
export function encodeTopicLinks(topic: string, { linkifiers: { entries } }: OrganizationState): string {
  if (entries.length === 0) return '[]'
  let topics = known.get(entries)
  if (!topics) known.set(entries, (topics = new Map()))
  const found = topics.get(topic)
  if (found !== undefined) return found
  const links = findLinkifierMatches(topic, entries, { matchesMax: LINKS_MAX }).map(
    ({ start, end, url }): TopicLink => {
      return { text: topic.slice(start, end), url }
    },
  )
  const encoded = JSON.stringify(links)
  if (topics.size >= TOPICS_KEPT_MAX) topics.clear()
  topics.set(topic, encoded)
  return encoded
}

/** The same for what is encoded as a whole. */
export function viewTopicLinks(topic: string, state: OrganizationState): readonly TopicLink[] {
  return JSON.parse(encodeTopicLinks(topic, state)) as TopicLink[]
}
