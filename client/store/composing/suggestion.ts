/** A completion that is offered. */

import type { Emoji } from '../emoji/emoji.ts'

export interface Suggestion {
  /** Unique in its list. */
  readonly key: string
  readonly label: string
  /** A second, quieter text. */
  readonly detail: string
  /** The text that takes the place of the typed one. */
  readonly insert: string
  readonly mark:
    | { readonly kind: 'user'; readonly userId: number; readonly picture: string | null }
    | { readonly kind: 'group' }
    | { readonly kind: 'wildcard' }
    | { readonly kind: 'channel'; readonly channelId: number }
    | { readonly kind: 'topic' }
    | { readonly kind: 'emoji'; readonly emoji: Emoji }
    | { readonly kind: 'command' }
}

/** A longer list is no help. */
export const SUGGESTIONS_MAX = 8

/** The best first; equally good ones stay in their order. */
export function best<One>(all: readonly One[], rankOf: (one: One) => number | undefined): readonly One[] {
  return all
    .map((one) => ({ one, rank: rankOf(one) }))
    .filter((ranked): ranked is { one: One; rank: number } => ranked.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ one }) => one)
}
