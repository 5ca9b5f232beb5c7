/** Which tags of a changed part have their counterpart in it. */

import type { Chunk } from './read-tokens.ts'

/** A part whose tags without a counterpart are taken out, so that the rest nests. */
export interface Balanced {
  readonly starts: Chunk[]
  readonly chunks: Chunk[]
  readonly ends: Chunk[]
}

/** Takes the tags without a counterpart out. After an end tag that does not fit, no start before it finds its end. */
export function balanceChunks(chunks: readonly Chunk[]): Balanced {
  const starts: Chunk[] = []
  const ends: Chunk[] = []
  const loose = new Set<Chunk>()
  let open: Chunk[] = []
  const looseStarts = () => {
    for (const start of open) loose.add(start)
    starts.push(...open)
    open = []
  }
  for (const chunk of chunks) {
    if (chunk.kind === 'open') open.push(chunk)
    if (chunk.kind !== 'close') continue
    if (open.at(-1)?.name === chunk.name) {
      open.pop()
      continue
    }
    looseStarts()
    loose.add(chunk)
    ends.push(chunk)
  }
  looseStarts()
  return { starts, chunks: chunks.filter((chunk) => !loose.has(chunk)), ends }
}
