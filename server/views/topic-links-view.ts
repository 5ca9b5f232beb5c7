/** The links that linkifiers make in topics, cached per topic until the linkifiers change. */

import { LRUCache } from 'lru-cache'
import { findLinkifierMatches } from '../../workers/pool/markdown/find-linkifier-matches.ts'
import { derived } from '../domain/messages/derived.ts'
import type { Linkifier } from '../domain/organization/organization-lists.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** A link with its text. */
export const TOPIC_LINK = record({ text: STRING, url: STRING })
type TopicLink = ValueOf<typeof TOPIC_LINK>

/** Bytes of cached topics: some 20,000 topics if few have a link, some thousand if all do. */
export const TOPIC_LINKS_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of a topic besides its texts. */
const TOPIC_BYTES = 150
/** Links of one linkifier in a topic: few topics have two, and each costs a scan of the rest in the web process. */
const LINKS_MAX = 10
/** JSON by topic, for the current linkifiers. */
const linksOf = derived<readonly Linkifier[], LRUCache<string, string>>(
  () =>
    new LRUCache({
      maxSize: TOPIC_LINKS_BYTES_MAX,
      sizeCalculation: (encoded, topic) => TOPIC_BYTES + topic.length + encoded.length,
    }),
)

/** Bytes of the cached topics. */
export function topicLinksBytes({ linkifiers: { entries } }: OrganizationState): number {
  return entries.length === 0 ? 0 : linksOf(entries).calculatedSize
}

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

/** The same as a value, for views that are encoded as a whole. */
export function viewTopicLinks(topic: string, state: OrganizationState): readonly TopicLink[] {
  return JSON.parse(encodeTopicLinks(topic, state)) as TopicLink[]
}
