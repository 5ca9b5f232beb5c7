/** Lists of administrators and owners: linkifiers, code playgrounds, groups of default channels, and email domains. */

import type { ChannelGroupId, ChannelId, EmailDomainId, LinkifierId, PlaygroundId } from '../ids.ts'

/** A rule that turns parts of messages and topics into links. */
export interface Linkifier {
  readonly id: LinkifierId
  /** RE2 syntax, with named groups. */
  readonly pattern: string
  /** RFC 6570, with the groups of the pattern as variables. */
  readonly urlTemplate: string
  /** A text that the pattern matches. */
  readonly exampleInput: string | null
  /** Turns a pasted link back into text: text with `{group}` in it. */
  readonly reverseTemplate: string | null
  /** Other templates of links that are turned back into text. */
  readonly alternativeUrlTemplates: readonly string[]
}

/** A site to run code of one language. */
export interface Playground {
  readonly id: PlaygroundId
  readonly name: string
  readonly language: string
  /** RFC 6570, with `code` as the only variable. */
  readonly urlTemplate: string
}

/** Public channels for new users of one interest. */
export interface ChannelGroup {
  readonly id: ChannelGroupId
  readonly name: string
  readonly description: string
  /** Ascending. */
  readonly channelIds: readonly ChannelId[]
}

/** A domain of email addresses that new users may have. */
export interface EmailDomain {
  readonly id: EmailDomainId
  /** In lower case. */
  readonly domain: string
  readonly allowsSubdomains: boolean
}

/** An ordered list, with the highest id that any entry ever had. */
export interface NumberedList<Entry extends { readonly id: number }> {
  readonly entries: readonly Entry[]
  readonly lastId: number
}

/** The list with other entries. */
export function withEntries<Entry extends { readonly id: number }>(
  { lastId }: NumberedList<Entry>,
  entries: readonly Entry[],
): NumberedList<Entry> {
  return { entries, lastId: Math.max(lastId, ...entries.map(({ id }) => id)) }
}
