/** The lists that administrators and owners keep: linkifiers, playgrounds for code, and domains of addresses. */

import type { EmailDomainId, LinkifierId, PlaygroundId } from './ids.ts'

/** What makes links of parts of messages and topics. */
export interface Linkifier {
  readonly id: LinkifierId
  /** In the syntax of RE2, with named groups. */
  readonly pattern: string
  /** By RFC 6570, over the groups of the pattern. */
  readonly urlTemplate: string
  /** A text that the pattern matches. */
  readonly exampleInput: string | null
  /** What a link is made into again: text with `{group}` in it. */
  readonly reverseTemplate: string | null
  /** Addresses that are made into text again, too. */
  readonly alternativeUrlTemplates: readonly string[]
}

/** Where code of a language can be tried. */
export interface Playground {
  readonly id: PlaygroundId
  readonly name: string
  readonly language: string
  /** By RFC 6570, over `code` alone. */
  readonly urlTemplate: string
}

/** A domain of which newcomers may have addresses. */
export interface EmailDomain {
  readonly id: EmailDomainId
  /** In lower case. */
  readonly domain: string
  readonly allowsSubdomains: boolean
}

/** A list in its order, with the highest id that an entry ever had. */
export interface NumberedList<Entry extends { readonly id: number }> {
  readonly entries: readonly Entry[]
  readonly lastId: number
}

/** The list once it has these entries instead. */
export function withEntries<Entry extends { readonly id: number }>(
  { lastId }: NumberedList<Entry>,
  entries: readonly Entry[],
): NumberedList<Entry> {
  return { entries, lastId: Math.max(lastId, ...entries.map(({ id }) => id)) }
}
