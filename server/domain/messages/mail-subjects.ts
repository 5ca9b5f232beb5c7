/** Topics from the subjects of mails. */

import { TOPIC_LENGTH_MAX } from '../limits.ts'
import { parseTopic } from './topics.ts'

const WITHOUT_SUBJECT = 'Email without subject'
/** The words that mail programs put before the subject of an answer or a forwarded mail, in common languages. */
const PREFIXES =
  /^((re|aw|sv|vs|antw|r|res|odp|ynt|fwd?|wg|tr|rv|enc|回复|答复|转发|返信)(\[\d{1,3}\])?\s*[:：]\s*)+/i

/** A subject as the name of a topic. */
export function topicOfSubject(subject: string): string {
  const plain = subject
    .toWellFormed()
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(PREFIXES, '')
    .trim()
  const letters = Array.from(plain)
  const short =
    letters.length > TOPIC_LENGTH_MAX ? `${letters.slice(0, TOPIC_LENGTH_MAX - 1).join('')}…` : plain
  return parseTopic(short) === '' ? WITHOUT_SUBJECT : short
}
