/** Which tags of a part of a document have their counterpart in it. */

import { isBlock } from './html-elements.ts'
import type { Chunk } from './read-tokens.ts'

/** Chunks that go together: some that are whole in themselves, or one tag without its counterpart. */
export type Part =
  | { readonly kind: 'whole'; readonly chunks: readonly Chunk[] }
  | { readonly kind: 'loose'; readonly tag: Chunk }

/**
 * The parts in their order. Loose tags are moved out of the way, beginnings to the front and ends to the back, so
 * that what is marked is in one piece; but not where that would move words into or out of a block, or tags across
 * each other.
 */
export function balanceChunks(chunks: readonly Chunk[]): Part[] {
  const parts = findParts(chunks)
  const loose = parts.filter((part) => part.kind === 'loose')
  const starts = loose.filter(({ tag }) => tag.kind === 'open')
  const ends = loose.filter(({ tag }) => tag.kind === 'close')
  const whole = parts.flatMap((part) => (part.kind === 'whole' ? part.chunks : []))
  const isMovable =
    (starts.length === 0 || ends.length === 0) &&
    !(loose.length > 0 && whole.some((chunk) => chunk.kind === 'open' && isBlock(chunk.name))) &&
    !movesOverBlock(parts)
  return isMovable ? [...starts, { kind: 'whole', chunks: whole }, ...ends] : parts
}

function findParts(chunks: readonly Chunk[]): Part[] {
  const open: number[] = []
  const hasCounterpart = new Uint8Array(chunks.length)
  for (const [index, { kind, name }] of chunks.entries()) {
    if (kind === 'open') open.push(index)
    if (kind !== 'close') continue
    const start = open.at(-1)
    if (start === undefined || chunks[start]?.name !== name) continue
    open.pop()
    hasCounterpart[start] = 1
    hasCounterpart[index] = 1
  }
  const parts: Part[] = []
  let whole: Chunk[] = []
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.kind === 'content' || chunk.kind === 'void' || hasCounterpart[index] === 1) {
      if (whole.push(chunk) === 1) parts.push({ kind: 'whole', chunks: whole })
    } else {
      parts.push({ kind: 'loose', tag: chunk })
      whole = []
    }
  }
  return parts
}

/** Whether a word would end up on the other side of a block's beginning or end. */
function movesOverBlock(parts: readonly Part[]): boolean {
  const tags = parts.map((part) => part.kind === 'loose' && isBlock(part.tag.name))
  const words = parts.map((part) => part.kind === 'whole')
  const isEnd = parts.some((part) => part.kind === 'loose' && part.tag.kind === 'close')
  return isEnd
    ? tags.indexOf(true) >= 0 && tags.indexOf(true) < words.lastIndexOf(true)
    : words.indexOf(true) >= 0 && words.indexOf(true) < tags.lastIndexOf(true)
}
