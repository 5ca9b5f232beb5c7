/** The pool's task: compares batches of versions, since a hand-over costs more than most comparisons. */

import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { diffHtml } from './diff-html.ts'

/** Two consecutive versions of a message, as HTML. */
export interface VersionPair {
  readonly previous: string
  readonly now: string
}

// Linux applies the priority to this thread alone: a history may take a while, and other requests go first.
if (!isMainThread && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const encoder = new TextEncoder()

/** The difference of each pair, in order: JSON strings in UTF-8, so that the answering thread need not encode them. */
export default function diffBatch(pairs: readonly VersionPair[]): Uint8Array[] {
  return pairs.map(({ previous, now }) => encodeDiff(diffHtml(previous, now)))
}

/** The HTML of a difference as JSON. */
export function encodeDiff(html: string): Uint8Array {
  return encoder.encode(JSON.stringify(html))
}
