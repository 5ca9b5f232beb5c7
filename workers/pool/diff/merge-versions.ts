/** Puts two versions into one: the later one, with what was inserted marked, and what was deleted before what follows it. */

import { balanceChunks, type Part } from './balance-chunks.ts'
import type { Match } from './match-tokens.ts'
import type { Chunk, Token } from './read-tokens.ts'

/** How a part of the later version, or of the earlier one, is marked. */
export type Mark = 'inserted' | 'deleted'

/** A chunk, or the beginning or end of what is marked. */
export interface Step {
  readonly chunk:
    | Chunk
    | { readonly kind: 'mark'; readonly mark: Mark; readonly space: string }
    | { readonly kind: 'unmark'; readonly space: string }
  /** Whether a space follows that neither version has, where layout has no meaning. */
  isParted: boolean
}

interface Change {
  readonly kind: 'equal' | Mark
  readonly chunks: Chunk[]
}

/** The result as a run of steps; insertions come before deletions. */
export function mergeVersions(
  old: readonly Token[],
  now: readonly Token[],
  matches: readonly Match[],
): Step[] {
  const steps: Step[] = []
  const changes = findChanges(old, now, matches)
  for (const [index, { kind, chunks }] of changes.entries()) {
    if (kind === 'equal') push(steps, chunks)
    else if (kind === 'inserted') insert(steps, balanceChunks(chunks))
    else addDeleted(steps, balanceChunks(chunks), changes[index + 1])
  }
  return steps
}

function findChanges(old: readonly Token[], now: readonly Token[], matches: readonly Match[]): Change[] {
  const changes: Change[] = []
  let oldEnd = 0
  let end = 0
  const add = (kind: Change['kind'], tokens: readonly Token[]) => {
    if (tokens.length > 0) changes.push({ kind, chunks: tokens.flatMap((token) => chunksOf(token, kind)) })
  }
  for (const { oldStart, start, length } of [
    ...matches,
    { oldStart: old.length, start: now.length, length: 0 },
  ]) {
    add('inserted', now.slice(end, start))
    add('deleted', old.slice(oldEnd, oldStart))
    add('equal', now.slice(start, start + length))
    oldEnd = oldStart + length
    end = start + length
  }
  return changes
}

function chunksOf(token: Token, kind: Change['kind']): Chunk[] {
  const isHidden = token.isHiddenWhenEqual && kind === 'equal'
  return [...token.before, ...(isHidden ? [] : [token.content]), ...token.after]
}

function insert(steps: Step[], parts: readonly Part[]): void {
  for (const part of parts) {
    if (part.kind === 'loose') push(steps, [part.tag])
    else mark(steps, 'inserted', part.chunks)
  }
}

/**
 * Deleted tags without a counterpart are left out: what is there are the later version's. Where that one has the
 * same tags beside what was deleted, they are the ones that were meant, and the deleted words go inside of them.
 */
function addDeleted(steps: Step[], parts: readonly Part[], following: Change | undefined): void {
  const loose = parts.flatMap((part) => (part.kind === 'loose' ? [part.tag] : []))
  const starts = loose.filter(({ kind }) => kind === 'open')
  const ends = loose.filter(({ kind }) => kind === 'close')
  const placed = new Map<Chunk, Step>()
  let taken = 0
  for (const tag of starts) {
    const next = following?.chunks[taken]
    if (next?.kind !== 'open' || next.name !== tag.name) break
    placed.set(tag, { chunk: next, isParted: false })
    taken++
  }
  following?.chunks.splice(0, taken)
  for (const tag of ends.toReversed()) {
    const last = steps.at(-1)
    if (last?.chunk.kind !== 'close' || last.chunk.name !== tag.name) break
    placed.set(tag, steps.pop() as Step)
  }
  let chunks: Chunk[] = []
  const flush = () => {
    if (chunks.length > 0) mark(steps, 'deleted', chunks)
    chunks = []
  }
  for (const part of parts) {
    if (part.kind === 'whole') {
      // A tag that is left out between two words still keeps them apart.
      const last = chunks.at(-1)
      if (last?.space === '') chunks[chunks.length - 1] = { ...last, space: ' ' }
      chunks = chunks.concat(part.chunks)
      continue
    }
    const tag = placed.get(part.tag)
    if (!tag) continue
    flush()
    steps.push(tag)
  }
  flush()
}

/** Marks what is whole in itself. White space at the end of it stays outside. */
function mark(steps: Step[], as: Mark, chunks: readonly Chunk[]): void {
  const before = steps.at(-1)
  if (before && !before.chunk.space.endsWith(' ')) before.isParted = true
  const last = chunks.at(-1)
  const isSpaced = last?.space.endsWith(' ') ?? false
  steps.push({ chunk: { kind: 'mark', mark: as, space: '' }, isParted: false })
  push(steps, chunks.slice(0, -1))
  if (last) push(steps, [isSpaced ? { ...last, space: last.space.slice(0, -1) } : last])
  steps.push({ chunk: { kind: 'unmark', space: isSpaced ? ' ' : '' }, isParted: !isSpaced })
}

function push(steps: Step[], chunks: readonly Chunk[]): void {
  for (const chunk of chunks) steps.push({ chunk, isParted: false })
}
