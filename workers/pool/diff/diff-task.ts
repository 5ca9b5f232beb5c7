/** The pool's task: compares pairs of versions, as handing over costs more than most comparisons do. */

import { diffHtml } from './diff-html.ts'

/** Two versions of a message that follow each other, as HTML. */
export interface VersionPair {
  readonly previous: string
  readonly now: string
}

/** What changed in each pair, in order. */
export default function diffBatch(pairs: readonly VersionPair[]): string[] {
  return pairs.map(({ previous, now }) => diffHtml(previous, now))
}
