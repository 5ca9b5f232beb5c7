/** What linkifiers make of a topic: found once for each topic as long as the linkifiers stay as they are. */

import { LRUCache } from 'lru-cache'
import { findLinkifierMatches } from '../../workers/pool/markdown/find-linkifier-matches.ts'
import { derived } from '../domain/derived.ts'
import type { Linkifier } from '../domain/organization-lists.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** A link under its text. */
export const TOPIC_LINK = record({ text: STRING, url: STRING })
type TopicLink = ValueOf<typeof TOPIC_LINK>

/** Bytes of the topics that are kept: some 20,000 where few hold a link, some thousand where all do. */
export const TOPIC_LINKS_BYTES_MAX = 4 * 1024 * 1024
/** What a topic takes besides its texts. */
const TOPIC_BYTES = 150
/** Links of one linkifier in a topic: few have two, and each costs another look at the rest, in the web process. */
const LINKS_MAX = 10
/** JSON by topic, for the linkifiers as they are. */
const linksOf = derived<readonly Linkifier[], LRUCache<string, string>>(
  () =>
    new LRUCache({
      maxSize: TOPIC_LINKS_BYTES_MAX,
      sizeCalculation: (encoded, topic) => TOPIC_BYTES + topic.length + encoded.length,
    }),
)

/** The links of a topic as JSON text. */
export function encodeTopicLinks(topic: string, { linkifiers: { entries } }: OrganizationState): string {
  if (entries.length === 0) return '[]'
  const known = linksOf(entries)
  let encoded = known.get(topic)
  if (encoded === undefined) {
    const links = findLinkifierMatches(topic, entries, { matchesMax: LINKS_MAX }).map(
      ({ start, end, url }): TopicLink => ({ text: topic.slice(start, end), url }),
    )
    encoded = JSON.stringify(links)
    known.set(topic, encoded)
  }
  return encoded
}

/** The same for what is encoded as a whole. */
export function viewTopicLinks(topic: string, state: OrganizationState): readonly TopicLink[] {
  return JSON.parse(encodeTopicLinks(topic, state)) as TopicLink[]
}
