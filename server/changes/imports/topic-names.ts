/** The names of imported topics: those of the other product, or the first words of threads. */

import { TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import { parseTopic } from '../../domain/messages/topics.ts'
import { unresolvedName } from '../../../packages/rules/topics.ts'

/** Code points of a name before what tells it from others, such as ` (2024-05-31 17:04:59)`. */
const WORDS_LENGTH_MAX = TOPIC_LENGTH_MAX - 24

/** A topic of another product as one of this server: in one line, and cut. */
export function parseForeignTopic(topic: string): string {
  const clean = topic.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ' ').trim()
  return parseTopic(Array.from(clean).slice(0, TOPIC_LENGTH_MAX).join('').trim())
}

/** The names that a thread may get, the best first; no other thread has the last one. */
export function topicNames(text: string, key: string, sentAt: number): readonly string[] {
  const words = firstWords(text, TOPIC_LENGTH_MAX) || 'Thread'
  const short = firstWords(text, WORDS_LENGTH_MAX) || 'Thread'
  const time = new Date(sentAt * 1000).toISOString().replace('T', ' ')
  return [
    words,
    `${short} (${time.slice(0, 10)})`,
    `${short} (${time.slice(0, 19)})`,
    `${firstWords(text, 20)} (${Array.from(key).slice(0, 35).join('')})`.trim(),
  ]
}

/** The first words of a text without its marks, at most that many code points. */
function firstWords(text: string, lengthMax: number): string {
  const plain = text
    .slice(0, 2_000)
    .replaceAll(/```\w*/g, ' ')
    .replaceAll(/@_?\*\*([^*|\n]+)(?:\|\d+)?\*\*/g, '@$1')
    .replaceAll(/#\*\*([^*\n]+)\*\*/g, '#$1')
    .replaceAll(/\[([^\]\n]+)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/https?:\/\/(?:www\.)?/g, '')
    .replaceAll(/^\s*(?:>|[-*]\s|#+\s|\/me\s)\s*/gm, '')
    .replaceAll(/\*\*|~~|`|(?<!\w)[*_]|[*_](?!\w)/g, '')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
  const name = parseTopic(unresolvedName(cut(plain, lengthMax)))
  return name
}

/** Cut between words if there are several. */
function cut(text: string, lengthMax: number): string {
  const characters = Array.from(text)
  if (characters.length <= lengthMax) return text
  const part = characters.slice(0, lengthMax - 1).join('')
  const space = part.lastIndexOf(' ')
  return `${(space > part.length / 2 ? part.slice(0, space) : part).trimEnd()}…`
}
