/** Encodes a page of messages as a reply. */

import { tabulated } from '../domain/messages/derived.ts'
import type { Message } from '../domain/entities.ts'
import { flagNames } from '../domain/messages/message-flags.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { MessageEncoder, type MessageViewOptions } from './message-view.ts'

/** The position of a page among the matching messages. */
export interface PageEnds {
  readonly isOldestFound: boolean
  readonly isNewestFound: boolean
}

/** A message in UTF-8, one character per byte, without its flags and the closing brace. */
export interface EncodedMessage {
  readonly utf8: string
  /** The sum of the flags. */
  readonly flags: number
}

const START = '{"result":"success","msg":"","messages":['

/** The end of an encoded message: its flags, given by their sum, and the closing brace. */
export const encodeEnd = tabulated((flags) => `,"flags":${JSON.stringify(flagNames(flags))}}`)

/** A page of messages that are encoded in UTF-8 already. */
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
  // In memory of its own: a page may live long, and would keep a slab of the pool alive.
  const bytes = Buffer.allocUnsafeSlow(page.length)
  bytes.write(page, 'latin1')
  return bytes
}

/** The parts of a page that depend on its reader. */
export interface PageView {
  readonly options: MessageViewOptions
  readonly flagsOf: (message: Message) => number
  /** The matches in a message, as fields that each follow a comma. */
  readonly encodeMatch?: ((message: Message) => string) | undefined
}

/** A page around an anchor, or some messages if there is no anchor. */
export function encodePage(
  messages: readonly Message[],
  state: OrganizationState,
  view: PageView,
  around?: PageEnds & { readonly anchor: number },
): Buffer {
  const isAnchorFound = messages.some(({ id }) => id === around?.anchor)
  const rest = around ? encodeRest(around.anchor, isAnchorFound, around) : ']}'
  return Buffer.from(encodeMessages(messages, state, view) + rest)
}

/** Messages that are sorted by how well they fit a search. */
export function encodeFitting(
  found: {
    readonly messages: readonly Message[]
    readonly rankedCount: number
    readonly isAllFound: boolean
  },
  state: OrganizationState,
  view: PageView,
): Buffer {
  const { messages, rankedCount, isAllFound } = found
  const rest = `],"ranked_count":${rankedCount},"found_all":${isAllFound}}`
  return Buffer.from(encodeMessages(messages, state, view) + rest)
}

function encodeMessages(
  messages: readonly Message[],
  state: OrganizationState,
  { options, flagsOf, encodeMatch }: PageView,
): string {
  const encoder = new MessageEncoder(state, options)
  let page = START
  for (const [index, message] of messages.entries()) {
    if (index > 0) page += ','
    page += encoder.encode(message)
    if (encodeMatch) page += encodeMatch(message)
    page += encodeEnd(flagsOf(message))
  }
  return page
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
