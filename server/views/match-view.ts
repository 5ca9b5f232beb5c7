/** The matches of a search in a message, highlighted for clients. */

import { escapeHtml, unescapeHtml } from '../domain/text/escape-html.ts'
import type { Message } from '../domain/entities.ts'
import { findMatches } from '../domain/search/find-matches.ts'
import type { SearchWord } from '../domain/search/search-query.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'
import { mapOf, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** The fields of a match, both HTML. */
const MATCH = record({ match_content: STRING, match_subject: STRING })
export type MatchView = ValueOf<typeof MATCH>

/** Schema of `describeMatch`, by message. */
export const MATCHES = mapOf(MATCH)

/** A message's content and topic with the matching words highlighted. */
export function describeMatch(
  { rendered, destination }: Message,
  words: readonly SearchWord[],
  allowEmptyTopic: boolean,
): MatchView {
  const stored = destination.kind === 'channel' ? destination.topic : ''
  const topic = destination.kind === 'direct' || allowEmptyTopic ? stored : topicDisplayName(stored)
  return { match_content: markHtml(rendered, words), match_subject: markText(topic, words) }
}

/** The same as JSON, to append to the message object. */
export function encodeMatch(
  message: Message,
  words: readonly SearchWord[],
  allowEmptyTopic: boolean,
): string {
  const match = describeMatch(message, words, allowEmptyTopic)
  return `,"match_content":${JSON.stringify(match.match_content)},"match_subject":${JSON.stringify(match.match_subject)}`
}

/** Highlights words between the tags of rendered HTML, in which every `<` begins a tag and every `>` ends one. */
function markHtml(html: string, words: readonly SearchWord[]): string {
  if (words.length === 0) return html
  return html.replaceAll(/(<[^>]*>)|[^<]+/g, (text: string, tag: string | undefined) => {
    if (tag !== undefined) return tag
    const plain = unescapeHtml(text)
    const matches = findMatches(plain, words)
    // Text without a match keeps its exact bytes.
    return matches.length === 0 ? text : markRanges(plain, matches)
  })
}

function markText(text: string, words: readonly SearchWord[]): string {
  return markRanges(text, findMatches(text, words))
}

function markRanges(text: string, ranges: ReturnType<typeof findMatches>): string {
  let marked = ''
  let end = 0
  for (const [from, until] of ranges) {
    marked += `${escapeHtml(text.slice(end, from))}<span class="highlight">${escapeHtml(text.slice(from, until))}</span>`
    end = until
  }
  return marked + escapeHtml(text.slice(end))
}
