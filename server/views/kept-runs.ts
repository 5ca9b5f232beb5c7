/**
 * Lists of kept objects as runs of many: to compress and copy few long pieces takes a fraction of what many short ones
 * do. A run is joined when the same objects are listed a second time, for what one viewer alone is told would be
 * joined in vain.
 */

import { KeptPiece } from './json-pieces.ts'

/** Ids of one run: so many are joined again where one has changed. */
const RUN_LENGTH = 32
/** Runs that are remembered of those that begin with the same object: viewers who see others have other runs. */
const VARIANTS_MAX = 8
/** Bytes of all joined runs together; those that were listed longest ago go first. */
export const JOINED_BYTES_MAX = 32 * 1024 * 1024

/** An object of a list. */
export interface ListedObject {
  readonly id: number
  readonly piece: KeptPiece
}

interface Run {
  readonly pieces: readonly KeptPiece[]
  joined: KeptPiece | undefined
}

/** By the first piece; forgotten with it. */
const runs = new WeakMap<KeptPiece, Run[]>()
/** In the order of their last use. */
const joinedRuns = new Set<Run>()
let joinedBytes = 0

/** The objects, those of neighbouring ids joined where they have been listed together before. */
export function joinRuns(objects: readonly ListedObject[]): KeptPiece[] {
  const found: KeptPiece[] = []
  for (let start = 0; start < objects.length; ) {
    const number = runOf(objects[start] as ListedObject)
    const pieces: KeptPiece[] = []
    for (; start < objects.length && runOf(objects[start] as ListedObject) === number; start++) {
      pieces.push((objects[start] as ListedObject).piece)
    }
    const joined = findJoined(pieces)
    if (joined) found.push(joined)
    else for (const piece of pieces) found.push(piece)
  }
  return found
}

function runOf({ id }: ListedObject): number {
  return Math.floor(id / RUN_LENGTH)
}

function findJoined(pieces: readonly KeptPiece[]): KeptPiece | undefined {
  if (pieces.length === 1) return undefined
  const first = pieces[0] as KeptPiece
  const variants = runs.get(first) ?? []
  const known = variants.find((run) => isSame(run.pieces, pieces))
  if (!known) {
    const forgotten = variants.length === VARIANTS_MAX ? variants.shift() : undefined
    if (forgotten) drop(forgotten)
    variants.push({ pieces, joined: undefined })
    runs.set(first, variants)
    return undefined
  }
  if (known.joined) joinedRuns.delete(known)
  else {
    known.joined = new KeptPiece(Buffer.concat(pieces.map(({ bytes }) => bytes)))
    joinedBytes += known.joined.bytes.length
  }
  joinedRuns.add(known)
  for (const oldest of joinedRuns) {
    if (joinedBytes <= JOINED_BYTES_MAX) break
    drop(oldest)
  }
  return known.joined
}

function drop(run: Run): void {
  if (joinedRuns.delete(run)) joinedBytes -= run.joined?.bytes.length ?? 0
  run.joined = undefined
}

function isSame(pieces: readonly KeptPiece[], others: readonly KeptPiece[]): boolean {
  if (pieces.length !== others.length) return false
  for (let index = 0; index < pieces.length; index++) if (pieces[index] !== others[index]) return false
  return true
}
