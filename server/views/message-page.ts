/** A page of messages as the reply that tells it. */

import { tabulated } from '../domain/derived.ts'
import type { Message } from '../domain/entities.ts'
import { flagNames } from '../domain/message-flags.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { MessageEncoder, type MessageViewOptions } from './message-view.ts'

/** What is known of the messages around a page. */
export interface PageEnds {
  readonly isOldestFound: boolean
  readonly isNewestFound: boolean
}

/** A message in UTF-8, one character for each byte, without its flags and the closing brace. */
export interface EncodedMessage {
  readonly utf8: string
  /** Their sum. */
  readonly flags: number
}

const START = '{"result":"success","msg":"","messages":['

/** What follows an encoded message: its flags by their sum, and the closing brace. */
export const encodeEnd = tabulated((flags) => `,"flags":${JSON.stringify(flagNames(flags))}}`)

/** A page of what is encoded in UTF-8 already. */
export function joinPage(
  messages: readonly EncodedMessage[],
  anchor: number,
  isAnchorFound: boolean,
  ends: PageEnds,
): Buffer {
  let page = START
  for (const [index, { utf8, flags }] of messages.entries()) {
    if (index > 0) page += ','
    page += utf8
    page += encodeEnd(flags)
  }
  page += encodeRest(anchor, isAnchorFound, ends)
  // Memory of its own, as the page may be held: from the pool it would keep what is short-lived alive.
  const bytes = Buffer.allocUnsafeSlow(page.length)
  bytes.write(page, 'latin1')
  return bytes
}

/** What of a page depends on who reads it. */
export interface PageView {
  readonly options: MessageViewOptions
  readonly flagsOf: (message: Message) => number
  /** What was found in a message, as fields each after a comma. */
  readonly encodeMatch?: ((message: Message) => string) | undefined
}

/** A page around an anchor; or some messages, where there is none. */
export function encodePage(
  messages: readonly Message[],
  state: OrganizationState,
  { options, flagsOf, encodeMatch }: PageView,
  around?: PageEnds & { readonly anchor: number },
): Buffer {
  const encoder = new MessageEncoder(state, options)
  let page = START
  for (const [index, message] of messages.entries()) {
    if (index > 0) page += ','
    page += encoder.encode(message)
    if (encodeMatch) page += encodeMatch(message)
    page += encodeEnd(flagsOf(message))
  }
  const isAnchorFound = messages.some(({ id }) => id === around?.anchor)
  return Buffer.from(page + (around ? encodeRest(around.anchor, isAnchorFound, around) : ']}'))
}

function encodeRest(
  anchor: number,
  isAnchorFound: boolean,
  { isOldestFound, isNewestFound }: PageEnds,
): string {
  return (
    `],"anchor":${anchor},"found_anchor":${isAnchorFound},"found_oldest":${isOldestFound},` +
    `"found_newest":${isNewestFound},"history_limited":false}`
  )
}
