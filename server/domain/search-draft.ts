/** Changes for the search index, gathered before they are written: which messages get and lose which terms. */

import { foldCase } from './fold-case.ts'
import { listTerms, placeTerm } from './search-terms.ts'

/** A message as far as the index knows it. */
export interface IndexedMessage {
  readonly id: number
  /** Topic and content. */
  readonly text: string
  readonly channelId: number | null
  readonly conversationId: number | null
  readonly senderId: number
}

/** The ids of messages that get a term, and that lose it. */
export interface TermChange {
  readonly added: Set<number>
  readonly removed: Set<number>
}

/** A batch of changes. Whatever is removed comes before what is added. */
export class SearchDraft {
  /** By word. */
  readonly words = new Map<string, TermChange>()
  /** By the number of any other term. */
  readonly terms = new Map<number, TermChange>()

  /** A message as it is now. */
  add(message: IndexedMessage): void {
    for (const change of this.#changesOf(message)) {
      change.removed.delete(message.id)
      change.added.add(message.id)
    }
  }

  /** A message as it was. */
  remove(message: IndexedMessage): void {
    for (const change of this.#changesOf(message)) change.removed.add(message.id)
  }

  *#changesOf({ text, channelId, conversationId, senderId }: IndexedMessage): Generator<TermChange> {
    const { words, characters } = listTerms(foldCase(text))
    for (const word of words) yield changeOf(this.words, word)
    for (const term of characters) yield changeOf(this.terms, term)
    yield changeOf(this.terms, placeTerm('sender', senderId))
    if (channelId !== null) yield changeOf(this.terms, placeTerm('channel', channelId))
    if (conversationId !== null) yield changeOf(this.terms, placeTerm('conversation', conversationId))
  }
}

function changeOf<Key>(changes: Map<Key, TermChange>, key: Key): TermChange {
  const known = changes.get(key)
  if (known) return known
  const change = { added: new Set<number>(), removed: new Set<number>() }
  changes.set(key, change)
  return change
}
