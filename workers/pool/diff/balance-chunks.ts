/** Finds the tags of a changed part that have their counterpart in it. */

import type { Chunk } from './read-tokens.ts'

/** A part without its unmatched tags, so that the rest nests. */
export interface Balanced {
  readonly starts: Chunk[]
  readonly chunks: Chunk[]
  readonly ends: Chunk[]
}

/** Removes unmatched tags. The tags of a version nest: an end tag belongs to the last open start tag. */
export function balanceChunks(chunks: readonly Chunk[]): Balanced {
  const starts: Chunk[] = []
  const ends: Chunk[] = []
  for (const chunk of chunks) {
    if (chunk.kind === 'open') starts.push(chunk)
    else if (chunk.kind === 'close' && !starts.pop()) ends.push(chunk)
  }
  const loose = new Set([...starts, ...ends])
  return { starts, chunks: chunks.filter((chunk) => !loose.has(chunk)), ends }
}
