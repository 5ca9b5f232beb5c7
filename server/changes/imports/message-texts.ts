/** The text of an imported message: translated, with links to its files, and in parts if it is too long for one. */

import { uploadUrl } from '../../domain/files/uploads.ts'
import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import type { ForeignFile, ForeignMessage, ForeignSource, Names } from './records.ts'

/** The text in the dialect, in parts of at most the length of a message. */
export function textsOf(source: ForeignSource, message: ForeignMessage, names: Names): string[] {
  const text = source.translate(message, names).trim()
  const files = message.files.map(linkFile).join('\n')
  return splitText([text, files].filter((part) => part !== '').join('\n\n'))
}

function linkFile({ name, url, here }: ForeignFile): string {
  const label =
    name
      .replaceAll(/[[\]\p{C}`*_~<>]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 200) || 'file'
  if (here !== undefined) return `[${label}](${encodeURI(uploadUrl(here)).replaceAll(/[()]/g, encodeSign)})`
  return url === undefined
    ? `${label} (a file that was not imported)`
    : `[${label}](${url.replaceAll(/[()\s]/g, encodeSign)})`
}

const encodeSign = (sign: string) => (sign === '(' ? '%28' : sign === ')' ? '%29' : encodeURIComponent(sign))

/** Parts that end at line breaks or spaces, if there are some near the limit. */
function splitText(text: string): string[] {
  // Most are short, and have no more characters than code units.
  if (text.length <= MESSAGE_LENGTH_MAX) return [text.trim()].filter((part) => part !== '')
  const parts: string[] = []
  let rest = Array.from(text)
  while (rest.length > MESSAGE_LENGTH_MAX) {
    const head = rest.slice(0, MESSAGE_LENGTH_MAX).join('')
    const at = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' ', head.length))
    const part = at > head.length / 2 ? head.slice(0, at) : head
    parts.push(part.trimEnd())
    rest = rest.slice(Array.from(part).length)
  }
  parts.push(rest.join('').trim())
  return parts.filter((part) => part !== '')
}

/** A reply that was also sent to the channel: there it is quoted, with a link to its topic. */
export function quoteReply(text: string, channel: string, topic: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `#**${channel}>${topic}**\n${fence}quote\n${text}\n${fence}`
}
