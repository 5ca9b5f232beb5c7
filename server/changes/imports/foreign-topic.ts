/** The names of topics of products that have topics as this server. */

import { TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import { parseTopic } from '../../domain/messages/topics.ts'

/** A name of another server as one of this server: in one line, and cut. */
export function parseForeignTopic(topic: string): string {
  const clean = topic.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ' ').trim()
  return parseTopic(Array.from(clean).slice(0, TOPIC_LENGTH_MAX).join('').trim())
}
