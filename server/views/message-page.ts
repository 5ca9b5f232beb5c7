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

/** A message in UTF-8, without its flags and the closing brace. */
export interface EncodedMessage {
  readonly encoded: Buffer
  /** Their sum. */
  readonly flags: number
}

const START = '{"result":"success","msg":"","messages":['
const START_BYTES = Buffer.from(START)
/** What follows an encoded message: its flags, and the closing brace. */
export function encodeEnd(flags: number): string {
  return endOf(flags).text
}

/** A page of what is encoded already, as bytes: as text a hundred messages would be encoded in UTF-8 again. */
export function joinPage(
  messages: readonly EncodedMessage[],
  anchor: number,
  isAnchorFound: boolean,
  ends: PageEnds,
): Buffer {
  const pieces: Buffer[] = [START_BYTES]
  for (const [index, { encoded, flags }] of messages.entries()) {
    const { last, other } = endOf(flags)
    pieces.push(encoded, index === messages.length - 1 ? last : other)
  }
  pieces.push(Buffer.from(encodeRest(anchor, isAnchorFound, ends)))
  return Buffer.concat(pieces)
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

/** The text that follows a message, with and without a comma, by the sum of its flags. */
const endOf = tabulated((flags) => {
  const text = `,"flags":${JSON.stringify(flagNames(flags))}}`
  return { text, last: Buffer.from(text), other: Buffer.from(`${text},`) }
})
