/** The pool's task: compares pairs of versions, as handing over costs more than most comparisons do. */

import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { diffHtml } from './diff-html.ts'

/** Two versions of a message that follow each other, as HTML. */
export interface VersionPair {
  readonly previous: string
  readonly now: string
}

// Of this thread alone, as Linux has it: a history may take a while, and what others ask for comes first.
if (!isMainThread && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const encoder = new TextEncoder()

/** What changed in each pair, in order: each a string of JSON in UTF-8, so that the thread that answers need not encode it. */
export default function diffBatch(pairs: readonly VersionPair[]): Uint8Array[] {
  return pairs.map(({ previous, now }) => encodeDiff(diffHtml(previous, now)))
}

/** The HTML of a difference as JSON. */
export function encodeDiff(html: string): Uint8Array {
  return encoder.encode(JSON.stringify(html))
}
