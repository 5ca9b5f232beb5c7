/** Collects changes of the search index before they are written: which messages gain and lose which terms. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import { listTerms, placeTerm } from './search-terms.ts'

/** The indexed part of a message. */
export interface IndexedMessage {
  readonly id: number
  /** Topic and content. */
  readonly text: string
  readonly channelId: number | null
  readonly conversationId: number | null
  readonly senderId: number
}

/** The ids of messages that gain a term, and of those that lose it: a batch has many terms, of which few lose any. */
export interface TermChange {
  readonly added: number[]
  removed?: Set<number>
}

/** A batch of changes. Add all removals before all additions. */
export class SearchDraft {
  /** By word. */
  readonly words = new Map<string, TermChange>()
  /** By the number of a term other than a word. */
  readonly terms = new Map<number, TermChange>()

  /** Adds a message as it is now, once. */
  add(message: IndexedMessage): void {
    for (const change of this.#changesOf(message)) {
      change.removed?.delete(message.id)
      change.added.push(message.id)
    }
  }

  /** Removes a message as it was before. */
  remove(message: IndexedMessage): void {
    for (const change of this.#changesOf(message)) {
      change.removed ??= new Set()
      change.removed.add(message.id)
    }
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
  const existing = changes.get(key)
  if (existing) return existing
  const change: TermChange = { added: [] }
  changes.set(key, change)
  return change
}
