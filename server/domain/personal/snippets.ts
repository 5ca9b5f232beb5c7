/** Saved snippets: texts that users store for reuse. */

import type { EventId, SnippetId } from '../ids.ts'

/** A snippet without its id, which is the number of the event that creates it. */
export interface SnippetContent {
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly createdAt: number
}

/** A snippet as stored. */
export interface Snippet extends SnippetContent {
  readonly id: SnippetId
  /** The last event that changed it. */
  readonly changedId: EventId
}
