/** Syntax of mentions and channel links, shared by rendering and candidate search. */

import { parseTopic } from '../../../server/domain/messages/topics.ts'

/**
 * A mention or channel link comes first in a text, or after a space or one of these: `a@**b**` is none. Takes the
 * character code before it, or NaN at the start.
 */
function mayPrecedeMention(code: number): boolean {
  return Number.isNaN(code) || isSpaceCode(code) || PRECEDING.has(code)
}
const PRECEDING = new Set(Array.from(`'"({[/<`, (character) => character.charCodeAt(0)))

function isSpaceCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || (code >= 0x2000 && code <= 0x200a)
}

// Each stops at the next star, so that many openers cost no more than one.
const MENTION = /@(_?)(?:\*\*([^*\n]{1,300})\*\*|\*([^*\n]{1,300})\*)/y
const CHANNEL_LINK = /#\*\*([^*\n]{1,300})\*\*/y

/** `@**name**`, `@_**name**`, `@*group*` or `@_*group*`. */
export interface WrittenMention {
  readonly kind: 'user' | 'group'
  readonly name: string
  readonly isSilent: boolean
  /** The position after the mention. */
  readonly end: number
}

/** The mention that starts here, or undefined. */
export function readMention(text: string, start: number): WrittenMention | undefined {
  if (!mayPrecedeMention(text.charCodeAt(start - 1))) return undefined
  MENTION.lastIndex = start
  const match = MENTION.exec(text)
  if (!match) return undefined
  const [, silent, user, group] = match
  const isSilent = silent === '_'
  const end = MENTION.lastIndex
  return user === undefined
    ? { kind: 'group', name: group as string, isSilent, end }
    : { kind: 'user', name: user, isSilent, end }
}

/**
 * `name`, `name|id` or `|id`, the text between the stars of a user mention; a name with that whole text has priority.
 */
export function splitUserName(written: string): { name: string; id: number } | undefined {
  const bar = written.lastIndexOf('|')
  const digits = written.slice(bar + 1)
  return bar >= 0 && /^\d{1,15}$/.test(digits)
    ? { name: written.slice(0, bar), id: Number(digits) }
    : undefined
}

/** `#**channel**`, `#**channel>topic**` or `#**channel>topic@message**`. */
export interface WrittenChannelLink {
  readonly channel: string
  /** Undefined for the channel itself. */
  readonly topic: string | undefined
  readonly messageId: number | undefined
}

/** The arrows that a channel's name may have in a link: each makes one more name to look for. */
const ARROWS_IN_NAME_MAX = 4

/**
 * The channel link that starts here, or undefined. Names of channels may have a `>`, so there may be several readings;
 * the first one whose channel exists counts: the shortest name with a topic, and then the whole text as a name.
 */
export function readChannelLink(
  text: string,
  start: number,
): { readonly readings: readonly WrittenChannelLink[]; readonly end: number } | undefined {
  if (!mayPrecedeMention(text.charCodeAt(start - 1))) return undefined
  CHANNEL_LINK.lastIndex = start
  const written = CHANNEL_LINK.exec(text)?.[1]
  if (written === undefined) return undefined
  const end = CHANNEL_LINK.lastIndex
  const readings: WrittenChannelLink[] = []
  let arrow = written.indexOf('>')
  while (arrow >= 0 && readings.length <= ARROWS_IN_NAME_MAX) {
    readings.push(readTopicLink(written.slice(0, arrow), written.slice(arrow + 1)))
    arrow = written.indexOf('>', arrow + 1)
  }
  if (arrow < 0) readings.push({ channel: written, topic: undefined, messageId: undefined })
  return { readings, end }
}

function readTopicLink(channel: string, rest: string): WrittenChannelLink {
  const at = rest.lastIndexOf('@')
  const digits = rest.slice(at + 1)
  if (at < 0 || !/^\d{1,15}$/.test(digits)) return { channel, topic: parseTopic(rest), messageId: undefined }
  return { channel, topic: parseTopic(rest.slice(0, at)), messageId: Number(digits) }
}
