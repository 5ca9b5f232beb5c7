/** Merges two versions: the later one, with insertions marked, and deletions before the text that follows them. */

import type { Match } from './match-tokens.ts'
import type { Chunk, Token } from './read-tokens.ts'

/** The element that marks words of only the later, or only the earlier version. */
export type Mark = 'ins' | 'del'

/** A chunk, or the start or end of a mark, with the white space after it. */
export type Step =
  | Chunk
  | { readonly kind: 'mark'; readonly name: Mark; readonly space: string }
  | { readonly kind: 'unmark'; readonly name: Mark; readonly space: string }

interface Change {
  readonly kind: 'equal' | Mark
  readonly chunks: Chunk[]
}

/** The result as a list of steps; insertions come before deletions. */
export function mergeVersions(
  old: readonly Token[],
  now: readonly Token[],
  matches: readonly Match[],
): Step[] {
  const steps: Step[] = []
  const changes = findChanges(old, now, matches)
  for (const [index, { kind, chunks }] of changes.entries()) {
    if (kind === 'equal') push(steps, chunks)
    else if (kind === 'ins') insert(steps, chunks)
    else addDeleted(steps, chunks, changes[index + 1])
  }
  return steps
}

function findChanges(old: readonly Token[], now: readonly Token[], matches: readonly Match[]): Change[] {
  const changes: Change[] = []
  let oldEnd = 0
  let end = 0
  const add = (kind: Change['kind'], tokens: readonly Token[], from: number, until: number) => {
    if (from === until) return
    const chunks: Chunk[] = []
    for (let index = from; index < until; index++) addChunks(chunks, tokens[index] as Token, kind)
    changes.push({ kind, chunks })
  }
  for (const { oldStart, start, length } of [
    ...matches,
    { oldStart: old.length, start: now.length, length: 0 },
  ]) {
    add('ins', now, end, start)
    add('del', old, oldEnd, oldStart)
    add('equal', now, start, start + length)
    oldEnd = oldStart + length
    end = start + length
  }
  return changes
}

function addChunks(
  chunks: Chunk[],
  { before, content, isHiddenWhenEqual, after }: Token,
  kind: Change['kind'],
) {
  for (const chunk of before) chunks.push(chunk)
  if (!isHiddenWhenEqual || kind !== 'equal') chunks.push(content)
  for (const chunk of after) chunks.push(chunk)
}

/** Unmatched tags go before and after the mark: their counterparts are elsewhere in the later version. */
function insert(steps: Step[], inserted: readonly Chunk[]): void {
  const { starts, chunks, ends } = balanceChunks(inserted)
  push(steps, starts)
  mark(steps, 'ins', chunks)
  push(steps, ends)
}

/**
 * Drops unmatched deleted tags. If the later version has the same tags beside the deletion, the deleted words move into
 * them.
 */
function addDeleted(steps: Step[], deleted: readonly Chunk[], following: Change | undefined): void {
  const { starts, chunks, ends } = balanceChunks(deleted)
  const next = following?.chunks ?? []
  const taken = starts.findIndex(
    ({ name }, index) => next[index]?.kind !== 'open' || next[index].name !== name,
  )
  push(steps, next.splice(0, taken < 0 ? starts.length : taken))
  const after: Step[] = []
  for (const { name } of ends.toReversed()) {
    const last = steps.at(-1)
    if (last?.kind !== 'close' || last.name !== name) break
    after.unshift(last)
    steps.pop()
  }
  mark(steps, 'del', chunks)
  push(steps, after)
}

/** Marks nested chunks. One space at their end stays outside, and a space separates the mark from its neighbours. */
function mark(steps: Step[], name: Mark, chunks: readonly Chunk[]): void {
  const before = steps.pop()
  if (before) steps.push(before.space.endsWith(' ') ? before : { ...before, space: `${before.space} ` })
  steps.push({ kind: 'mark', name, space: '' })
  push(steps, chunks.slice(0, -1))
  const last = chunks.at(-1)
  if (last) steps.push(last.space.endsWith(' ') ? { ...last, space: last.space.slice(0, -1) } : last)
  steps.push({ kind: 'unmark', name, space: ' ' })
}

function push(steps: Step[], added: readonly Step[]): void {
  for (const step of added) steps.push(step)
}

/** A part without its unmatched tags, so that the rest nests. */
interface Balanced {
  readonly starts: Chunk[]
  readonly chunks: Chunk[]
  readonly ends: Chunk[]
}

/** Removes unmatched tags. The tags of a version nest: an end tag belongs to the last open start tag. */
function balanceChunks(chunks: readonly Chunk[]): Balanced {
  const starts: Chunk[] = []
  const ends: Chunk[] = []
  for (const chunk of chunks) {
    if (chunk.kind === 'open') starts.push(chunk)
    else if (chunk.kind === 'close' && !starts.pop()) ends.push(chunk)
  }
  const loose = new Set([...starts, ...ends])
  return { starts, chunks: chunks.filter((chunk) => !loose.has(chunk)), ends }
}
