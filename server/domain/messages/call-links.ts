/** Links of calls in messages, and what such a message shows after its own HTML: who is in the call. */

import type { Message } from '../entities.ts'
import type { ChannelId, UserId } from '../ids.ts'

/** The paths at which users join; the query has the call. */
export const JOIN_ROOM_PATH = '/calls/livekit/join'
export const JOIN_MEETING_PATH = '/calls/bigbluebutton/join'

/** A call at a provider that says who is in it. */
export interface CallAtProvider {
  readonly provider: 'livekit' | 'bigbluebutton'
  /** The name of the room, or the id of the meeting. */
  readonly room: string
  /** The channel whose readers join, or the people who do, ascending; null if everybody with the link does. */
  readonly place: ChannelId | readonly UserId[] | null
}

/** Whether a message of a call is where the people are who may join it: others must not learn who is there. */
export function isInPlace(
  { place }: Pick<CallAtProvider, 'place'>,
  destination: Message['destination'],
): boolean {
  if (place === null) return true
  if (typeof place === 'number') return destination.kind !== 'direct' && destination.channelId === place
  return (
    destination.kind === 'direct' &&
    destination.userIds.length === place.length &&
    destination.userIds.every((id) => place.includes(id))
  )
}

/** Whether a link may be one of a call. Its signature says whether it is, whatever name of this server it has. */
export function isCallLink(url: string): boolean {
  return (
    (url.includes(JOIN_ROOM_PATH) || url.includes(JOIN_MEETING_PATH)) &&
    [JOIN_ROOM_PATH, JOIN_MEETING_PATH].includes(new URL(url).pathname)
  )
}

/** The paragraph about a call, which directly follows the message's own HTML; previews are no paragraphs. */
const OPENING = '\n<p>'
const CLOSING = '</p>'

/**
 * The HTML of a message with another paragraph about its call; its previews stay. The paragraph is an ordinary one, so that
 * every client of the API family shows it.
 *
 * @param paragraph its HTML, `<p>…</p>` without another one in it; empty for none.
 */
export function replaceCallParagraph(rendered: string, ownLength: number, paragraph: string): string {
  const rest = rendered.slice(ownLength + callParagraphIn(rendered, ownLength).length)
  return rendered.slice(0, ownLength) + (paragraph === '' ? '' : `\n${paragraph}`) + rest
}

/** The paragraph about a call with the line feed before it; empty if there is none. */
export function callParagraphIn(rendered: string, ownLength: number): string {
  if (!rendered.startsWith(OPENING, ownLength)) return ''
  return rendered.slice(ownLength, rendered.indexOf(CLOSING, ownLength) + CLOSING.length)
}
