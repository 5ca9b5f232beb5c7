/** Texts that users keep, to write them again. */

import type { EventId, SnippetId } from './ids.ts'

/** A snippet but for its id, which is the number of the event that makes it. */
export interface SnippetContent {
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly createdAt: number
}

/** A snippet as stored. */
export interface Snippet extends SnippetContent {
  readonly id: SnippetId
  /** The event that changed it last. */
  readonly changedId: EventId
}
